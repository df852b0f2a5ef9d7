package net.sluice.intents.model;

import java.util.Objects;

/**
 * An SLA class: how much each of its subscribers' traffic is worth.
 *
 * @param id identifier, see {@link Ids}
 * @param function packet value at each rate
 */
public record Policy(String id, ThroughputValueFunction function) implements Declaration {
  public Policy {
    Ids.require("id", id);
    Objects.requireNonNull(function, "function");
  }

  @Override
  public Kind kind() {
    return Kind.POLICY;
  }
}
