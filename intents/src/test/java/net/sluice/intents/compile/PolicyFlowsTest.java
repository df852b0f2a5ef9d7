package net.sluice.intents.compile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.model.policy.FlowOrder;
import net.sluice.intents.model.policy.LimitDelay;
import net.sluice.intents.model.policy.TrafficClass;
import net.sluice.intents.model.policy.TrafficClasses;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.plan.entry.limit.PolicyFlowsEntry;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.ShapeProfile;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.state.InMemorySlaState;
import org.junit.jupiter.api.Test;

/** The entries by which light flows go first, of policies that have it so. */
class PolicyFlowsTest {
  private static final SwitchProfile SWITCH =
      Network.SWITCH.withShaping(new ShapeProfile(100, 15_000_000)).withTrafficClasses(10);
  private static final FpgaProfile FPGA = Network.SMALL_FPGA.withClassShares(true);
  private static final TrafficClasses VOICE =
      new TrafficClasses(
          List.of(
              new TrafficClass("voice", List.of(46), OptionalInt.of(1), OptionalInt.empty()),
              new TrafficClass("rest", List.of(), OptionalInt.empty(), OptionalInt.of(1))));

  private final InMemorySlaState state = new InMemorySlaState();

  private static Change policy(FlowOrder flows, TrafficClasses classes) {
    return new Change.Put(
        new Policy(
            "gold",
            BuiltInFunction.GOLD,
            Optional.empty(),
            classes,
            Optional.empty(),
            LimitDelay.UNSAID,
            Optional.ofNullable(flows),
            OptionalInt.empty()));
  }

  private List<String> entries(Compiler compiler, Change change) {
    Plan plan = Network.apply(compiler, state, change);
    return plan.writes(TargetKey.SWITCH).stream()
        .filter(write -> write.entity() instanceof PolicyFlowsEntry)
        .map(write -> write.op() + " " + write.entity())
        .toList();
  }

  @Test
  void aPolicyHasLightFlowsGoFirstUnlessItSaysOtherwise() {
    Compiler compiler = new Compiler(Network.topology(), SWITCH, FPGA);
    assertThat(entries(compiler, policy(null, TrafficClasses.NONE)))
        .containsExactly("INSERT PolicyFlowsEntry[policySlot=1, lightClass=7]");
    assertThat(entries(compiler, policy(FlowOrder.LIGHT_FIRST, TrafficClasses.NONE))).isEmpty();
    assertThat(entries(compiler, policy(FlowOrder.LIGHT_FIRST, VOICE)))
        .as("the classes say what goes first at the FPGA")
        .containsExactly("MODIFY PolicyFlowsEntry[policySlot=1, lightClass=0]");
    assertThat(entries(compiler, policy(FlowOrder.AS_THEY_COME, VOICE)))
        .containsExactly("DELETE PolicyFlowsEntry[policySlot=1, lightClass=0]");
    assertThat(entries(compiler, policy(null, VOICE))).hasSize(1);
    assertThat(entries(compiler, new Change.Delete(Kind.POLICY, "gold"))).hasSize(1);
  }

  @Test
  void aProgramThatDoesNotTellFlowsApartHasNone() {
    Compiler compiler = new Compiler(Network.topology(), Network.SWITCH, FPGA);
    assertThat(entries(compiler, policy(null, TrafficClasses.NONE))).isEmpty();
  }
}
