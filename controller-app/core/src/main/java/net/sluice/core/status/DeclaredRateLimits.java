package net.sluice.core.status;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import net.sluice.core.TargetStatus;
import net.sluice.core.session.TargetSession;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.state.ShardState;
import net.sluice.intents.limit.Limiters;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.OwnerIds;
import net.sluice.intents.plan.StateDelta;
import net.sluice.intents.plan.TargetKey;

/** Rate limits in a shard. */
public final class DeclaredRateLimits implements KindHandler {
  private final ShardState shard;
  private final Sessions sessions;
  private final Limiters limiters;

  DeclaredRateLimits(ShardState shard, Sessions sessions, Limiters limiters) {
    this.shard = shard;
    this.sessions = sessions;
    this.limiters = limiters;
  }

  @Override
  public Optional<RateLimit> find(String id) {
    return shard.state().rateLimit(id).filter(this::isInForce);
  }

  /** The rate limit in force of exactly that scope. */
  public Optional<RateLimit> of(Scope scope) {
    return shard.state().rateLimitOf(scope).filter(this::isInForce);
  }

  private boolean isInForce(RateLimit limit) {
    return shard.state().isInForce(Kind.RATE_LIMIT, limit.id());
  }

  @Override
  public int count() {
    return shard.state().inForce(Kind.RATE_LIMIT);
  }

  @Override
  public Optional<RateLimit> stored(String id) {
    return shard.store().rateLimit(id);
  }

  @Override
  public void scan(String afterId, long skip, int limit, Consumer<? super Declaration> out) {
    int unused = shard.store().scanRateLimits(afterId, skip, limit, out);
  }

  /**
   * The switch with the worst status of the subscribers in the limit's scope and of what it holds
   * of the limit itself, and each FPGA the limit is set in.
   */
  @Override
  public List<TargetStatus> status(String id) {
    Optional<RateLimit> found = find(id);
    if (found.isEmpty()) {
      return List.of();
    }
    RateLimit limit = found.get();
    int owner = OwnerIds.limit(shard.state().limitNumber(id));
    List<TargetStatus> statuses = new ArrayList<>(3);
    Set<TargetKey<?>> targets = limiters.targets(limit);
    IntStream own = targets.contains(TargetKey.SWITCH) ? IntStream.of(owner) : IntStream.empty();
    worstOf(limit.scope(), own).ifPresent(statuses::add);
    for (TargetKey<?> target : targets) {
      if (target != TargetKey.SWITCH) {
        sessions.of(target).ifPresent(s -> statuses.add(DeclarationStatuses.at(shard, s, owner)));
      }
    }
    return statuses;
  }

  private Optional<TargetStatus> worstOf(Scope scope, IntStream own) {
    CompactSlaState state = shard.state();
    TargetSession<?> session = sessions.ofSwitch();
    if (scope instanceof Scope.OfSubscriber of) {
      int index = state.indexOf(of.subscriberId());
      return index == 0
          ? Optional.empty()
          : Optional.of(DeclarationStatuses.at(shard, session, OwnerIds.subscriber(index)));
    }
    return IntStream.concat(own, limiters.limited(state, scope).map(OwnerIds::subscriber))
        .boxed()
        .max(Comparator.comparing(owner -> DeclarationStatuses.state(shard, session, owner)))
        .map(owner -> DeclarationStatuses.at(shard, session, owner));
  }

  @Override
  public Optional<String> idOf(int number) {
    return Optional.ofNullable(shard.state().limitId(number));
  }

  @Override
  public int owner(int number) {
    return OwnerIds.limit(number);
  }

  @Override
  public void trackAll() {
    CompactSlaState state = shard.state();
    state
        .rateLimitIds()
        .forEach(id -> track(state.rateLimit(id).orElseThrow(), state.limitNumber(id), true));
  }

  @Override
  public void follow(StateDelta delta, int number) {
    if (delta.change() instanceof Change.Put put) {
      track((RateLimit) put.declaration(), number, false);
    } else {
      for (TargetSession<?> session : sessions.all()) {
        session.board().untrack(OwnerIds.limit(number));
      }
    }
  }

  private void track(RateLimit limit, int number, boolean stale) {
    // The switch, too, where its entries are those of subscribers: see ShardChanges.
    Set<TargetKey<?>> targets = new HashSet<>(limiters.targets(limit));
    targets.add(TargetKey.SWITCH);
    for (TargetKey<?> target : TargetKey.all()) {
      sessions
          .of(target)
          .map(TargetSession::board)
          .ifPresent(
              board -> {
                if (targets.contains(target)) {
                  board.track(OwnerIds.limit(number), stale);
                } else {
                  board.untrack(OwnerIds.limit(number));
                }
              });
    }
  }

  @Override
  public OptionalInt bngPort(Declaration declaration) {
    Scope scope = ((RateLimit) declaration).scope();
    if (scope instanceof Scope.OfPort of) {
      return OptionalInt.of(of.port());
    } else if (scope instanceof Scope.OfTree of) {
      return OptionalInt.of(of.port());
    }
    CompactSlaState state = shard.state();
    int index = state.indexOf(((Scope.OfSubscriber) scope).subscriberId());
    return index == 0 ? OptionalInt.empty() : OptionalInt.of(state.attachmentOf(index).port());
  }
}
