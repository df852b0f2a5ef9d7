package net.sluice.intents.model;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The declaration of a subscriber that is not always treated alike. The policy in force is {@link
 * Subscriber#policyId}, and {@link OptionalParts#stopped} says whether its traffic passes.
 *
 * @param policyId the policy that it has otherwise
 * @param suspendedTo what it gets for as long as it is suspended; empty if it is not
 * @param schedule what it gets at times
 * @param until when something else may come into force; empty if never, or not looked at
 */
public record SubscriberTerms(
    String policyId,
    Optional<Holding> suspendedTo,
    Schedule<Holding> schedule,
    Optional<Instant> until) {
  /** The treatment of a subscriber at times. */
  public sealed interface Holding {
    /** No packet of it passes. */
    record Stopped() implements Holding {}

    /** It has another policy. */
    record Has(String policyId) implements Holding {}

    /** The policy; empty if its traffic is stopped. */
    default Optional<String> policy() {
      return this instanceof Has has ? Optional.of(has.policyId) : Optional.empty();
    }
  }

  public SubscriberTerms {
    Objects.requireNonNull(until, "until");
    Ids.require("policy", policyId);
    suspendedTo.flatMap(Holding::policy).ifPresent(id -> Ids.require("suspended.policy", id));
    schedule.forEach(Holding::policy, (field, id) -> Ids.require(field + ".policy", id));
  }

  /** The terms of what has just been declared; empty if it is always treated alike. */
  public static Optional<SubscriberTerms> of(
      String policyId, Optional<Holding> suspendedTo, Schedule<Holding> schedule) {
    return suspendedTo.isEmpty() && schedule.isEmpty()
        ? Optional.empty()
        : Optional.of(new SubscriberTerms(policyId, suspendedTo, schedule, Optional.empty()));
  }

  /** Passes on each policy that may come into force, with the field that names it. */
  public void policies(Schedule.FieldValues<String> out) {
    out.accept("policy", policyId);
    suspendedTo.flatMap(Holding::policy).ifPresent(id -> out.accept("suspended.policy", id));
    schedule.forEach(Holding::policy, (field, id) -> out.accept(field + ".policy", id));
  }

  /** Passes on each field by which its traffic may be stopped. */
  public void stops(Consumer<String> out) {
    suspendedTo.filter(Holding.Stopped.class::isInstance).ifPresent(at -> out.accept("suspended"));
    schedule.forEach(
        holding -> holding instanceof Holding.Stopped ? Optional.of(true) : Optional.empty(),
        (field, yes) -> out.accept(field + ".suspended"));
  }

  /** The treatment in force at a moment; empty for the policy that it has otherwise. */
  Optional<Holding> holdsAt(Instant moment) {
    return suspendedTo.isPresent() ? suspendedTo : schedule.at(moment).holds();
  }

  /** The same with when another treatment may come into force, as of a moment. */
  SubscriberTerms at(Instant moment) {
    // As long as it is suspended, a schedule changes nothing.
    return until(suspendedTo.isPresent() ? Optional.empty() : schedule.at(moment).until());
  }

  SubscriberTerms until(Optional<Instant> other) {
    return new SubscriberTerms(policyId, suspendedTo, schedule, other);
  }
}
