package net.sluice.intents.model;

import java.util.Objects;
import java.util.Optional;

/**
 * An SLA class: how much each of its subscribers' traffic is worth, and how the queues it leaves by
 * are managed.
 *
 * @param id identifier, see {@link Ids}
 * @param function packet value at each rate
 * @param aqm how the delay of the class queues towards its subscribers is managed; empty if that is
 *     left to the ports
 * @param classes the classes of each subscriber's traffic within its rate limit
 */
public record Policy(
    String id, ThroughputValueFunction function, Optional<Aqm> aqm, TrafficClasses classes)
    implements Declaration {
  public Policy {
    Ids.require("id", id);
    Objects.requireNonNull(function, "function");
    Objects.requireNonNull(aqm, "aqm");
    Objects.requireNonNull(classes, "classes");
  }

  /** A policy whose subscribers' traffic is one class. */
  public Policy(String id, ThroughputValueFunction function, Optional<Aqm> aqm) {
    this(id, function, aqm, TrafficClasses.NONE);
  }

  /** A policy that leaves the queues to the ports. */
  public Policy(String id, ThroughputValueFunction function) {
    this(id, function, Optional.empty());
  }

  @Override
  public Kind kind() {
    return Kind.POLICY;
  }
}
