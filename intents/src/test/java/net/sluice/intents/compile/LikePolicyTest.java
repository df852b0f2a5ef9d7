package net.sluice.intents.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import java.util.List;
import java.util.OptionalLong;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.model.policy.LikeFunction;
import net.sluice.intents.model.policy.ThroughputValueFunction;
import net.sluice.intents.model.policy.WeightFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.plan.Write;
import net.sluice.intents.plan.entry.marker.PolicyValueEntry;
import net.sluice.intents.state.InMemorySlaState;
import org.junit.jupiter.api.Test;

/** Policies whose value is that of another one. */
class LikePolicyTest {
  private final Compiler compiler =
      new Compiler(Network.topology(), Network.SWITCH, Network.SMALL_FPGA);
  private final InMemorySlaState state = Network.withPolicies(compiler);

  private static Change policy(String id, ThroughputValueFunction function) {
    return new Change.Put(new Policy(id, function));
  }

  private List<PolicyValueEntry> values(Plan plan, int slot) {
    return plan.writes(TargetKey.SWITCH).stream()
        .map(Write::entity)
        .filter(PolicyValueEntry.class::isInstance)
        .map(PolicyValueEntry.class::cast)
        .filter(entry -> entry.policySlot() == slot)
        .toList();
  }

  @Test
  void itHasTheOthersValuesAndFollowsThem() {
    Plan plan = Network.apply(compiler, state, policy("patient", new LikeFunction("gold")));
    List<PolicyValueEntry> values = values(plan, 3);
    assertThat(values).hasSize(1024);
    assertThat(values)
        .allMatch(
            entry -> {
              PolicyValueEntry ofGold = new PolicyValueEntry(1, entry.bin(), entry.packetValue());
              return compiler.expected(state, ofGold).orElseThrow().entity().equals(ofGold);
            });

    Plan changed =
        Network.apply(compiler, state, policy("gold", new WeightFunction(OptionalLong.empty(), 3)));
    assertThat(values(changed, 1)).isNotEmpty();
    assertThat(values(changed, 3))
        .extracting(PolicyValueEntry::bin, PolicyValueEntry::packetValue)
        .containsExactlyElementsOf(
            values(changed, 1).stream()
                .map(each -> tuple(each.bin(), each.packetValue()))
                .toList());
    assertThat(values(changed, 2)).isEmpty();
  }

  @Test
  void noChainOfThemIsDeclared() {
    Network.apply(compiler, state, policy("patient", new LikeFunction("gold")));
    assertRefused(policy("other", new LikeFunction("none")), "There is no policy none.");
    String own = "throughputValue.like is %s; allowed: another policy, with a function of its own.";
    assertRefused(policy("other", new LikeFunction("patient")), own.formatted("patient"));
    assertRefused(policy("silver", new LikeFunction("silver")), own.formatted("silver"));
    assertRefused(policy("gold", new LikeFunction("silver")), "Policies are like gold: patient.");
    assertRefused(new Change.Delete(Kind.POLICY, "gold"), "Policies are like gold: patient.");
    Network.apply(compiler, state, policy("patient", BuiltInFunction.SILVER));
    Network.apply(compiler, state, new Change.Delete(Kind.POLICY, "gold"));
  }

  private void assertRefused(Change change, String detail) {
    assertThatThrownBy(() -> compiler.compile(state, change)).hasMessageContaining(detail);
  }
}
