package net.sluice.intents.limit.delay;

import java.util.List;
import java.util.Optional;
import net.sluice.intents.marker.Marker;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.policy.FlowOrder;
import net.sluice.intents.plan.Expected;
import net.sluice.intents.plan.QueueId;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.limit.PolicyFlowsEntry;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SlaState;

/**
 * The order of flows of the policies that have light ones go first. Where a policy has no classes
 * of its own, all that is not light is of class 0 at the FPGA, and the highest is the light flows'.
 */
public final class PolicyFlows implements Marker {
  @Override
  public List<SwitchEntry> entriesOf(PolicyState in) {
    Policy policy = in.policy();
    int lightClass = policy.classes().any() ? 0 : QueueId.CLASSES - 1;
    return policy.flowOrder() == FlowOrder.LIGHT_FIRST
        ? List.of(new PolicyFlowsEntry(in.slot(), lightClass))
        : List.of();
  }

  @Override
  public Optional<Expected<SwitchEntry>> expected(SlaState state, SwitchEntry actual) {
    return actual instanceof PolicyFlowsEntry entry
        ? state.policyInSlot(entry.policySlot()).stream().flatMap(this::expected).findFirst()
        : Optional.empty();
  }
}
