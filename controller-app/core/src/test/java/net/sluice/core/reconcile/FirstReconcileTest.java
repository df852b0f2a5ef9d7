package net.sluice.core.reconcile;

import static net.sluice.core.testing.TestNetwork.limit;
import static net.sluice.core.testing.TestNetwork.policy;
import static net.sluice.core.testing.TestNetwork.put;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.testing.ControllerRig;
import net.sluice.core.testing.MemoryTarget;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.value.Direction;
import org.junit.jupiter.api.Test;

/**
 * Changes accepted while the targets are connected, read and filled for the first time: at every
 * step of it, and with answers in any order, everything is installed in the end.
 */
class FirstReconcileTest {
  private static final List<Change> CHANGES =
      List.of(
          policy("gold", BuiltInFunction.GOLD),
          put("alice", "10.0.0.1/32", "2001:db8::/56"),
          limit("alice-cap", "alice"),
          put("bob", "10.0.0.2/32"),
          put("alice", "10.0.0.9/32"),
          limit("bob-cap", "bob"),
          new Change.Delete(Kind.RATE_LIMIT, "bob-cap"),
          new Change.Delete(Kind.SUBSCRIBER, "bob"));

  @Test
  void changesAtEveryStepOfTheFirstReconcileAreInstalled() {
    int steps = 0;
    for (int at = 0; at <= steps; at++) {
      for (long seed = 0; seed < 3; seed++) {
        steps = Math.max(steps, stepsWithChangesAt(at, new Random(seed * 1_000_003 + at)));
      }
    }
    // Three targets are connected, read in parts, and written in some batches.
    assertThat(steps).isGreaterThan(60);
  }

  /** The number of steps until everything was installed. */
  private static int stepsWithChangesAt(int at, Random random) {
    try (ControllerRig rig =
        ControllerRig.create(
            TestNetwork.smallConfig().batchSize(60 + random.nextInt(600)).window(3))) {
      List<MemoryTarget<?>> targets = List.of(rig.switchTarget, rig.down, rig.up);
      targets.forEach(MemoryTarget::holdAnswers);
      int done = 0;
      int steps = 0;
      boolean more = true;
      while (more || done < CHANGES.size()) {
        // The first change at that step, the others some steps apart.
        while (done < CHANGES.size()
            && (!more || (steps >= at && (done == 0 || random.nextInt(4) == 0)))) {
          rig.accept(CHANGES.get(done++));
        }
        more = step(rig, targets, random);
        steps++;
      }
      assertThat(rig.controller.summary().isAllInstalled())
          .as("%s with changes at step %d", rig.controller.summary(), at)
          .isTrue();
      CompactSlaState state = TestNetwork.load(rig.store);
      assertThat(rig.switchTarget.content()).isEqualTo(rig.expectedSwitch(state));
      assertThat(rig.down.content().values())
          .containsExactlyInAnyOrderElementsOf(rig.expectedFpga(state, Direction.DOWN));
      assertThat(rig.up.content().values())
          .containsExactlyInAnyOrderElementsOf(rig.expectedFpga(state, Direction.UP));
      return steps;
    }
  }

  /** Something that is due, or one of the answers kept back; false if there is neither. */
  private static boolean step(ControllerRig rig, List<MemoryTarget<?>> targets, Random random) {
    if (random.nextBoolean() && rig.time.step()) {
      return true;
    }
    int first = random.nextInt(targets.size());
    for (int i = 0; i < targets.size(); i++) {
      if (targets.get((first + i) % targets.size()).answer(random)) {
        return true;
      }
    }
    return rig.time.step();
  }
}
