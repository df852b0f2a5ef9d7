package net.sluice.core.reconcile;

import static net.sluice.core.testing.TestNetwork.policy;
import static net.sluice.core.testing.TestNetwork.put;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import net.sluice.core.ControllerConfig;
import net.sluice.core.TargetDrift.TableDrift;
import net.sluice.core.testing.ControllerRig;
import net.sluice.core.testing.TestNetwork;
import net.sluice.core.traffic.SubscriberCounters.Traffic;
import net.sluice.core.traffic.WireStatus;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.limit.MeterSetting;
import net.sluice.intents.plan.entry.limit.UnknownMeterEntry;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.plan.entry.wire.UnknownPolicyEntry;
import net.sluice.intents.plan.entry.wire.WireEntry;
import net.sluice.intents.profile.MeterProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Topology.SwitchPort;
import net.sluice.intents.profile.Wire;
import net.sluice.intents.value.Direction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A switch whose only two ports are a wire: what it holds, how that is kept, and what is told. */
class WiredSwitchTest {
  private static final int SUBSCRIBERS = 1_000;
  private static final WireEntry DOWN = new WireEntry(2, 1, Direction.DOWN, SUBSCRIBERS);
  private static final WireEntry UP = new WireEntry(1, 2, Direction.UP, SUBSCRIBERS);

  private ControllerRig rig;

  @BeforeEach
  void open() {
    Topology topology =
        new Topology(
                List.of(
                    new SwitchPort(1, PortRole.ACCESS, Direction.UP, 1_000_000, 1, 2, false, true),
                    new SwitchPort(2, PortRole.CORE, Direction.DOWN, 1_000_000, 1, 2, false, true)),
                Map.of(0, 1, 1, 1),
                OptionalInt.empty(),
                OptionalInt.empty(),
                List.of())
            .withWires(
                List.of(
                    new Wire(
                        1,
                        2,
                        Optional.of("transit"),
                        OptionalLong.empty(),
                        OptionalLong.of(8000))));
    ControllerConfig.Builder config =
        ControllerConfig.builder(
            Path.of("unused"),
            topology,
            TestNetwork.switchProfile(SUBSCRIBERS).withMeters(new MeterProfile(100)).withWires(),
            TestNetwork.fpgaProfile());
    rig = ControllerRig.create(config);
    rig.time.pass(Duration.ofSeconds(1));
  }

  private List<String> drift() throws Exception {
    rig.controller.reconcile("switch");
    rig.time.settle();
    return rig.controller.drift("switch").compared().tables().stream()
        .map(WiredSwitchTest::counts)
        .toList();
  }

  private static String counts(TableDrift table) {
    return table.table() + " " + table.foreign() + " " + table.missing() + " " + table.changed();
  }

  @Test
  void theWireIsThereBeforeAnythingIsDeclared() {
    assertThat(rig.switchTarget.content().values()).contains(DOWN, UP);
  }

  @Test
  void whatDiffersIsFoundAndMended() throws Exception {
    rig.accept(policy("transit", BuiltInFunction.GOLD));
    rig.accept(policy("gold", BuiltInFunction.GOLD));
    rig.accept(put("alice", "10.0.0.1/32"));
    rig.time.settle();
    assertThat(drift()).isEmpty();
    Map<Object, SwitchEntry> whole = Map.copyOf(rig.switchTarget.content());
    assertThat(whole).containsValue(new UnknownPolicyEntry(1, 1));

    rig.switchTarget.content().remove(UP.key());
    rig.switchTarget.place(new WireEntry(2, 9, Direction.DOWN, 7));
    rig.switchTarget.place(new WireEntry(3, 2, Direction.UP, 7));
    rig.switchTarget.place(new UnknownPolicyEntry(1, 2));
    rig.switchTarget.place(new UnknownPolicyEntry(3, 1));
    rig.switchTarget.place(new UnknownMeterEntry(1, Optional.of(new MeterSetting(8, 9))));
    assertThat(drift())
        .containsExactlyInAnyOrder("wire 1 1 1", "unknown-policy 1 0 1", "unknown-meter 0 0 1");
    rig.time.settle();
    assertThat(rig.switchTarget.content()).containsExactlyInAnyOrderEntriesOf(whole);
    assertThat(drift()).isEmpty();
  }

  /** Each end has the counters of its wire's index, in the direction of frames that enter there. */
  @Test
  void whatIsNobodysIsToldByPort() {
    assertThat(rig.controller.wires().join().read())
        .containsExactly(
            new WireStatus(Optional.empty(), 2, 1, Direction.DOWN, new Traffic(1_000, 2, 3, 4)),
            new WireStatus(Optional.empty(), 1, 2, Direction.UP, new Traffic(5, 6, 7, 8)));
  }
}
