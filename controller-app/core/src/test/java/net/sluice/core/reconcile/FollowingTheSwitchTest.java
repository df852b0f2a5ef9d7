package net.sluice.core.reconcile;

import static net.sluice.core.testing.TestNetwork.limit;
import static net.sluice.core.testing.TestNetwork.policy;
import static net.sluice.core.testing.TestNetwork.put;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import net.sluice.core.InstallSummary.PerTarget;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.testing.ControllerRig;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.FpgaLevel;
import net.sluice.intents.plan.FpgaSetting.RateWord;
import net.sluice.intents.value.Direction;
import org.junit.jupiter.api.Test;

/** FPGAs are written by whoever is primary at their switch, and delay only what needs them. */
class FollowingTheSwitchTest {
  private static PerTarget target(ControllerRig rig, String name) {
    return rig.controller.summary().target(name).orElseThrow();
  }

  @Test
  void withoutASessionAtTheSwitchNoFpgaIsWritten() {
    ControllerRig rig = ControllerRig.create(TestNetwork.smallConfig());
    rig.switchTarget.reachable(false);
    // A limit that another controller has set there.
    RateWord others = new RateWord(Direction.DOWN, FpgaLevel.TREE, 3, 7);
    rig.down.place(others);
    rig.time.pass(Duration.ofHours(1));

    assertThat(rig.down.connects() + rig.up.connects()).isZero();
    assertThat(rig.down.content().values()).containsExactly(others);
    assertThat(target(rig, "fpga-down").session()).isEqualTo(SessionState.CONNECTING);
    assertThat(target(rig, "fpga-down").sessionDetail())
        .contains(
            "waits for the switch: its registers are written only while this controller is the"
                + " switch's primary; state of the switch: unreachable");

    rig.switchTarget.reachable(true);
    rig.time.pass(Duration.ofMinutes(1));
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
    assertThat(rig.down.content().values()).doesNotContain(others);
  }

  @Test
  void theSessionsOfFpgasEndWithThatOfTheSwitch() {
    ControllerRig rig = ControllerRig.settled();
    rig.accept(policy("gold", BuiltInFunction.GOLD));
    rig.accept(put("alice", "10.0.0.1/32"));
    rig.time.settle();
    int writes = rig.down.writes().size();
    rig.switchTarget.reachable(false);
    rig.accept(limit("alice-cap", "alice"));
    rig.time.pass(Duration.ofHours(1));
    assertThat(rig.down.writes()).hasSize(writes);
    assertThat(target(rig, "fpga-down").pending()).isPositive();

    rig.switchTarget.reachable(true);
    rig.time.pass(Duration.ofMinutes(1));
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
    assertThat(rig.down.writes()).hasSizeGreaterThan(writes);
  }

  @Test
  void anFpgaThatDoesNotAnswerDelaysItsOwnChangesOnly() {
    ControllerRig rig = ControllerRig.settled();
    rig.accept(policy("gold", BuiltInFunction.GOLD));
    rig.accept(put("alice", "10.0.0.1/32"));
    rig.time.settle();
    rig.down.holdAnswers();
    rig.accept(limit("alice-cap", "alice"));
    for (int i = 0; i < 50; i++) {
      rig.accept(put("other-" + i, "10.1.0." + i + "/32"));
    }
    rig.accept(limit("other-cap", "other-7"));
    rig.time.settle();

    assertThat(target(rig, "switch").installed()).as("policy, 50 others but one").isEqualTo(50);
    assertThat(target(rig, "switch").queuedWrites()).isEqualTo(2);
    rig.down.answerAll();
    rig.time.settle();
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
  }
}
