package net.sluice.core.reconcile;

import static net.sluice.core.testing.TestNetwork.policy;
import static net.sluice.core.testing.TestNetwork.put;
import static net.sluice.core.testing.TestNetwork.tagged;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.sluice.core.TargetDrift;
import net.sluice.core.TargetDrift.Sample;
import net.sluice.core.TargetDrift.TableDrift;
import net.sluice.core.testing.ControllerRig;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.FpgaLevel;
import net.sluice.intents.plan.FpgaSetting.BucketSize;
import net.sluice.intents.plan.FpgaSetting.RateWord;
import net.sluice.intents.plan.entry.forwarding.EncapsulationEntry;
import net.sluice.intents.plan.entry.forwarding.RouteEntry;
import net.sluice.intents.plan.entry.marker.PolicyValueEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.intents.plan.entry.subscriber.SubscriberPrefixEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberVlanEntry;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a comparison found is told, by table, before and after it is repaired. */
class DriftTest {
  private static final SubscriberData OTHER = new SubscriberData(77, 3, 1, 0, false, false);

  private ControllerRig rig;

  @BeforeEach
  void open() {
    rig = ControllerRig.settled();
    rig.accept(policy("gold", BuiltInFunction.GOLD));
    rig.accept(put("alice", "10.0.0.1/32", "10.0.1.0/24"));
    rig.accept(new Change.Put(tagged("bob", VlanTags.pair(7, 8), "10.0.0.2/32")));
    rig.time.settle();
  }

  private TargetDrift drift(String target) throws Refusal {
    rig.controller.reconcile(target);
    rig.time.settle();
    return rig.controller.drift(target);
  }

  private static List<String> counts(TargetDrift drift) {
    List<String> counts = new ArrayList<>();
    for (TableDrift table : drift.compared().tables()) {
      counts.add(
          table.table() + " " + table.foreign() + " " + table.missing() + " " + table.changed());
    }
    return counts;
  }

  private static List<String> samples(TargetDrift drift) {
    List<String> samples = new ArrayList<>();
    for (TableDrift table : drift.compared().tables()) {
      for (Sample sample : table.samples()) {
        samples.add(
            sample.difference()
                + ": "
                + sample.held().orElse("-")
                + " / "
                + sample.declared().orElse("-"));
      }
    }
    return samples;
  }

  @Test
  void withoutADifferenceThereIsTheTimeOnly() throws Refusal {
    TargetDrift drift = drift("switch");
    assertThat(drift.compared().at()).contains(rig.time.instant());
    assertThat(drift.compared().read()).isEqualTo(rig.switchTarget.content().size() + 1);
    assertThat(drift.compared().revision()).isEqualTo(rig.store.history().revision().number());
    assertThat(drift.compared().revisionKept()).hasValue(drift.compared().revision());
    assertThat(drift.compared().tables()).isEmpty();
    assertThat(drift.repairs()).isZero();
  }

  @Test
  void whatFillsAnEmptySwitchIsNoDriftAndWhatIsRepairedIsOver() throws Refusal {
    TargetDrift filled = rig.controller.drift("switch");
    assertThat(filled.compared().tables()).isNotEmpty();
    assertThat(filled.isOver()).isTrue();
    assertThat(filled.foundSoFar().values()).allMatch(found -> found == 0);

    rig.switchTarget.place(new SubscriberPrefixEntry(IpPrefix.parse("10.9.0.0/24"), OTHER));
    rig.switchTarget.holdAnswers();
    rig.controller.reconcile("switch");
    rig.time.settle();
    assertThat(rig.controller.drift("switch").isOver()).isFalse();
    rig.switchTarget.answerAll();
    rig.time.pass(Duration.ofSeconds(1));
    TargetDrift mended = rig.controller.drift("switch");
    assertThat(mended.isOver()).isTrue();
    assertThat(mended.foundSoFar()).containsEntry(TargetDrift.Difference.FOREIGN, 1L);
    assertThat(drift("switch").foundSoFar()).isEqualTo(mended.foundSoFar());
  }

