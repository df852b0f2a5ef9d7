package net.sluice.core.reconcile;

import static net.sluice.core.testing.TestNetwork.limit;
import static net.sluice.core.testing.TestNetwork.policy;
import static net.sluice.core.testing.TestNetwork.put;
import static net.sluice.core.testing.TestNetwork.tagged;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.sluice.core.ControllerEvent.Reconciled;
import net.sluice.core.ReconcileReport;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.testing.ControllerRig;
import net.sluice.core.testing.MemoryTarget.Written;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.FpgaLevel;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.FpgaSetting.BucketSize;
import net.sluice.intents.plan.FpgaSetting.RateWord;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.plan.entry.forwarding.EncapsulationEntry;
import net.sluice.intents.plan.entry.forwarding.RouteEntry;
import net.sluice.intents.plan.entry.marker.PolicyValueEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.intents.plan.entry.subscriber.SubscriberPrefixEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberVlanEntry;
import net.sluice.intents.value.Direction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReconcileTest {
  private ControllerRig rig;

  @BeforeEach
  void open() {
    rig = ControllerRig.settled();
    rig.accept(policy("gold", BuiltInFunction.GOLD));
    rig.accept(put("alice", "10.0.0.1/32", "2001:db8::/56"));
    rig.accept(new Change.Put(tagged("bob", VlanTags.pair(7, 8), "10.0.0.2/32")));
    rig.accept(new Change.Put(tagged("carol", VlanTags.single(9))));
    rig.accept(limit("bob-cap", "bob"));
    rig.accept(limit("tree", new Scope.OfTree(1, 5), 900_000_000, 0));
    rig.time.settle();
  }

  private Map<Object, SwitchEntry> expected() {
    return rig.expectedSwitch(TestNetwork.load(rig.store));
  }

  /** All that is read, with how far the store had got. */
  private int held() {
    return rig.switchTarget.content().size() + rig.switchTarget.revision().size();
  }

  private ReconcileReport reconcile() {
    rig.events.clear();
    rig.controller.reconcile();
    rig.time.settle();
    return rig.events.stream()
        .filter(e -> e instanceof Reconciled r && r.target().equals("switch"))
        .map(e -> ((Reconciled) e).report())
        .findFirst()
        .orElseThrow();
  }

  private static final SubscriberData OTHER = new SubscriberData(77, 3, 1, 0, false, false);

  @Test
  void aTargetThatIsRightIsReadAndNotWritten() {
    int writes = rig.switchTarget.writes().size();
    ReconcileReport report = reconcile();
    assertThat(report).isEqualTo(new ReconcileReport("switch", held(), 0, 0, 0, report.elapsed()));
    assertThat(rig.switchTarget.writes()).hasSize(writes);
  }

  @Test
  void aTargetIsAuditedUnasked() {
    Duration interval = TestNetwork.smallConfig().build().comparing().auditInterval().orElseThrow();
    rig.events.clear();
    rig.switchTarget.place(new RouteEntry(IpPrefix.parse("0.0.0.0/0"), 2));
    rig.down.place(new BucketSize(Direction.DOWN, FpgaLevel.CUSTOMER, 7_777));
    Map<Object, FpgaSetting> right = new HashMap<>(rig.up.content());

    rig.time.pass(interval.minusSeconds(2));
    assertThat(rig.events).isEmpty();
    rig.time.pass(Duration.ofSeconds(2));

    assertThat(rig.switchTarget.content()).isEqualTo(expected());
    assertThat(rig.down.content().values())
        .containsExactlyInAnyOrderElementsOf(
            rig.expectedFpga(TestNetwork.load(rig.store), Direction.DOWN));
    assertThat(rig.up.content()).isEqualTo(right);
    assertThat(reports()).containsExactlyInAnyOrder("fpga-down 1", "fpga-up 0", "switch 1");
    rig.time.pass(interval.multipliedBy(2).plusSeconds(1));
    assertThat(reports()).hasSize(9);
  }

  @Test
  void aReconciliationThatWasAskedForPutsTheAuditOff() {
    Duration interval = TestNetwork.smallConfig().build().comparing().auditInterval().orElseThrow();
    rig.time.pass(interval.minusSeconds(2));
    reconcile();
    rig.events.clear();
    rig.time.pass(interval.minusSeconds(1));
    assertThat(rig.events).isEmpty();
    rig.time.pass(Duration.ofSeconds(1));
    assertThat(reports()).hasSize(3);
  }

  @Test
  void withoutAnIntervalNothingIsAudited() {
    ControllerRig unaudited =
        ControllerRig.create(TestNetwork.smallConfig().auditInterval(Optional.empty()));
    unaudited.time.pass(Duration.ofSeconds(1));
    unaudited.events.clear();
    unaudited.time.pass(Duration.ofDays(1));
    assertThat(unaudited.events).isEmpty();
  }

  private List<String> reports() {
    return rig.events.stream()
        .filter(Reconciled.class::isInstance)
        .map(e -> ((Reconciled) e).report())
        .map(r -> r.target() + " " + (r.wrong() + r.unknown() + r.rewritten()))
        .toList();
  }

  @Test
  void wrongEntriesAreModified() {
    SwitchEntry alice =
        rig.switchTarget.content().values().stream()
            .filter(
                e ->
                    e instanceof SubscriberPrefixEntry p
                        && p.prefix().equals(IpPrefix.parse("10.0.0.1/32")))
            .findFirst()
            .orElseThrow();
    int before = rig.switchTarget.writes().size();
    rig.switchTarget.place(new SubscriberPrefixEntry(IpPrefix.parse("10.0.0.1/32"), OTHER));
    rig.switchTarget.place(new SubscriberVlanEntry(1, VlanTags.pair(7, 8), OTHER));
    rig.switchTarget.place(new EncapsulationEntry(2, VlanTags.single(5)));
    rig.switchTarget.place(new PolicyValueEntry(1, 500, 1));
    rig.switchTarget.place(new RouteEntry(IpPrefix.parse("0.0.0.0/0"), 2));

    assertThat(reconcile().wrong()).isEqualTo(5);

    assertThat(rig.switchTarget.content()).isEqualTo(expected());
    List<Written<SwitchEntry>> written = rig.switchTarget.writes();
    assertThat(written.subList(before, written.size()))
        .hasSize(5)
        .allMatch(w -> w.op() == Op.MODIFY)
        .extracting(Written::entity)
        .contains(alice);
  }

  @Test
  void unknownEntriesAreDeleted() {
    // Longer and shorter than a subscriber's, of nobody, of a free index, slot and bin.
    rig.switchTarget.place(new SubscriberPrefixEntry(IpPrefix.parse("10.0.0.0/24"), OTHER));
    rig.switchTarget.place(new SubscriberPrefixEntry(IpPrefix.parse("2001:db8::/57"), OTHER));
    rig.switchTarget.place(new SubscriberPrefixEntry(IpPrefix.parse("10.9.0.0/24"), OTHER));
    rig.switchTarget.place(new SubscriberVlanEntry(2, VlanTags.pair(7, 8), OTHER));
    rig.switchTarget.place(new EncapsulationEntry(1, VlanTags.single(5)));
    rig.switchTarget.place(new EncapsulationEntry(99, VlanTags.single(5)));
    rig.switchTarget.place(new PolicyValueEntry(9, 500, 1));
    rig.switchTarget.place(new RouteEntry(IpPrefix.parse("172.16.0.0/12"), 2));

    ReconcileReport report = reconcile();

    assertThat(report.unknown()).isEqualTo(8);
    // Those of indices 77 and 99, which nobody has.
    assertThat(rig.switchTarget.writes()).filteredOn(Written::retires).hasSize(5);
    assertThat(report.rewritten()).isZero();
    assertThat(rig.switchTarget.content()).isEqualTo(expected());
  }

  @Test
  void missingEntriesAreInserted() {
    rig.switchTarget
        .content()
        .values()
        .removeIf(
            e ->
                e instanceof EncapsulationEntry
                    || e instanceof RouteEntry
                    || (e instanceof PolicyValueEntry v && v.bin() > 1000)
                    || (e instanceof SubscriberPrefixEntry p
                        && p.prefix().equals(IpPrefix.parse("10.0.0.1/32"))));
    reconcile();
    assertThat(rig.switchTarget.content()).isEqualTo(expected());
  }

  @Test
  void tablesTooLargeToListAreReadByTheirKeys() {
    for (int i = 0; i < 500; i++) {
      rig.accept(put("many-" + i, IpPrefix.v4(0x0b000000 + i, 32).toString()));
    }
    rig.accept(put("no-v4", "2001:db8:1::/56"));
    rig.time.settle();
    rig.switchTarget.listAtMost(100);
    int right = held();
    ReconcileReport untouched = reconcile();
    assertThat(untouched.read()).as("every entry once").isEqualTo(right);
    assertThat(untouched.wrong() + untouched.unknown() + untouched.rewritten()).isZero();
    assertThat(rig.switchTarget.keysAsked())
        .as("the large tables: 502 IPv4 prefixes, the policies, bins and random rates")
        .isEqualTo(502 + 1024 + 1024 + 676);

    SwitchEntry.Key wrong = new SubscriberPrefixEntry(IpPrefix.parse("11.0.0.7/32"), OTHER).key();
    rig.switchTarget.place(new SubscriberPrefixEntry(IpPrefix.parse("11.0.0.7/32"), OTHER));
    rig.switchTarget.content().remove(new PolicyValueEntry(1, 17, 0).key());
    rig.switchTarget
        .content()
        .remove(new SubscriberPrefixEntry(IpPrefix.parse("11.0.0.9/32"), OTHER).key());
    ReconcileReport report = reconcile();
    assertThat(report.wrong()).isEqualTo(1);
    assertThat(report.rewritten()).isEqualTo(2);
    assertThat(rig.switchTarget.content()).isEqualTo(expected()).containsKey(wrong);
  }

  @Test
  void whatHasNoFormOfOursIsRemovedFirst() {
    rig.switchTarget.placeMalformed("an action of another program");
    reconcile();
    assertThat(rig.switchTarget.malformed()).isZero();
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
  }

  @Test
  void anEmptiedSwitchIsFilledFromTheStore() {
    for (int i = 0; i < 5000; i++) {
      rig.accept(put("many-" + i, IpPrefix.v4(0x0b000000 + i, 32).toString()));
    }
    rig.time.settle();
    rig.switchTarget.content().clear();
    reconcile();
    assertThat(rig.switchTarget.content()).isEqualTo(expected());
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
  }

  @Test
  void settingsOfTheFpgaAreCorrected() {
    rig.down.place(new RateWord(Direction.DOWN, FpgaLevel.CUSTOMER, 12_345, 7));
    rig.down.place(new RateWord(Direction.DOWN, FpgaLevel.TREE, 69, 7));
    rig.down.place(new BucketSize(Direction.DOWN, FpgaLevel.PORT, 9_000));
    rig.up.content().clear();
    reconcile();
    CompactSlaState state = TestNetwork.load(rig.store);
    assertThat(rig.down.content().values())
        .containsExactlyInAnyOrderElementsOf(rig.expectedFpga(state, Direction.DOWN));
    assertThat(rig.up.content().values())
        .containsExactlyInAnyOrderElementsOf(rig.expectedFpga(state, Direction.UP));
  }

  @Test
  void aRestartFindsItsAllocationsAndWritesOnlyWhatIsWrong() {
    rig.switchTarget.place(new SubscriberPrefixEntry(IpPrefix.parse("10.9.0.0/24"), OTHER));
    int index = rig.store.subscriber("bob").orElseThrow().index();
    int queue = rig.store.subscriber("bob").orElseThrow().allotment();
    int writes = rig.switchTarget.writes().size();

    ControllerRig again = rig.restart();
    assertThat(again.controller.summary().target("switch").orElseThrow().pending()).isEqualTo(6);
    again.time.pass(Duration.ofSeconds(1));

    assertThat(again.controller.summary().isAllInstalled()).isTrue();
    assertThat(rig.switchTarget.writes()).hasSize(writes + 1);
    assertThat(again.accept(limit("carol-cap", "carol")).plan().writes(TargetKey.SWITCH))
        .hasSize(1);
    assertThat(again.store.subscriber("bob").orElseThrow().index()).isEqualTo(index);
    assertThat(again.store.subscriber("bob").orElseThrow().allotment()).isEqualTo(queue);
    assertThat(again.store.subscriber("carol").orElseThrow().allotment()).isNotEqualTo(queue);
    again.time.settle();
    assertThat(rig.switchTarget.content()).isEqualTo(expected());
  }

  @Test
  void aChangeWhileReadingIsNotUndone() {
    // Reading takes several steps; the change comes between them.
    rig.controller.reconcile();
    for (int i = 0; i < 40; i++) {
      rig.accept(put("dave-" + i, "10.3.0." + i + "/32"));
      rig.accept(put("alice", "10.4.0." + i + "/32"));
      rig.time.pass(Duration.ZERO);
    }
    rig.time.settle();
    assertThat(rig.switchTarget.content()).isEqualTo(expected());
  }

  private static List<Change> numbered(int from, int to) {
    return IntStream.range(from, to).mapToObj(TestNetwork::numbered).toList();
  }

  /** Whatever the reading leads to is written by it, and by nothing else. */
  @Test
  void aBulkThatMeetsAReadingIsWrittenOnce() {
    rig.switchTarget.holdAnswers();
    rig.controller.applyAll(numbered(1_000, 1_200));
    rig.time.settle();
    rig.controller.reconcile();
    rig.time.settle();
    // While answers are waited for, in order to read.
    rig.controller.applyAll(numbered(1_200, 1_400));
    rig.switchTarget.answerAll();
    // While it is read.
    for (int i = 1_400; i < 1_600; i += 10) {
      rig.controller.applyAll(numbered(i, i + 10));
      boolean unused = rig.time.step();
    }
    rig.accept(policy("silver", BuiltInFunction.SILVER));
    rig.time.settle();
    assertThat(rig.switchTarget.content()).isEqualTo(expected());
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
    Map<Object, Long> inserted =
        rig.switchTarget.writes().stream()
            .filter(write -> write.op() == Op.INSERT)
            .collect(Collectors.groupingBy(write -> write.entity().key(), Collectors.counting()));
    assertThat(inserted).hasSizeGreaterThan(599 * 3).allSatisfy((key, n) -> assertThat(n).isOne());
  }

  @Test
  void whatIsDeletedAndDeclaredAnewBeforeItIsReadStays() {
    for (int steps = 0; steps < 12; steps++) {
      rig.switchTarget.holdAnswers();
      rig.accept(put("dave-" + steps, "10.3.0." + steps + "/32"));
      rig.time.settle();
      rig.controller.reconcile();
      rig.time.settle();
      rig.accept(new Change.Delete(Kind.SUBSCRIBER, "alice"));
      rig.accept(put("alice", "10.0.0.1/32", "2001:db8::/56"));
      rig.switchTarget.answerAll();
      for (int i = 0; i < steps; i++) {
        boolean unused = rig.time.step();
      }
      rig.accept(new Change.Delete(Kind.SUBSCRIBER, "alice"));
      rig.accept(put("alice", "10.0.0.1/32", "2001:db8::/56"));
      rig.time.settle();
      assertThat(rig.switchTarget.content()).as("%d steps", steps).isEqualTo(expected());
      assertThat(rig.controller.summary().isAllInstalled()).isTrue();
    }
  }
}
