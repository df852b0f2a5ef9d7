package net.sluice.core.change;

import static net.sluice.core.testing.TestNetwork.limit;
import static net.sluice.core.testing.TestNetwork.policy;
import static net.sluice.core.testing.TestNetwork.put;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import net.sluice.core.InstallSummary.PerTarget;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.testing.ControllerRig;
import net.sluice.core.testing.MemoryTarget;
import net.sluice.core.testing.MemoryTarget.Point;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.value.Direction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What fails in a way that nobody foresaw is told and tried again; nothing stands still for it. */
class UnforeseenFailureTest {
  private static PerTarget status(ControllerRig rig, MemoryTarget<?> target) {
    return rig.controller.summary().target(target.name()).orElseThrow();
  }

  private static void declare(ControllerRig rig) {
    rig.accept(policy("gold", BuiltInFunction.GOLD));
    rig.accept(put("alice", "10.0.0.1/32", "2001:db8::/56"));
    rig.accept(limit("alice-cap", "alice"));
    rig.accept(put("bob", "10.0.0.2/32"));
  }

  private static void assertInstalled(ControllerRig rig) {
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
    CompactSlaState state = TestNetwork.load(rig.store);
    assertThat(rig.switchTarget.content()).isEqualTo(rig.expectedSwitch(state));
    assertThat(rig.down.content().values())
        .containsExactlyInAnyOrderElementsOf(rig.expectedFpga(state, Direction.DOWN));
    assertThat(rig.up.content().values())
        .containsExactlyInAnyOrderElementsOf(rig.expectedFpga(state, Direction.UP));
  }

  @ParameterizedTest
  @CsvSource({"CONNECT, 0", "READ, 0", "WRITE, 0", "WRITE, 1", "ENTRIES, 0", "ENTRIES, 1"})
  void aFailureAnywhereDelaysWhatIsDeclaredMeanwhile(Point point, int after) {
    for (int which = 0; which < 2; which++) {
      try (ControllerRig rig =
          ControllerRig.create(TestNetwork.smallConfig().batchSize(100).window(2))) {
        MemoryTarget<?> target = which == 0 ? rig.switchTarget : rig.down;
        target.throwAt(point, after);
        declare(rig);
        rig.time.pass(Duration.ofMinutes(1));
        // A switch that holds nothing has nothing to read out.
        if (!target.hasThrown()) {
          rig.controller.reconcile();
          rig.time.pass(Duration.ofMinutes(1));
        }
        assertThat(target.hasThrown()).isTrue();
        assertInstalled(rig);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Point.class,
      names = {"READ", "WRITE", "ENTRIES"})
  void theStatusTellsOfTheFailureUntilTheTargetIsBack(Point point) {
    try (ControllerRig rig = ControllerRig.settled()) {
      declare(rig);
      rig.time.settle();
      rig.switchTarget.throwAt(point, 0);
      rig.accept(put("carol", "10.0.0.3/32"));
      rig.controller.reconcile();
      rig.time.settle();

      PerTarget status = status(rig, rig.switchTarget);
      assertThat(status.session()).isEqualTo(SessionState.CONNECTING);
      assertThat(status.sessionDetail().orElseThrow())
          .isIn(
              List.of(
                  "given up: java.lang.NoClassDefFoundError: net/sluice/Gone",
                  "given up: java.lang.NullPointerException: Cannot invoke"
                      + " \"java.util.List.size()\" because \"entries\" is null"));
      assertThat(status.queuedWrites() + status.inFlightWrites()).isZero();

      rig.time.pass(Duration.ofMinutes(1));
      assertInstalled(rig);
    }
  }
}
