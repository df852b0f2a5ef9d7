package net.sluice.intents.limit.delay;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import net.sluice.intents.marker.Marker;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.policy.FlowOrder;
import net.sluice.intents.plan.Expected;
import net.sluice.intents.plan.OwnerIds;
import net.sluice.intents.plan.PlanBuilder;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.limit.PolicyDelayEntry;
import net.sluice.intents.profile.ShapeProfile;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SlaState;

/**
 * The settings of policies for the delay under limits that the switch shapes: an entry a policy, so
 * that a subscriber has none of its own unless its limit says otherwise.
 */
public final class PolicyDelays implements Marker {
  private final ShapeProfile profile;

  /** The policies of one switch. */
  public PolicyDelays(ShapeProfile profile) {
    this.profile = profile;
  }

  @Override
  public void replace(PolicyState before, PolicyState after, PlanBuilder plan) {
    plan.diff(
        before == null ? List.of() : entries(before),
        after == null ? List.of() : entries(after),
        OwnerIds.policy(after == null ? before.slot() : after.slot()));
  }

  @Override
  public Stream<Expected<SwitchEntry>> expected(PolicyState policy) {
    int owner = OwnerIds.policy(policy.slot());
    return entries(policy).stream().map(entry -> new Expected<>(entry, owner));
  }

  @Override
  public Optional<Expected<SwitchEntry>> expected(SlaState state, SwitchEntry actual) {
    return actual instanceof PolicyDelayEntry entry
        ? state.policyInSlot(entry.policySlot()).stream().flatMap(this::expected).findFirst()
        : Optional.empty();
  }

  private List<SwitchEntry> entries(PolicyState in) {
    if (!profile.keepsDelayLow()) {
      return List.of();
    }
    Policy policy = in.policy();
    return List.of(
        new PolicyDelayEntry(
            in.slot(),
            WaitSettings.ofPolicy(policy.limitDelay()),
            policy.flowOrder() == FlowOrder.LIGHT_FIRST));
  }
}
