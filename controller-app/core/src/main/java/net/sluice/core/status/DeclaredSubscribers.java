package net.sluice.core.status;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.Stream;
import net.sluice.core.TargetStatus;
import net.sluice.core.session.StatusBoard;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.state.ShardState;
import net.sluice.intents.limit.Limiters;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.OwnerIds;
import net.sluice.intents.plan.StateDelta;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.state.SubscriberState;

/** Subscribers in a shard. */
public final class DeclaredSubscribers implements KindHandler {
  private final ShardState shard;
  private final Sessions sessions;
  private final Limiters limiters;

  DeclaredSubscribers(ShardState shard, Sessions sessions, Limiters limiters) {
    this.shard = shard;
    this.sessions = sessions;
    this.limiters = limiters;
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
   * The switch, and each FPGA that shapes the subscriber, with the worst status of what is written
   * there for the subscriber and for the limits that apply to it.
   */
  @Override
  public List<TargetStatus> status(String id) {
    CompactSlaState state = shard.state();
    int index = state.indexOf(id);
    if (index == 0) {
      return List.of();
    }
    Map<TargetKey<?>, TargetStatus> statuses = new HashMap<>();
    statuses.put(
        TargetKey.SWITCH,
        DeclarationStatuses.at(shard, sessions.ofSwitch(), OwnerIds.subscriber(index)));
    for (RateLimit limit : limits(state, index)) {
      int owner = OwnerIds.limit(state.limitNumber(limit.id()));
      for (TargetKey<?> target : limiters.targets(limit)) {
        sessions
            .of(target)
            .ifPresent(
                session ->
                    statuses.merge(
                        target,
                        DeclarationStatuses.at(shard, session, owner),
                        DeclarationStatuses::worse));
      }
    }
    return TargetKey.all().stream().map(statuses::get).filter(Objects::nonNull).toList();
  }

  /** The limits that apply to a subscriber. */
  private static List<RateLimit> limits(CompactSlaState state, int index) {
    if (state.rateLimits() == 0) {
      return List.of();
    }
    Attachment at = state.attachmentOf(index);
    return Stream.of(
            new Scope.OfSubscriber(state.idOf(index)),
            new Scope.OfTree(at.port(), at.tree()),
            new Scope.OfPort(at.port()))
        .flatMap(scope -> state.rateLimitOf(scope).stream())
        .toList();
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
