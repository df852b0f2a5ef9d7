package net.sluice.core.reconcile;

import static net.sluice.core.testing.TestNetwork.policy;
import static net.sluice.core.testing.TestNetwork.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import net.sluice.core.ControllerConfig;
import net.sluice.core.ControllerEvent;
import net.sluice.core.TargetDrift.TableDrift;
import net.sluice.core.TargetState;
import net.sluice.core.TargetStatus;
import net.sluice.core.testing.ControllerRig;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.limit.MeterSetting;
import net.sluice.intents.plan.entry.limit.SubscriberMeterEntry;
import net.sluice.intents.plan.entry.limit.TreeMeterEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberPrefixEntry;
import net.sluice.intents.profile.MeterProfile;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Meters are compared, corrected and adopted like all that the switch holds. */
class PolicedLimitTest {
  private static final Attachment TREE = new Attachment(0, 3);
  private static final Optional<MeterSetting> METER =
      Optional.of(new MeterSetting(10_000_000, 125_000));
  private static final Optional<MeterSetting> OWN = own(Policy.DEFAULT_RTT_MILLIS);

  private ControllerRig rig;

  @BeforeEach
  void open() {
    ControllerConfig.Builder config =
        ControllerConfig.builder(
            Path.of("unused"),
            TestNetwork.topology(),
            TestNetwork.switchProfile(1_000).withMeters(new MeterProfile(2_000)),
            TestNetwork.fpgaProfile());
    rig = ControllerRig.create(config);
    rig.time.pass(Duration.ofSeconds(1));
    rig.accept(policy("gold", BuiltInFunction.GOLD));
    rig.accept(put("alice", "10.0.0.1/32"));
    rig.accept(put("bob", "10.0.0.2/32"));
    rig.time.settle();
  }

  private void limit(String id, Scope scope, Enforcement by) {
    rig.accept(
        new Change.Put(
            new RateLimit(
                id,
                scope,
                OptionalLong.of(10_000_000),
                OptionalLong.empty(),
                OptionalInt.empty(),
                Optional.of(by))));
  }

  /**
   * Its meter is among the subscriber's entries, and still it has events and a count of its own.
   */
  @Test
  void aSubscribersLimitIsToldAndCountedAsInstalled() {
    long before = rig.controller.summary().target("switch").orElseThrow().installed();
    policeAliceAndTheTree();
    assertThat(rig.events)
        .contains(
            new ControllerEvent.StatusChanged(
                Kind.RATE_LIMIT, "alice", "switch", TargetState.INSTALLED, Optional.empty()),
            new ControllerEvent.StatusChanged(
                Kind.RATE_LIMIT, "tree", "switch", TargetState.INSTALLED, Optional.empty()));
    assertThat(rig.controller.summary().target("switch").orElseThrow().installed())
        .isEqualTo(before + 2);
    rig.accept(new Change.Delete(Kind.RATE_LIMIT, "alice"));
    rig.time.pass(Duration.ofSeconds(1));
    assertThat(rig.controller.summary().target("switch").orElseThrow().installed())
        .isEqualTo(before + 1);
    assertThat(rig.restart().controller.summary().target("switch").orElseThrow().pending())
        .isEqualTo(before + 1);
  }

  private void policeAliceAndTheTree() {
    limit("alice", new Scope.OfSubscriber("alice"), Enforcement.POLICE);
    limit("tree", new Scope.OfTree(0, 3), Enforcement.POLICE);
    rig.time.settle();
  }

  private static Optional<MeterSetting> own(int rttMillis) {
    return Optional.of(
        MeterProfile.meter(10_000_000, MeterProfile.flowBurstBytes(10_000_000, rttMillis)));
  }

  private static SwitchEntry alice(Optional<MeterSetting> meter) {
    return new SubscriberMeterEntry(1, Direction.DOWN, TREE, meter);
  }

  private static SwitchEntry tree(Optional<MeterSetting> meter) {
    return new TreeMeterEntry(TREE, Direction.DOWN, meter);
  }

  private List<String> drift() throws Refusal {
    rig.controller.reconcile("switch");
    rig.time.settle();
    List<String> counts = new ArrayList<>();
    for (TableDrift table : rig.controller.drift("switch").compared().tables()) {
      counts.add(
          table.table() + " " + table.foreign() + " " + table.missing() + " " + table.changed());
    }
    return counts;
  }

  @Test
  void whoeverIsUnderAPolicedLimitIsMeteredAndTheLimitIsInstalled() {
    policeAliceAndTheTree();
    assertThat(rig.switchTarget.content().values())
        .contains(
            alice(OWN),
            new SubscriberMeterEntry(2, Direction.DOWN, TREE, Optional.empty()),
            tree(METER));
    for (String id : List.of("alice", "tree")) {
      assertThat(rig.controller.find(Kind.RATE_LIMIT, id).orElseThrow().targets())
          .extracting(TargetStatus::target, TargetStatus::state)
          .containsExactly(tuple("switch", TargetState.INSTALLED));
    }
  }

