package net.sluice.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import net.sluice.core.Controller;
import net.sluice.core.ControllerException;
import net.sluice.core.Outcome;
import net.sluice.core.engine.SlaController;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.store.IntentStore;
import net.sluice.core.target.Targets;
import net.sluice.core.testing.MemoryTarget;
import net.sluice.core.testing.TestNetwork;
import net.sluice.core.time.ThreadScheduler;
import net.sluice.intents.model.BuiltInFunction;
import net.sluice.intents.plan.Change;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that is killed in the middle of its work has kept everything it acknowledged. */
class SuddenDeathTest {
  private static final int ENOUGH = 3_000;

  @TempDir Path directory;

  /** The process that is killed: tells every id once it is acknowledged. */
  static final class Victim {
    public static void main(String[] args) {
      Path store = Path.of(args[0]);
      ThreadScheduler scheduler = new ThreadScheduler("targets");
      Controller controller =
          SlaController.open(
              TestNetwork.config(store).build(),
              new RocksDbIntentStore(store),
              new Targets(
                  MemoryTarget.ofSwitch(scheduler),
                  index -> CompletableFuture.failedFuture(new ControllerException("no counters")),
                  Optional.of(MemoryTarget.ofFpga("fpga-down", scheduler)),
                  Optional.of(MemoryTarget.ofFpga("fpga-up", scheduler))),
              Clock.systemUTC());
      controller.apply(TestNetwork.policy("gold", BuiltInFunction.GOLD));
      for (int i = 0; i < 100_000; ) {
        List<Change> bulk = new ArrayList<>();
        int size = i % 7 == 0 ? 1 : 50;
        for (int j = 0; j < size && i < 100_000; j++) {
          bulk.add(TestNetwork.numbered(i++));
        }
        for (Outcome outcome : controller.applyAll(bulk)) {
          if (outcome.isAccepted()) {
            System.out.println(outcome.change().id());
          }
        }
        System.out.flush();
      }
    }
  }

  @Test
  void everythingAcknowledgedIsThere() throws IOException, InterruptedException {
    Process victim =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path"),
                Victim.class.getName(),
                directory.resolve("store").toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    List<String> acknowledged = new ArrayList<>();
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(victim.getInputStream(), StandardCharsets.US_ASCII))) {
      String id = out.readLine();
      while (id != null) {
        acknowledged.add(id);
        if (acknowledged.size() == ENOUGH) {
          // SIGKILL; Process.destroyForcibly would also close the stream that is being read.
          victim.toHandle().destroyForcibly();
        }
        id = out.readLine();
      }
    }
    // 137 = 128 + SIGKILL
    assertThat(victim.waitFor()).isEqualTo(137);
    assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(ENOUGH);
    // What was read after the kill may end in the middle of a line.
    List<String> whole = acknowledged.subList(0, acknowledged.size() - 1);

    try (IntentStore store = new RocksDbIntentStore(directory.resolve("store"))) {
      assertThat(whole).allMatch(id -> store.subscriber(id).isPresent());
      CompactSlaState state = CompactSlaState.load(store);
      assertThat(state.subscribers()).isGreaterThanOrEqualTo(whole.size());
      assertThat(state.nextSubscriberIndex()).isEqualTo(state.subscribers() + 1);
    }
  }
}
