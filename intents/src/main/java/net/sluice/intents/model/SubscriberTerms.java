package net.sluice.intents.model;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import net.sluice.intents.model.schedule.Schedule;
import net.sluice.intents.model.schedule.Timing;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.Ids;

/**
 * The declaration of a subscriber that is not always treated alike. The policy in force is {@link
 * Subscriber#policyId(Direction)}, and {@link OptionalParts#stopped} says whether its traffic
 * passes.
 *
 * @param otherwise what it has otherwise
 * @param suspendedTo what it gets for as long as it is suspended; empty if it is not
 * @param schedule what it gets at times
 * @param timing its place in time
 */
public record SubscriberTerms(
    Holding.Has otherwise,
    Optional<Holding> suspendedTo,
    Schedule<Holding> schedule,
    Timing timing) {
  /** The treatment of a subscriber at times. */
  public sealed interface Holding {
    /** No packet of it passes. */
    record Stopped() implements Holding {}

    /**
     * It has a policy.
     *
     * @param policyId that of both directions, or only of downstream traffic
     * @param upstreamPolicyId that of upstream traffic, if one is named for that alone
     */
    record Has(String policyId, Optional<String> upstreamPolicyId) implements Holding {
      public Has {
        Objects.requireNonNull(policyId, "policyId");
        Objects.requireNonNull(upstreamPolicyId, "upstreamPolicyId");
      }

      /** One policy for both directions. */
      public Has(String policyId) {
        this(policyId, Optional.empty());
      }
    }

    /** The policy that is named for a direction; empty if none is, or its traffic is stopped. */
    default Optional<String> policy(Direction direction) {
      if (!(this instanceof Has has)) {
        return Optional.empty();
      }
      return direction == Direction.UP ? has.upstreamPolicyId : Optional.of(has.policyId);
    }
  }

  public SubscriberTerms {
    Objects.requireNonNull(timing, "timing");
    for (Direction direction : Direction.values()) {
      policies(otherwise, suspendedTo, schedule, direction, Ids::require);
    }
  }

  /** The terms of what has just been declared; empty if it is always treated alike. */
  public static Optional<SubscriberTerms> of(
      Holding.Has otherwise, Optional<Holding> suspendedTo, Schedule<Holding> schedule) {
    return suspendedTo.isEmpty() && schedule.isEmpty()
        ? Optional.empty()
        : Optional.of(new SubscriberTerms(otherwise, suspendedTo, schedule, Timing.NONE));
  }

  /**
   * Passes on each policy that may come into force for a direction by name, with the field that
   * names it.
   */
  public void policies(Direction direction, Schedule.FieldValues<String> out) {
    policies(otherwise, suspendedTo, schedule, direction, out);
  }

  private static void policies(
      Holding.Has otherwise,
      Optional<Holding> suspendedTo,
      Schedule<Holding> schedule,
      Direction direction,
      Schedule.FieldValues<String> out) {
    String name = Subscriber.policyField(direction);
    otherwise.policy(direction).ifPresent(id -> out.accept(name, id));
    suspendedTo
        .flatMap(holding -> holding.policy(direction))
        .ifPresent(id -> out.accept("suspended." + name, id));
    schedule.forEach(
        holding -> holding.policy(direction), (field, id) -> out.accept(field + "." + name, id));
  }

  /** The same with something else that it has otherwise. */
  SubscriberTerms otherwise(Holding.Has other) {
    return new SubscriberTerms(other, suspendedTo, schedule, timing);
  }

  /** Passes on each field by which its traffic may be stopped. */
  public void stops(Consumer<String> out) {
    suspendedTo.filter(Holding.Stopped.class::isInstance).ifPresent(at -> out.accept("suspended"));
    schedule.forEach(
        holding -> holding instanceof Holding.Stopped ? Optional.of(true) : Optional.empty(),
        (field, yes) -> out.accept(field + ".suspended"));
  }

  /** Passes on each treatment, with the field that declares it and its dot before its policy. */
  void holdings(Schedule.FieldValues<Holding> out) {
    out.accept("", otherwise);
    suspendedTo.ifPresent(holding -> out.accept("suspended.", holding));
    schedule.forEach(Optional::of, (field, holding) -> out.accept(field + ".", holding));
  }

  /** The treatment that is declared for a moment. */
  Holding holdsAt(Instant moment) {
    return suspendedTo.or(() -> schedule.at(moment).holds()).orElse(otherwise);
  }

  /** The same with when another treatment may come into force, as of a moment. */
  SubscriberTerms at(Instant moment) {
    return with(Timing.inForce(untilAfter(moment)));
  }

  /** The same, out of force since a moment if not for longer. */
  SubscriberTerms outAt(Instant moment) {
    return with(timing.outAt(moment, untilAfter(moment)));
  }

  /** As long as it is suspended, a schedule changes nothing. */
  private Optional<Instant> untilAfter(Instant moment) {
    return suspendedTo.isPresent() ? Optional.empty() : schedule.at(moment).until();
  }

  SubscriberTerms with(Timing other) {
    return new SubscriberTerms(otherwise, suspendedTo, schedule, other);
  }
}
