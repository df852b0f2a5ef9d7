package net.sluice.intents.profile;

import net.sluice.intents.value.InvalidValueException;

/**
 * The contracts of aggregates that a switch can keep.
 *
 * @param contracts subscribers that can have one, for both directions; 0 if the switch marks no
 *     aggregates
 * @param weights weights of flows, of all contracts together
 */
public record AggregateProfile(int contracts, int weights) {
  /** Of a switch whose program marks no aggregates. */
  public static final AggregateProfile NONE = new AggregateProfile(0, 0);

  public AggregateProfile {
    if (contracts < 0) {
      throw new InvalidValueException("contracts", contracts, "0 or more");
    }
    if (weights < 0) {
      throw new InvalidValueException("flowWeights", weights, "0 or more");
    }
  }

  /** True if it marks aggregates. */
  public boolean any() {
    return contracts > 0;
  }
}