  @Test
  void everyDifferenceIsCountedAndSomeAreShown() throws Refusal {
    rig.switchTarget.place(new SubscriberPrefixEntry(IpPrefix.parse("10.0.0.1/32"), OTHER));
    rig.switchTarget.place(new SubscriberPrefixEntry(IpPrefix.parse("10.9.0.0/24"), OTHER));
    rig.switchTarget.content().remove(new PolicyValueEntry(1, 500, 0).key());
    rig.switchTarget.content().remove(new EncapsulationEntry(2, VlanTags.single(1)).key());
    rig.switchTarget.content().values().removeIf(RouteEntry.class::isInstance);
    TargetDrift drift = drift("switch");

    assertThat(counts(drift))
        .containsExactlyInAnyOrder(
            "ipv4-prefix 1 0 1",
            "policy-value 0 1 0",
            "encapsulation 0 1 0",
            "ipv4-route 0 1 0",
            "ipv6-route 0 1 0");
    assertThat(samples(drift))
        .contains(
            "FOREIGN: prefix 10.9.0.0/24, index 77, policySlot 3, egressPort 1, queueId 0,"
                + " shapeDown false, shapeUp false, hasLine false / -",
            "CHANGED: prefix 10.0.0.1/32, index 77, policySlot 3, egressPort 1, queueId 0,"
                + " shapeDown false, shapeUp false, hasLine false / prefix 10.0.0.1/32, index 1, policySlot 1,"
                + " egressPort 1, queueId 0, shapeDown false, shapeUp false, hasLine false",
            "MISSING: - / prefix 0.0.0.0/0, port 5")
        .anyMatch(
            sample ->
                sample.startsWith("MISSING: - / index 2, ")
                    && sample.endsWith("(or another of its subscriber)"));
    // All of bob's three entries are written again: which one was missing is not kept.
    assertThat(drift.repairs()).isEqualTo(2 + 1 + 3 + 2);
    assertThat(drift.repaired()).isEqualTo(drift.repairs());
    assertThat(drift.failed()).isZero();
    assertThat(counts(drift("switch"))).isEmpty();
  }

  @Test
  void serviceVlansAreComparedAndRepaired() throws Refusal {
    rig.accept(new Change.Put(tagged("carol", VlanTags.single(300), "10.0.0.3/32")));
    rig.accept(new Change.Put(tagged("dave", VlanTags.single(301), "10.0.0.4/32")));
    rig.time.settle();
    rig.switchTarget.place(new SubscriberVlanEntry(1, VlanTags.single(300), OTHER));
    rig.switchTarget
        .content()
        .remove(new SubscriberVlanEntry(1, VlanTags.single(301), OTHER).key());
    rig.switchTarget.place(new SubscriberVlanEntry(1, VlanTags.single(302), OTHER));
    assertThat(counts(drift("switch"))).containsExactly("service-vlan 1 1 1");
    assertThat(counts(drift("switch"))).isEmpty();
  }

  @Test
  void whatIsMissingAltogetherIsCountedByTable() throws Refusal {
    rig.switchTarget.content().clear();
    assertThat(counts(drift("switch")))
        .contains(
            "ipv4-prefix 0 3 0", "vlan 0 1 0", "encapsulation 0 1 0", "policy-value 0 1024 0");
  }

  @Test
  void samplesAreAFew() throws Refusal {
    for (int i = 0; i < 50; i++) {
      rig.switchTarget.place(
          new SubscriberPrefixEntry(IpPrefix.parse("10.9." + i + ".0/24"), OTHER));
    }
    TargetDrift drift = drift("switch");
    assertThat(counts(drift)).containsExactly("ipv4-prefix 50 0 0");
    assertThat(samples(drift)).hasSize(5);
  }

  @Test
  void whatTheTargetDoesNotLetBeRepairedIsCounted() throws Refusal {
    rig.switchTarget.place(new SubscriberPrefixEntry(IpPrefix.parse("10.9.0.0/24"), OTHER));
    rig.switchTarget.placeMalformed("an action of another program");
    rig.switchTarget.refuse((op, entry) -> "read only");
    TargetDrift drift = drift("switch");
    assertThat(drift.compared().malformed()).isEqualTo(1);
    assertThat(drift.repairs()).isEqualTo(2);
    assertThat(drift.repaired()).as("the malformed one").isEqualTo(1);
    assertThat(drift.failed()).isEqualTo(1);
  }

  @Test
  void anFpgasSettingsAreTablesOfTheirOwn() throws Refusal {
    rig.down.place(new RateWord(Direction.DOWN, FpgaLevel.TREE, 3, 7));
    rig.down.place(new BucketSize(Direction.DOWN, FpgaLevel.PORT, 9_000));
    TargetDrift drift = drift("fpga-down");
    assertThat(counts(drift)).containsExactlyInAnyOrder("tree-rate 1 0 0", "bucket-size 0 0 1");
    assertThat(samples(drift))
        .contains(
            "FOREIGN: direction DOWN, level TREE, index 3, word 7 / -",
            "CHANGED: direction DOWN, level PORT, bytes 9000 / direction DOWN, level PORT, bytes"
                + " 32767");
    assertThat(drift.repaired()).isEqualTo(2);
  }

  @Test
  void beforeTheFirstComparisonThereIsNone() throws Refusal {
    ControllerRig unconnected = ControllerRig.create(TestNetwork.smallConfig());
    Optional<Instant> compared = unconnected.controller.drift("switch").compared().at();
    assertThat(compared).isEmpty();
  }
}
