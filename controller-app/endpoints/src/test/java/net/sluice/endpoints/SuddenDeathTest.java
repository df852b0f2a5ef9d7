package net.sluice.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import net.sluice.core.Controller;
import net.sluice.core.Outcome;
import net.sluice.core.engine.SlaController;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.store.IntentStore;
import net.sluice.core.target.CounterSource;
import net.sluice.core.target.Targets;
import net.sluice.core.testing.MemoryTarget;
import net.sluice.core.testing.TestNetwork;
import net.sluice.core.time.ThreadScheduler;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.Statistics;
import org.rocksdb.TickerType;

/**
 * A process that ends in the middle of its work has kept everything it acknowledged: killed, out of
 * memory, or with the machine that loses what was not synced.
 */
class SuddenDeathTest {
  private static final int ENOUGH = 3_000;

  @TempDir Path directory;

  /** The process that is killed: tells every id once it is acknowledged. */
  static final class Victim {
    public static void main(String[] args) {
      Path store = Path.of(args[0]);
      Controller controller = open(store, new RocksDbIntentStore(store));
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

  private static Controller open(Path directory, IntentStore store) {
    ThreadScheduler scheduler = new ThreadScheduler("targets");
    return SlaController.open(
        TestNetwork.config(directory).build(),
        store,
        new Targets(
            MemoryTarget.ofSwitch(scheduler),
            CounterSource.none("no counters"),
            Optional.of(MemoryTarget.ofFpga("fpga-down", scheduler)),
            Optional.of(MemoryTarget.ofFpga("fpga-up", scheduler))),
        Clock.systemUTC());
  }

  private Process start(String... options) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            Victim.class.getName(),
            directory.resolve("store").toString()));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  @Test
  void everythingAcknowledgedIsThereAfterAKill() throws IOException, InterruptedException {
    Process victim = start("-Xmx512m");
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
    assertKept(acknowledged);
  }

  /** The launcher starts what stays up with this option. */
  @Test
  void everythingAcknowledgedIsThereAfterMemoryRanOut() throws IOException, InterruptedException {
    Process victim = start("-Xmx56m", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError");
    List<String> acknowledged;
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(victim.getInputStream(), StandardCharsets.US_ASCII))) {
      acknowledged = out.lines().filter(line -> line.startsWith("sub-")).toList();
    }
    // As the Java machine ends for want of memory.
    assertThat(victim.waitFor()).isEqualTo(3);
    assertThat(acknowledged).isNotEmpty();
    assertKept(acknowledged);
  }

  /** Whether it was acknowledged before the end: its last line may be cut short. */
  private void assertKept(List<String> acknowledged) {
    List<String> whole = acknowledged.subList(0, acknowledged.size() - 1);
    try (IntentStore store = new RocksDbIntentStore(directory.resolve("store"))) {
      assertThat(whole).allMatch(id -> store.subscriber(id).isPresent());
      CompactSlaState state = TestNetwork.load(store);
      assertThat(state.subscribers()).isGreaterThanOrEqualTo(whole.size());
      assertThat(state.lowestFreeIndex(1)).isEqualTo(state.subscribers() + 1);
    }
  }

  /**
   * The machine's power fails: of the log there is what was synced, and no more. How much that is
   * follows from RocksDB's own count of syncs.
   */
  @Test
  void everythingAcknowledgedIsThereAfterAPowerCut() throws IOException {
    Path live = directory.resolve("live");
    List<String> acknowledged = new ArrayList<>();
    Path dead = directory.resolve("store");
    try (Statistics statistics = new Statistics();
        Controller controller =
            open(live, new RocksDbIntentStore(live, o -> o.setStatistics(statistics)))) {
      Map<Path, Long> synced = new HashMap<>();
      long syncs = 0;
      controller.apply(TestNetwork.policy("gold", BuiltInFunction.GOLD));
      for (int i = 0; i < 200; ) {
        List<Change> bulk = new ArrayList<>();
        for (int j = 0; j < 1 + i % 7; j++) {
          bulk.add(TestNetwork.numbered(i + j));
        }
        i += bulk.size();
        controller.applyAll(bulk).forEach(outcome -> acknowledged.add(outcome.change().id()));
        long now = statistics.getTickerCount(TickerType.WAL_FILE_SYNCED);
        if (now > syncs) {
          syncs = now;
          synced = logs(live);
        }
      }
      try (Stream<Path> files = Files.list(live)) {
        for (Path file : files.toList()) {
          copy(file, dead, synced);
        }
      }
    }
    acknowledged.add("");
    assertKept(acknowledged);
  }

  private static Map<Path, Long> logs(Path store) throws IOException {
    Map<Path, Long> sizes = new HashMap<>();
    try (Stream<Path> files = Files.list(store)) {
      for (Path log : files.filter(SuddenDeathTest::isLog).toList()) {
        sizes.put(log, Files.size(log));
      }
    }
    return sizes;
  }

  private static boolean isLog(Path file) {
    return file.toString().endsWith(".log");
  }

  private static void copy(Path file, Path to, Map<Path, Long> synced) throws IOException {
    Files.createDirectories(to);
    Path copied = Files.copy(file, to.resolve(file.getFileName()));
    if (isLog(file)) {
      try (FileChannel log = FileChannel.open(copied, StandardOpenOption.WRITE)) {
        log.truncate(synced.getOrDefault(file, 0L));
      }
    }
  }
}
