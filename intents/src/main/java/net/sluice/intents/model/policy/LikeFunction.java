package net.sluice.intents.model.policy;

import java.util.List;
import net.sluice.intents.value.Ids;

/**
 * The throughput-value function of another policy, whatever that is at the time. A state knows it,
 * see {@link net.sluice.intents.state.PolicyState}; without one nothing can be asked of it.
 *
 * @param policyId a policy with a function of its own
 */
public record LikeFunction(String policyId) implements ThroughputValueFunction {
  public LikeFunction {
    Ids.require("throughputValue.like", policyId);
  }

  @Override
  public double valueAt(double rateBps) {
    throw unknown();
  }

  @Override
  public double rateAtBps(double value) {
    throw unknown();
  }

  @Override
  public List<PointsFunction.Point> drawn() {
    throw unknown();
  }

  private IllegalStateException unknown() {
    return new IllegalStateException("the function of policy " + policyId + " is not known here");
  }
}
