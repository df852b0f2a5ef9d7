package net.sluice.intents.model;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import net.sluice.intents.model.policy.Aqm;
import net.sluice.intents.model.policy.FlowOrder;
import net.sluice.intents.model.policy.LikeFunction;
import net.sluice.intents.model.policy.LimitDelay;
import net.sluice.intents.model.policy.ThroughputValueFunction;
import net.sluice.intents.model.policy.TrafficClasses;
import net.sluice.intents.value.Ids;
import net.sluice.intents.value.Ranges;

/**
 * An SLA class: how much each of its subscribers' traffic is worth, and how the queues it leaves by
 * are managed.
 *
 * @param id identifier, see {@link Ids}
 * @param function packet value at each rate
 * @param aqm how the delay of the class queues towards its subscribers is managed; empty if that is
 *     left to the ports
 * @param classes the classes of each subscriber's traffic within its rate limit
 * @param displayName its name for people, see {@link PlainText}
 * @param limitDelay the delay that its subscribers' rate limits may make, where they say nothing
 * @param flows in which order a subscriber's flows pass its limit; empty for light ones first
 * @param rttMillis the round-trip time of its subscribers' flows, by which the bursts of their
 *     policed limits are chosen, 1 to {@link #MAX_RTT_MILLIS} ms; empty for {@link
 *     #DEFAULT_RTT_MILLIS}
 */
public record Policy(
    String id,
    ThroughputValueFunction function,
    Optional<Aqm> aqm,
    TrafficClasses classes,
    Optional<String> displayName,
    LimitDelay limitDelay,
    Optional<FlowOrder> flows,
    OptionalInt rttMillis)
    implements Declaration {
  /** The longest round-trip time that can be declared, in ms. */
  public static final int MAX_RTT_MILLIS = 1_000;

  /** The round-trip time where none is declared, in ms. */
  public static final int DEFAULT_RTT_MILLIS = 40;

  public Policy {
    Ids.require("id", id);
    Objects.requireNonNull(function, "function");
    Objects.requireNonNull(aqm, "aqm");
    Objects.requireNonNull(classes, "classes");
    displayName.ifPresent(name -> PlainText.require("displayName", name, PlainText.MAX_NAME));
    Objects.requireNonNull(limitDelay, "limitDelay");
    Objects.requireNonNull(flows, "flows");
    if (rttMillis.isPresent()) {
      Ranges.require("rttMillis", rttMillis.getAsInt(), 1, MAX_RTT_MILLIS);
    }
  }

  /** A policy that says nothing of limits, and has no name for people. */
  public Policy(
      String id, ThroughputValueFunction function, Optional<Aqm> aqm, TrafficClasses classes) {
    this(
        id,
        function,
        aqm,
        classes,
        Optional.empty(),
        LimitDelay.UNSAID,
        Optional.empty(),
        OptionalInt.empty());
  }

  /** A policy whose subscribers' traffic is one class. */
  public Policy(String id, ThroughputValueFunction function, Optional<Aqm> aqm) {
    this(id, function, aqm, TrafficClasses.NONE);
  }

  /** A policy that leaves the queues to the ports. */
  public Policy(String id, ThroughputValueFunction function) {
    this(id, function, Optional.empty());
  }

  /** The same with another name for people. */
  public Policy withDisplayName(Optional<String> newDisplayName) {
    return new Policy(id, function, aqm, classes, newDisplayName, limitDelay, flows, rttMillis);
  }

  /** The same with another function. */
  public Policy withFunction(ThroughputValueFunction newFunction) {
    return new Policy(id, newFunction, aqm, classes, displayName, limitDelay, flows, rttMillis);
  }

  /** Whether its function is that of the policy with an id. */
  public boolean isLike(String otherId) {
    return function instanceof LikeFunction like && like.policyId().equals(otherId);
  }

  /** The same without an {@code aqm}. */
  public Policy withoutAqm() {
    return new Policy(
        id, function, Optional.empty(), classes, displayName, limitDelay, flows, rttMillis);
  }

  /** The same with another round-trip time. */
  public Policy withRttMillis(OptionalInt newRttMillis) {
    return new Policy(id, function, aqm, classes, displayName, limitDelay, flows, newRttMillis);
  }

  /** The round-trip time of its subscribers' flows, in ms. */
  public int rtt() {
    return rttMillis.orElse(DEFAULT_RTT_MILLIS);
  }

  /** In which order a subscriber's flows pass its limit. */
  public FlowOrder flowOrder() {
    return flows.orElse(FlowOrder.LIGHT_FIRST);
  }

  @Override
  public Kind kind() {
    return Kind.POLICY;
  }
}
