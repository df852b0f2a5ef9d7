package net.sluice.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.sluice.core.InstallSummary.PerTarget;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.Outcome;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.testing.ControllerRig;
import net.sluice.core.testing.FaultPlan;
import net.sluice.core.testing.RandomChanges;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.plan.Change;
import net.sluice.intents.profile.MeterProfile;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.state.InMemorySlaState;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;

/**
 * Whatever goes wrong on the way: once it no longer does, the targets hold exactly what a fresh
 * compile of everything acknowledged says.
 */
class FaultPropertyTest {
  @Property(tries = 60, shrinking = ShrinkingMode.OFF, seed = "1")
  void nothingAcknowledgedIsLost(@ForAll long seed) {
    run(seed, TestNetwork.switchProfile(100_000).withMeters(new MeterProfile(30)));
  }

  @Property(tries = 60, shrinking = ShrinkingMode.OFF, seed = "3")
  void nothingIsLostWhereSubscribersMoveBetweenPipes(@ForAll long seed) {
    run(seed, TestNetwork.dividedSwitch(3));
  }

  @Tag("long")
  @Property(tries = 1000, shrinking = ShrinkingMode.OFF, seed = "2")
  void nothingAcknowledgedIsLostByFarMoreSeeds(@ForAll long seed) {
    run(seed, TestNetwork.switchProfile(100_000));
    run(seed, TestNetwork.dividedSwitch(3));
  }

  /** Without audits, which would repair in time whatever was lost. */
  private static void run(long seed, SwitchProfile profile) {
    Random random = new Random(seed);
    ControllerRig rig =
        ControllerRig.create(
            TestNetwork.smallConfig(profile)
                .batchSize(1 + random.nextInt(20))
                .window(1 + random.nextInt(5))
                .auditInterval(Optional.empty()));
    Duration slowest = Duration.ofMillis(1 + random.nextInt(30));
    rig.switchTarget.overtake(random, slowest);
    rig.down.overtake(random, slowest);
    rig.up.overtake(random, slowest);
    InMemorySlaState acknowledged = new InMemorySlaState(rig.compiler);
    RandomChanges changes = new RandomChanges(seed, 12);
    rig.faultySwitch.plan(faults(random));
    rig.faultyDown.plan(faults(random));
    rig.faultyUp.plan(faults(random));
    for (int step = 0; step < 60; step++) {
      apply(rig, acknowledged, changes, random);
      int what = random.nextInt(12);
      if (what == 0) {
        rig.controller.reconcile();
      } else if (what == 1) {
        rig.switchTarget.reachable(false);
      } else if (what == 2) {
        rig.switchTarget.reachable(true);
      } else if (what == 3) {
        rig = rig.restart();
        rig.faultySwitch.plan(faults(random));
        rig.faultyDown.plan(faults(random));
      } else if (what == 4) {
        rig.faultyDown.drop("dropped");
      }
      if (random.nextInt(3) > 0) {
        rig.time.pass(Duration.ofMillis(random.nextInt(400)));
      }
    }

    rig.switchTarget.reachable(true);
    rig.faultySwitch.plan(FaultPlan.none());
    rig.faultyDown.plan(FaultPlan.none());
    rig.faultyUp.plan(FaultPlan.none());
    rig.time.pass(Duration.ofHours(1));
    adoptWhatIsRefused(rig);
    // Nothing goes wrong any more, so that nothing is read back: what one write does to another
    // while both are in flight stays.
    for (int step = 0; step < 30; step++) {
      apply(rig, acknowledged, changes, random);
      rig.time.pass(Duration.ofNanos(random.nextLong(slowest.toNanos())));
    }
    rig.time.pass(Duration.ofHours(1));

    assertThat(rig.controller.summary().targets())
        .allMatch(t -> t.session() == SessionState.READY)
        .allMatch(t -> t.pending() == 0 && t.failed() == 0);
    assertThat(rig.switchTarget.content()).isEqualTo(rig.expectedSwitch(acknowledged));
    assertThat(rig.down.content().values())
        .containsExactlyInAnyOrderElementsOf(rig.expectedFpga(acknowledged, Direction.DOWN));
    assertThat(rig.up.content().values())
        .containsExactlyInAnyOrderElementsOf(rig.expectedFpga(acknowledged, Direction.UP));
    CompactSlaState stored = CompactSlaState.load(rig.store, rig.compiler);
    assertThat(stored.subscribers()).isEqualTo(acknowledged.subscribers());
    assertThat(rig.expectedSwitch(stored)).isEqualTo(rig.expectedSwitch(acknowledged));
    rig.close();
  }

  /**
   * A controller that was killed does not know any more what it still had to delete, and asks
   * before it does; whoever runs it says yes.
   */
  private static void adoptWhatIsRefused(ControllerRig rig) {
    for (PerTarget target : rig.controller.summary().targets()) {
      if (target.session() == SessionState.REFUSING) {
        assertThat(target.sessionDetail().orElseThrow()).startsWith("refuses to delete ");
        try {
          rig.controller.adopt(target.target());
        } catch (Refusal e) {
          throw new AssertionError(e);
        }
        rig.time.pass(Duration.ofHours(1));
      }
    }
  }

  private static void apply(
      ControllerRig rig, InMemorySlaState acknowledged, RandomChanges changes, Random random) {
    List<Change> bulk = new ArrayList<>();
    int count = 1 + random.nextInt(6);
    for (int i = 0; i < count; i++) {
      bulk.add(changes.next());
    }
    for (Outcome outcome : rig.controller.applyAll(bulk)) {
      if (outcome instanceof Outcome.Accepted accepted) {
        acknowledged.apply(accepted.plan());
      }
    }
  }

  private static FaultPlan faults(Random random) {
    return new FaultPlan(
        random.nextLong(),
        random.nextInt(3) * 0.2,
        random.nextInt(3) * 0.05,
        random.nextInt(3) * 0.02,
        random.nextInt(3) * 0.005,
        random.nextInt(3) * 0.1,
        Duration.ofMillis(random.nextInt(3) * 20));
  }
}
