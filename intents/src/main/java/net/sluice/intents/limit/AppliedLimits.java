package net.sluice.intents.limit;

import java.util.Optional;
import java.util.function.Function;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.value.Direction;

/** The rate limits a subscriber is under: its own, that of its tree and that of its port. */
public record AppliedLimits(
    Optional<RateLimit> own, Optional<RateLimit> tree, Optional<RateLimit> port) {
  /** Of a subscriber that is under no limit. */
  public static final AppliedLimits NONE =
      new AppliedLimits(Optional.empty(), Optional.empty(), Optional.empty());

  /** The limits in force that a subscriber is under. */
  public static AppliedLimits of(SlaState state, Subscriber subscriber) {
    return state.rateLimits() == 0 ? NONE : of(subscriber, state::rateLimitOf);
  }

  /** The limits of a view that a subscriber is under. */
  public static AppliedLimits of(Subscriber subscriber, LimitView limits) {
    int port = subscriber.attachment().port();
    return of(
        inForce(limits.of(new Scope.OfSubscriber(subscriber.id()))),
        inForce(limits.of(new Scope.OfTree(port, subscriber.attachment().tree()))),
        inForce(limits.of(new Scope.OfPort(port))));
  }

  private static Optional<RateLimit> inForce(Optional<RateLimit> limit) {
    return limit.isPresent() && limit.get().isOff() ? Optional.empty() : limit;
  }

  private static AppliedLimits of(
      Optional<RateLimit> own, Optional<RateLimit> tree, Optional<RateLimit> port) {
    return own.isEmpty() && tree.isEmpty() && port.isEmpty()
        ? NONE
        : new AppliedLimits(own, tree, port);
  }

  /** Of each limit the part that {@code of} gives. */
  public AppliedLimits parts(Function<RateLimit, Optional<RateLimit>> of) {
    return any() ? of(own.flatMap(of), tree.flatMap(of), port.flatMap(of)) : NONE;
  }

  /** True if a limit sets that direction. */
  public boolean in(Direction direction) {
    return sets(own, direction) || sets(tree, direction) || sets(port, direction);
  }

  /** True if tree or port alone limit that direction, and the subscriber's own limit does not. */
  public boolean open(Direction direction) {
    return !sets(own, direction) && (sets(tree, direction) || sets(port, direction));
  }

  /** True if there is a limit. */
  public boolean any() {
    return this != NONE;
  }

  /** The limits by name, for messages. */
  public String names() {
    StringBuilder names = new StringBuilder();
    append(names, own);
    append(names, tree);
    append(names, port);
    return names.toString();
  }

  private static void append(StringBuilder names, Optional<RateLimit> limit) {
    if (limit.isPresent()) {
      names.append(names.length() == 0 ? "" : ", ").append("rate limit ").append(limit.get().id());
      names.append(" of ").append(limit.get().scope());
    }
  }

  private static boolean sets(Optional<RateLimit> limit, Direction direction) {
    return limit.isPresent() && limit.get().rateBps(direction).isPresent();
  }
}
