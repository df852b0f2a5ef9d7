package net.sluice.core.change;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import net.sluice.core.Controller;
import net.sluice.core.Outcome;
import net.sluice.core.engine.SlaController;
import net.sluice.core.target.Targets;
import net.sluice.core.testing.ControllerRig;
import net.sluice.core.testing.FaultPlan;
import net.sluice.core.testing.FaultyStore;
import net.sluice.core.testing.FaultyTarget;
import net.sluice.core.testing.MemoryTarget;
import net.sluice.core.testing.TestCounters;
import net.sluice.core.testing.TestNetwork;
import net.sluice.core.time.ThreadScheduler;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.SwitchEntry;
import org.junit.jupiter.api.Test;

class BulkTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static List<Change> numbered(int from, int to) {
    List<Change> changes = new ArrayList<>();
    for (int i = from; i < to; i++) {
      changes.add(TestNetwork.numbered(i));
    }
    return changes;
  }

  @Test
  void theWindowAndBatchesAreKeptFull() {
    ControllerRig rig = ControllerRig.create(TestNetwork.smallConfig().batchSize(100).window(4));
    rig.time.pass(Duration.ofSeconds(1));
    rig.accept(TestNetwork.policy("gold", BuiltInFunction.GOLD));
    rig.time.settle();
    int before = rig.switchTarget.batches().size();
    rig.switchTarget.holdAnswers();
    rig.controller.applyAll(numbered(0, 1_000));
    rig.time.settle();
    assertThat(rig.switchTarget.batches().subList(before, rig.switchTarget.batches().size()))
        .hasSize(4)
        .allMatch(batch -> batch.size() == 100);
    assertThat(rig.controller.summary().target("switch").orElseThrow().inFlightWrites())
        .isEqualTo(400);
    assertThat(rig.controller.summary().target("switch").orElseThrow().queuedWrites())
        .isEqualTo(2_600);
    while (rig.switchTarget.answer()) {
      rig.time.settle();
    }
    assertThat(rig.switchTarget.mostInFlight()).isEqualTo(4);
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
    rig.close();
  }

  @Test
  void aTargetThatTakesLessGetsLess() {
    ControllerRig rig = ControllerRig.create(TestNetwork.smallConfig().batchSize(100));
    rig.switchTarget.capabilities(new net.sluice.core.target.Target.Capabilities(7, 2));
    rig.time.pass(Duration.ofSeconds(1));
    rig.accept(TestNetwork.policy("gold", BuiltInFunction.GOLD));
    assertThat(rig.controller.applyAll(numbered(0, 100)))
        .as("what is told of a bulk holds no writes")
        .allMatch(outcome -> ((Outcome.Accepted) outcome).plan().writesNothing());
    rig.time.settle();
    assertThat(rig.switchTarget.batches()).allMatch(batch -> batch.size() <= 7);
    assertThat(rig.switchTarget.mostInFlight()).isEqualTo(2);
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
    rig.close();
  }

  private static Controller open(
      FaultyStore store, FaultyTarget<SwitchEntry> target, int queueCapacity) {
    ThreadScheduler fpgas = new ThreadScheduler("fpgas");
    return SlaController.open(
        TestNetwork.config(Path.of("unused"))
            .queueCapacity(queueCapacity)
            .bulkCommitChanges(500)
            .batchSize(50)
            .build(),
        store,
        new Targets(
            target,
            TestCounters.silent(),
            Optional.of(MemoryTarget.ofFpga("fpga-down", fpgas)),
            Optional.of(MemoryTarget.ofFpga("fpga-up", fpgas))),
        Clock.systemUTC());
  }

  @Test
  void aFullQueueBlocksBulkChangesAndNothingElse() throws InterruptedException {
    ThreadScheduler switchThread = new ThreadScheduler("switch");
    MemoryTarget<SwitchEntry> memory = MemoryTarget.ofSwitch(switchThread);
    CountDownLatch release = new CountDownLatch(1);
    FaultyTarget<SwitchEntry> target = new FaultyTarget<>(memory, FaultPlan.none(), switchThread);
    try (FaultyStore store = new FaultyStore();
        Controller controller = open(store, target, 1_000)) {
      assertThat(controller.awaitAllInstalled(PATIENCE)).isTrue();
      controller.apply(TestNetwork.policy("gold", BuiltInFunction.GOLD));
      assertThat(controller.awaitAllInstalled(PATIENCE)).isTrue();
      switchThread.execute(
          () -> {
            try {
              release.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
      CompletableFuture<List<Outcome>> bulk =
          CompletableFuture.supplyAsync(() -> controller.applyAll(numbered(0, 5_000)));

      // It cannot finish: 5,000 changes are 15,000 writes, of which 1,000 and a commit's may wait.
      assertThat(bulk.copy().completeOnTimeout(null, 1, TimeUnit.SECONDS).join()).isNull();
      assertThat(controller.apply(TestNetwork.put("alice", "172.16.0.1/32")).isAccepted()).isTrue();
      assertThat(controller.summary().target("switch").orElseThrow().queuedWrites())
          .isLessThan(1_000 + 3 * 500 + 10);

      release.countDown();
      assertThat(bulk.join()).hasSize(5_000).allMatch(Outcome::isAccepted);
      assertThat(controller.awaitAllInstalled(PATIENCE)).isTrue();
      // One for the policy, one for Alice, one for each 500 of the bulk.
      assertThat(store.commits()).hasSize(2 + 10);
    }
  }
}
