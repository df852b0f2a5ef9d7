package net.sluice.core.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import net.sluice.core.TargetStatus;
import net.sluice.core.session.StatusBoard;
import net.sluice.core.state.CompactSlaState;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.OwnerIds;
import net.sluice.intents.plan.QueueId;
import net.sluice.intents.plan.StateDelta;
import net.sluice.intents.state.SubscriberState;

/** Subscribers in a shard. */
final class DeclaredSubscribers implements DeclaredKind {
  private final ShardState shard;
  private final Sessions sessions;

  DeclaredSubscribers(ShardState shard, Sessions sessions) {
    this.shard = shard;
    this.sessions = sessions;
  }

  @Override
  public Optional<Subscriber> find(String id) {
    return shard
        .state()
        .subscriber(id)
        .filter(found -> found.leaving().isEmpty())
        .map(SubscriberState::subscriber);
  }

  @Override
  public int count() {
    return shard.state().inForce(Kind.SUBSCRIBER);
  }

  @Override
  public Optional<Subscriber> stored(String id) {
    return shard.store().subscriber(id).map(SubscriberState::subscriber);
  }

  @Override
  public void scan(String afterId, long skip, int limit, Consumer<? super Declaration> out) {
    int unused =
        shard.store().scanSubscribers(afterId, skip, limit, s -> out.accept(s.subscriber()));
  }

  /**
   * The switch, and each FPGA that shapes the subscriber with the status of the limits that apply
   * to it there.
   */
  @Override
  public List<TargetStatus> status(String id) {
    CompactSlaState state = shard.state();
    int index = state.indexOf(id);
    if (index == 0) {
      return List.of();
    }
    List<TargetStatus> statuses = new ArrayList<>(3);
    statuses.add(Statuses.at(shard, sessions.ofSwitch(), OwnerIds.subscriber(index)));
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
                      .map(
                          scope ->
                              Statuses.at(shard, session, OwnerIds.limit(state.limitNumber(scope))))
                      .reduce(Statuses::worse))
          .ifPresent(statuses::add);
    }
    return statuses;
  }

  private boolean limits(Scope scope, Direction direction) {
    return shard
        .state()
        .rateLimitOf(scope)
        .filter(limit -> limit.rateBps(direction).isPresent())
        .isPresent();
  }

  @Override
  public Optional<String> idOf(int index) {
    return Optional.ofNullable(shard.state().idOf(index));
  }

  @Override
  public int owner(int number) {
    return OwnerIds.subscriber(number);
  }

  @Override
  public void trackAll() {
    StatusBoard board = sessions.ofSwitch().board();
    shard.state().indicesWhere(i -> true).forEach(i -> board.track(OwnerIds.subscriber(i), true));
  }

  @Override
  public void follow(StateDelta delta, int index) {
    StatusBoard board = sessions.ofSwitch().board();
    if (delta.change() instanceof Change.Put) {
      board.track(OwnerIds.subscriber(index), false);
      if (delta.left() != 0) {
        board.untrack(OwnerIds.subscriber(delta.left()));
      }
    } else {
      board.untrack(OwnerIds.subscriber(index));
    }
  }

  @Override
  public OptionalInt bngPort(Declaration declaration) {
    return OptionalInt.of(((Subscriber) declaration).attachment().port());
  }
}
