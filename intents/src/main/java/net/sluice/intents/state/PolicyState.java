package net.sluice.intents.state;

import net.sluice.intents.model.Policy;
import net.sluice.intents.model.policy.ThroughputValueFunction;

/**
 * A policy and its slot in the switch, 1..63.
 *
 * @param function its function, or the one that it is like
 */
public record PolicyState(Policy policy, int slot, ThroughputValueFunction function) {
  /** A policy with its own function. */
  public PolicyState(Policy policy, int slot) {
    this(policy, slot, policy.function());
  }

  /** The same with the function of another one. */
  public PolicyState like(PolicyState other) {
    return new PolicyState(policy, slot, other.policy.function());
  }
}
