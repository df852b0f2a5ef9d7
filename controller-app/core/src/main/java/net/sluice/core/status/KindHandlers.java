package net.sluice.core.status;

import net.sluice.core.state.ShardState;
import net.sluice.intents.limit.Limiters;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.OwnerIds;

/** Each kind of declaration in a shard. */
public record KindHandlers(
    DeclaredPolicies policies,
    DeclaredSubscribers subscribers,
    DeclaredRateLimits rateLimits,
    DeclaredTariffs tariffs) {
  public static KindHandlers in(ShardState shard, Sessions sessions, Limiters limiters) {
    DeclaredSubscribers subscribers = new DeclaredSubscribers(shard, sessions, limiters);
    return new KindHandlers(
        new DeclaredPolicies(shard, sessions, limiters),
        subscribers,
        new DeclaredRateLimits(shard, sessions, limiters),
        new DeclaredTariffs(shard, subscribers));
  }

  public KindHandler of(Kind kind) {
    return switch (kind) {
      case POLICY -> policies;
      case SUBSCRIBER -> subscribers;
      case RATE_LIMIT -> rateLimits;
      case TARIFF -> tariffs;
    };
  }

  /** The kind of declaration that a status is kept for. */
  public static Kind ofOwner(int owner) {
    if (OwnerIds.isSubscriber(owner)) {
      return Kind.SUBSCRIBER;
    }
    return OwnerIds.isPolicy(owner) ? Kind.POLICY : Kind.RATE_LIMIT;
  }

  /** Begins to keep the status of every declaration in force; the memory is held. */
  public void trackAll() {
    for (Kind kind : Kind.values()) {
      of(kind).trackAll();
    }
  }
}
