package net.sluice.intents.model;

import java.util.Objects;
import java.util.Optional;
import net.sluice.intents.model.policy.Aqm;
import net.sluice.intents.model.policy.ThroughputValueFunction;
import net.sluice.intents.model.policy.TrafficClasses;
import net.sluice.intents.value.Ids;

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
 */
public record Policy(
    String id,
    ThroughputValueFunction function,
    Optional<Aqm> aqm,
    TrafficClasses classes,
    Optional<String> displayName)
    implements Declaration {
  public Policy {
    Ids.require("id", id);
    Objects.requireNonNull(function, "function");
    Objects.requireNonNull(aqm, "aqm");
    Objects.requireNonNull(classes, "classes");
    displayName.ifPresent(name -> PlainText.require("displayName", name, PlainText.MAX_NAME));
  }

  /** A policy without a name for people. */
  public Policy(
      String id, ThroughputValueFunction function, Optional<Aqm> aqm, TrafficClasses classes) {
    this(id, function, aqm, classes, Optional.empty());
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
    return new Policy(id, function, aqm, classes, newDisplayName);
  }

  @Override
  public Kind kind() {
    return Kind.POLICY;
  }
}
