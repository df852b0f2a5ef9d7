package net.sluice.core.engine;

import static net.sluice.core.testing.TestNetwork.limit;
import static net.sluice.core.testing.TestNetwork.put;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import net.sluice.core.ControllerConfig;
import net.sluice.core.TargetState;
import net.sluice.core.testing.ControllerRig;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.model.policy.TrafficClass;
import net.sluice.intents.model.policy.TrafficClasses;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.FpgaSetting.ClassShares;
import net.sluice.intents.plan.entry.limit.TrafficClassEntry;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.value.Direction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Classes of a policy at targets in memory: written, told, read back, corrected. */
class ClassesTest {
  private static final FpgaProfile FPGA =
      new FpgaProfile(156.25e6, 1248, 18, 1, 4, 64, 8, 1600, 32_767, 2000, 256 * 1024)
          .withClassShares(true);

  private static final ControllerConfig.Builder CONFIG =
      ControllerConfig.builder(
              Path.of("unused"),
              TestNetwork.topology(),
              TestNetwork.switchProfile(1_000).withTrafficClasses(100),
              FPGA)
          .queueCapacity(10_000_000);

  /** Customer 0 of port 0, tree 3. */
  private static final int CUSTOMER = 3 * 64;

  private final ControllerRig rig = ControllerRig.create(CONFIG);

  /** Class i takes codepoint i, all with priorities: every bit of the word is set. */
  private static Change eightClasses() {
    List<TrafficClass> classes = new ArrayList<>();
    IntStream.rangeClosed(1, 8)
        .forEach(
            i ->
                classes.add(
                    new TrafficClass(
                        "c" + i,
                        i == 8 ? List.of() : List.of(i),
                        OptionalInt.of(i),
                        OptionalInt.empty())));
    return new Change.Put(
        new Policy("gold", BuiltInFunction.GOLD, Optional.empty(), new TrafficClasses(classes)));
  }

  private List<Integer> words() {
    return rig.down.content().values().stream()
        .filter(setting -> setting instanceof ClassShares of && of.customer() == CUSTOMER)
        .map(FpgaSetting::value)
        .toList();
  }

  private long codepoints() {
    return rig.switchTarget.content().values().stream()
        .filter(TrafficClassEntry.class::isInstance)
        .count();
  }

  @BeforeEach
  void declare() {
    rig.time.settle();
    rig.accept(eightClasses());
    rig.accept(put("alice", "10.0.0.1/32"));
    rig.accept(limit("alice-cap", "alice"));
    rig.time.settle();
  }

  @Test
  void aPolicyIsInstalledWhereItsClassesAre() {
    assertThat(words()).containsExactly(-1);
    assertThat(codepoints()).isEqualTo(7);
    assertThat(rig.controller.find(eightClasses().kind(), "gold").orElseThrow().targets())
        .extracting(status -> status.target() + " " + status.state())
        .containsExactly(
            "switch " + TargetState.INSTALLED,
            "fpga-down " + TargetState.INSTALLED,
            "fpga-up " + TargetState.INSTALLED);
  }

  @Test
  void whatAnFpgaHasLostOrGainedIsCorrected() {
    rig.down.place(new ClassShares(Direction.DOWN, CUSTOMER, 0x31));
    rig.down.place(new ClassShares(Direction.DOWN, CUSTOMER + 1, -1));
    rig.switchTarget.place(new TrafficClassEntry(1, 7, 3));
    rig.switchTarget.place(new TrafficClassEntry(2, 7, 3));
    rig.up.content().clear();
    rig.controller.reconcile();
    rig.time.settle();
    assertThat(rig.down.content().values())
        .containsExactlyInAnyOrderElementsOf(
            rig.expectedFpga(TestNetwork.load(rig.store), Direction.DOWN));
    assertThat(rig.up.content().values())
        .containsExactlyInAnyOrderElementsOf(
            rig.expectedFpga(TestNetwork.load(rig.store), Direction.UP));
    assertThat(rig.switchTarget.content())
        .isEqualTo(rig.expectedSwitch(TestNetwork.load(rig.store)));
    assertThat(words()).containsExactly(-1);
  }

  @Test
  void aRestartKeepsThemAndAnotherPolicyTakesThemAway() {
    ControllerRig again = rig.restart();
    again.time.settle();
    assertThat(words()).containsExactly(-1);
    again.accept(TestNetwork.policy("gold", BuiltInFunction.GOLD));
    again.time.settle();
    // Half for light flows, half for the others.
    assertThat(words()).containsExactly(0x1000_0001);
    assertThat(codepoints()).isZero();
    assertThat(again.controller.summary().isAllInstalled()).isTrue();
  }
}
