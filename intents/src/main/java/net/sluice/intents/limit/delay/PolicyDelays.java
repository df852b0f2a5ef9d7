package net.sluice.intents.limit.delay;

import java.util.List;
import java.util.Optional;
import net.sluice.intents.marker.Marker;
import net.sluice.intents.plan.Expected;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.limit.PolicyDelayEntry;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SlaState;

/**
 * The settings of policies for the delay under limits that the switch shapes: an entry a policy, so
 * that a subscriber has none of its own unless its limit says otherwise. It is a marker, because
 * the entries of policies are planned and read back there.
 */
public final class PolicyDelays implements Marker {
  @Override
  public List<SwitchEntry> entriesOf(PolicyState in) {
    return List.of(
        new PolicyDelayEntry(in.slot(), WaitSettings.ofPolicy(in.policy().limitDelay())));
  }

  @Override
  public Optional<Expected<SwitchEntry>> expected(SlaState state, SwitchEntry actual) {
    return actual instanceof PolicyDelayEntry entry
        ? state.policyInSlot(entry.policySlot()).stream().flatMap(this::expected).findFirst()
        : Optional.empty();
  }
}
