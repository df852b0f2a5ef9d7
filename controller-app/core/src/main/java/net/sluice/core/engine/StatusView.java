package net.sluice.core.engine;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.TargetState;
import net.sluice.core.TargetStatus;
import net.sluice.core.session.Owners;
import net.sluice.core.session.StatusBoard;
import net.sluice.core.session.TargetSession;
import net.sluice.core.state.CompactSlaState;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.plan.QueueId;

/** Status of declarations at the targets that have to hold something for them. */
final class StatusView {
  private final Declarations declarations;
  private final Sessions sessions;

  StatusView(Declarations declarations, Sessions sessions) {
    this.declarations = declarations;
    this.sessions = sessions;
  }

  /** With the memory held; empty if there is no such policy. */
  List<TargetStatus> ofPolicy(String id) {
    return declarations
        .state()
        .policy(id)
        .map(policy -> List.of(at(sessions.ofSwitch(), Owners.policy(policy.slot()))))
        .orElse(List.of());
  }

  /**
   * With the memory held: the switch, and each FPGA that shapes the subscriber with the status of
   * the limits that apply to it there; empty if there is no such subscriber.
   */
  List<TargetStatus> ofSubscriber(String id) {
    CompactSlaState state = declarations.state();
    int index = state.indexOf(id);
    if (index == 0) {
      return List.of();
    }
    List<TargetStatus> statuses = new ArrayList<>(3);
    statuses.add(at(sessions.ofSwitch(), Owners.subscriber(index)));
    if (state.queueOf(index) == QueueId.NONE) {
      return statuses;
    }
    int tree = state.treeIndexOf(index);
    List<Scope> scopes =
        List.of(
            new Scope.OfSubscriber(id),
            new Scope.OfTree(tree >>> 6, tree & 63),
            new Scope.OfPort(tree >>> 6));
    for (Direction direction : Direction.values()) {
      sessions
          .ofFpga(direction)
          .flatMap(
              session ->
                  scopes.stream()
                      .filter(scope -> limits(scope, direction))
                      .map(scope -> at(session, Owners.limit(state.limitNumber(scope))))
                      .reduce(StatusView::worse))
          .ifPresent(statuses::add);
    }
    return statuses;
  }

  private boolean limits(Scope scope, Direction direction) {
    return declarations
        .state()
        .rateLimitOf(scope)
        .filter(limit -> limit.rateBps(direction).isPresent())
        .isPresent();
  }

  /**
   * With the memory held: the switch with the worst status of the subscribers in the limit's scope,
   * and each FPGA the limit is set in; empty if there is no such limit.
   */
  List<TargetStatus> ofRateLimit(String id) {
    CompactSlaState state = declarations.state();
    Optional<RateLimit> found = state.rateLimit(id);
    if (found.isEmpty()) {
      return List.of();
    }
    RateLimit limit = found.get();
    List<TargetStatus> statuses = new ArrayList<>(3);
    worstOf(limit.scope()).ifPresent(statuses::add);
    for (Direction direction : Direction.values()) {
      if (limit.rateBps(direction).isPresent()) {
        sessions
            .ofFpga(direction)
            .ifPresent(s -> statuses.add(at(s, Owners.limit(state.limitNumber(id)))));
      }
    }
    return statuses;
  }

  private Optional<TargetStatus> worstOf(Scope scope) {
    CompactSlaState state = declarations.state();
    if (scope instanceof Scope.OfSubscriber of) {
      int index = state.indexOf(of.subscriberId());
      return index == 0
          ? Optional.empty()
          : Optional.of(at(sessions.ofSwitch(), Owners.subscriber(index)));
    }
    IntPredicate inScope;
    if (scope instanceof Scope.OfTree of) {
      int tree = QueueId.treeIndex(of.port(), of.tree());
      inScope = index -> state.treeIndexOf(index) == tree;
    } else {
      int port = ((Scope.OfPort) scope).port();
      inScope = index -> state.treeIndexOf(index) >>> 6 == port;
    }
    StatusBoard board = sessions.ofSwitch().board();
    int[] worst = new int[] {0};
    state
        .indicesWhere(inScope)
        .forEach(
            index -> {
              int owner = Owners.subscriber(index);
              if (worst[0] == 0 || board.state(owner).compareTo(board.state(worst[0])) > 0) {
                worst[0] = owner;
              }
            });
    return worst[0] == 0 ? Optional.empty() : Optional.of(at(sessions.ofSwitch(), worst[0]));
  }

  private static TargetStatus at(TargetSession<?> session, int owner) {
    StatusBoard board = session.board();
    TargetState state;
    Instant since;
    Optional<String> error;
    synchronized (board) {
      state = board.state(owner);
      since = board.since(owner);
      error = board.error(owner);
    }
    if (state == TargetState.INSTALLED) {
      return new TargetStatus(
          session.name(), state, since, Optional.empty(), Optional.empty(), Optional.empty());
    }
    if (state == TargetState.PENDING && session.state() == SessionState.CONNECTING) {
      error = session.detail();
    }
    Optional<String> awaits = state == TargetState.PENDING ? session.awaited() : Optional.empty();
    return new TargetStatus(session.name(), state, since, error, awaits, session.nextAttempt());
  }

  private static TargetStatus worse(TargetStatus a, TargetStatus b) {
    return b.state().compareTo(a.state()) > 0 ? b : a;
  }
}
