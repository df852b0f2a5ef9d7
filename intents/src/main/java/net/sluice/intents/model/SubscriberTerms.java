package net.sluice.intents.model;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * The declaration of a subscriber whose policy is not always the same. Which one is in force, is
 * {@link Subscriber#policyId}.
 *
 * @param policyId the policy that it has otherwise
 * @param suspendedTo the policy that it has for as long as it is suspended; empty if it is not
 * @param schedule policies that it has at times
 * @param until when another one may come into force; empty if never, or not looked at
 */
public record SubscriberTerms(
    String policyId,
    Optional<String> suspendedTo,
    Schedule<String> schedule,
    Optional<Instant> until) {
  public SubscriberTerms {
    Ids.require("policy", policyId);
    suspendedTo.ifPresent(id -> Ids.require("suspended.policy", id));
    schedule.forEach(Optional::of, (field, id) -> Ids.require(field + ".policy", id));
    Objects.requireNonNull(until, "until");
  }

  /** The terms of what has just been declared; empty if the policy is always the same. */
  public static Optional<SubscriberTerms> of(
      String policyId, Optional<String> suspendedTo, Schedule<String> schedule) {
    return suspendedTo.isEmpty() && schedule.isEmpty()
        ? Optional.empty()
        : Optional.of(new SubscriberTerms(policyId, suspendedTo, schedule, Optional.empty()));
  }

  /** Passes on each policy that may come into force, with the field that names it. */
  public void policies(Schedule.FieldValues<String> out) {
    out.accept("policy", policyId);
    suspendedTo.ifPresent(id -> out.accept("suspended.policy", id));
    schedule.forEach(Optional::of, (field, id) -> out.accept(field + ".policy", id));
  }

  /** The policy in force at a moment. */
  String policyAt(Instant moment) {
    return suspendedTo.orElseGet(() -> schedule.at(moment).holds().orElse(policyId));
  }

  /** The same with when another policy may come into force, as of a moment. */
  SubscriberTerms at(Instant moment) {
    // As long as it is suspended, a schedule changes nothing.
    return until(suspendedTo.isPresent() ? Optional.empty() : schedule.at(moment).until());
  }

  SubscriberTerms until(Optional<Instant> other) {
    return new SubscriberTerms(policyId, suspendedTo, schedule, other);
  }
}