  /** The policy is pending until all meters have their bursts, and these are what is compared. */
  @Test
  void anotherRoundTripTimeOfAPolicyIsInstalledWithItsSubscribersMeters() throws Refusal {
    policeAliceAndTheTree();
    Policy gold = new Policy("gold", BuiltInFunction.GOLD).withRttMillis(OptionalInt.of(100));
    rig.accept(new Change.Put(gold));
    assertThat(state(Kind.POLICY, "gold")).isEqualTo(TargetState.PENDING);
    assertThat(state(Kind.SUBSCRIBER, "alice")).isEqualTo(TargetState.PENDING);
    assertThat(state(Kind.SUBSCRIBER, "bob")).isEqualTo(TargetState.INSTALLED);
    rig.time.settle();
    assertThat(state(Kind.POLICY, "gold")).isEqualTo(TargetState.INSTALLED);
    assertThat(rig.switchTarget.content().values()).contains(alice(own(100)), tree(METER));
    assertThat(drift()).isEmpty();
  }

  private TargetState state(Kind kind, String id) {
    return rig.controller.find(kind, id).orElseThrow().targets().get(0).state();
  }

  @Test
  void metersThatSomebodyChangedAreFoundAndSetAgain() throws Refusal {
    policeAliceAndTheTree();
    rig.switchTarget.place(alice(Optional.of(new MeterSetting(80_000_000, 125_000))));
    rig.switchTarget.place(tree(Optional.empty()));
    rig.switchTarget.place(new SubscriberMeterEntry(1, Direction.UP, TREE, METER));
    rig.switchTarget
        .content()
        .remove(new SubscriberMeterEntry(2, Direction.DOWN, TREE, METER).key());
    assertThat(drift()).containsExactlyInAnyOrder("subscriber-meter 1 1 1", "tree-meter 0 0 1");
    assertThat(rig.switchTarget.content().values()).contains(alice(OWN), tree(METER));
    assertThat(drift()).isEmpty();
  }

  @Test
  void aDifferenceIsToldInWords() throws Refusal {
    policeAliceAndTheTree();
    rig.switchTarget.place(alice(Optional.of(new MeterSetting(80_000_000, 125_000))));
    rig.switchTarget.place(tree(Optional.empty()));
    assertThat(drift()).hasSize(2);
    assertThat(rig.controller.drift("switch").compared().tables())
        .flatExtracting(TableDrift::samples)
        .flatExtracting(sample -> sample.held().stream().toList())
        .containsExactlyInAnyOrder(
            "index 1, direction DOWN, port 0, tree 3, rateBps 80000000, burstBytes 125000",
            "port 0, tree 3, direction DOWN");
  }

  @Test
  void aSubscriberUnderAPolicedTreeTellsItsSwitchOnce() {
    policeAliceAndTheTree();
    for (String id : List.of("alice", "bob")) {
      assertThat(rig.controller.find(Kind.SUBSCRIBER, id).orElseThrow().targets())
          .extracting(TargetStatus::target, TargetStatus::state)
          .containsExactly(tuple("switch", TargetState.INSTALLED));
    }
  }

  @Test
  void aSwitchThatHasLostItsMetersGetsThemAgain() {
    policeAliceAndTheTree();
    rig.switchTarget.content().clear();
    rig.faultySwitch.drop("it has restarted");
    rig.time.pass(Duration.ofMinutes(1));
    assertThat(rig.switchTarget.content().values()).contains(alice(OWN), tree(METER));
  }

  @Test
  void anotherStartFindsMetersAsTheyAre() {
    policeAliceAndTheTree();
    int before = rig.switchTarget.writes().size();
    rig = rig.restart();
    rig.time.pass(Duration.ofMinutes(1));
    assertThat(rig.switchTarget.writes()).hasSize(before);
    assertThat(rig.controller.find(Kind.RATE_LIMIT, "tree").orElseThrow().targets())
        .extracting(TargetStatus::state)
        .containsOnly(TargetState.INSTALLED);
  }

  /** The FPGA lets go when the switch has answered all of its part, and not before. */
  @Test
  void theFpgaLimitsUntilTheMetersDo() {
    Scope scope = new Scope.OfSubscriber("alice");
    limit("alice", scope, Enforcement.FPGA);
    rig.time.settle();
    int before = rig.down.writes().size();
    rig.switchTarget.holdAnswers();
    limit("alice", scope, Enforcement.POLICE);
    rig.time.settle();
    assertThat(rig.switchTarget.content().values()).contains(alice(OWN));
    assertThat(rig.down.writes()).hasSize(before);
    rig.switchTarget.answerAll();
    rig.time.settle();
    assertThat(rig.down.writes().size()).isGreaterThan(before);
  }

  @Test
  void theMetersLimitUntilTheFpgaDoes() {
    Scope scope = new Scope.OfSubscriber("alice");
    limit("alice", scope, Enforcement.POLICE);
    rig.time.settle();
    int before = rig.switchTarget.writes().size();
    rig.down.holdAnswers();
    limit("alice", scope, Enforcement.FPGA);
    rig.time.settle();
    assertThat(rig.switchTarget.writes()).hasSize(before);
    rig.down.answerAll();
    rig.time.settle();
    List<SwitchEntry> written = new ArrayList<>();
    rig.switchTarget.writes().subList(before, rig.switchTarget.writes().size()).stream()
        .map(write -> write.entity())
        .forEach(written::add);
    assertThat(written).hasSize(2).last().isEqualTo(alice(OWN));
    assertThat(written).first().isInstanceOf(SubscriberPrefixEntry.class);
    assertThat(rig.switchTarget.content().values())
        .noneMatch(SubscriberMeterEntry.class::isInstance);
  }
}
