package net.sluice.lab.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import net.sluice.cli.StartFailure;
import net.sluice.core.Controller;
import net.sluice.core.ControllerConfig;
import net.sluice.core.TargetDrift;
import net.sluice.core.shard.NetworkSwitch;
import net.sluice.embedded.DefaultTopology;
import net.sluice.endpoints.EndpointNetwork;
import net.sluice.endpoints.Endpoints;
import net.sluice.endpoints.Endpoints.SwitchAt;
import net.sluice.endpoints.Measures;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.validate.Refusal;
import net.sluice.lab.report.Row;
import net.sluice.lab.support.ControllerApi;
import net.sluice.lab.support.Progress;
import net.sluice.northbound.Northbound;
import net.sluice.pipeconf.V1ModelPipeline;
import net.sluice.rest.host.Capability.Absent;
import net.sluice.standalone.ApiServer;
import net.sluice.standalone.http.HttpSettings;
import net.sluice.standalone.metrics.Measurements;
import org.HdrHistogram.Histogram;

/** The controller with many subscribers, its targets in another process. */
final class ControllerBench {
  private static final int BULK_IN_FLIGHT = 4;

  /** Warm-up changes, as a share of the measured ones. */
  private static final int WARM_UP_PART = 3;

  private static final double MAX_SECONDS = 15;
  private static final double MAX_HEAP_BYTES = 300;
  private static final double MAX_CHANGE_MILLIS = 5;
  private static final double MAX_WALL_OVER_CPU = 1.4;
  private static final double MAX_P99_OVER_SYNC = 10;
  private static final double MAX_COUNTER_SECONDS = 5;
  private static final double MAX_P99_RATIO = 1.2;

  /** Heap of a rule in ONOS's FlowRuleService. */
  private static final double FLOW_RULE_BYTES = 2_600;

  private static final Duration PATIENCE = Duration.ofMinutes(10);

  /** A controller that was closed is gone after one collection or a few. */
  private static final int MAX_COLLECTIONS = 10;

  private static final long SETTLED_BYTES = 1 << 16;

  private final DefaultTopology topology;
  private final TargetsProcess targets;
  private final Path store;
  private final BenchSubscribers kind;
  private final int subscribers;
  private final int changes;
  private final Progress progress;
  private final List<Row> rows = new ArrayList<>();
  private double secondsToInstalled;

  /** Single changes so far. */
  private int made;

  ControllerBench(
      DefaultTopology topology,
      TargetsProcess targets,
      Path store,
      BenchSubscribers kind,
      int subscribers,
      int changes,
      Progress progress) {
    this.topology = topology;
    this.targets = targets;
    this.store = store;
    this.kind = kind;
    this.subscribers = subscribers;
    this.changes = changes;
    this.progress = progress;
  }

  List<Row> run()
      throws StartFailure, ControllerApi.RefusedException, IOException, InterruptedException {
    CounterBench.fill(targets.servers(0).p4runtime());
    long emptyBytes = openBytes() - usedHeapBytes();
    EndpointNetwork network = open();
    try (Controller controller = network.controller();
        ApiServer http = serve(network)) {
      ControllerApi client = new ControllerApi(http.base());
      for (BuiltInFunction function : BuiltInFunction.values()) {
        client.put(
            "/policies/" + function.text(),
            "{\"throughputValue\":{\"builtIn\":\"" + function.text() + "\"}}");
      }
      awaitInstalled(controller);
      OptionalLong emptyResident = residentBytes();
      bulk(controller, client);
      resident(emptyResident);
      changes(client);
      counters(controller, client);
      if (kind == BenchSubscribers.EASY) {
        rows.addAll(new OperatingBench(client, subscribers, progress).run());
      }
    }
    double bytes = (double) (reconcile() - usedHeapBytes() - emptyBytes) / subscribers;
    atMost("heap.bytesPerSubscriber", "byte", FLOW_RULE_BYTES, bytes, MAX_HEAP_BYTES);
    return rows;
  }

  /** The heap while a controller runs that has just started on what the store holds. */
  private long openBytes() throws IOException, InterruptedException {
    try (Controller controller = open().controller()) {
      awaitInstalled(controller);
      return usedHeapBytes();
    }
  }

  /** From the first byte of the bulk requests until all was installed. */
  double secondsToInstalled() {
    return secondsToInstalled;
  }

  /** Bounds are held in the easy case; the hard one is held to the easy one. */
  private void atMost(String name, String unit, Double baseline, double measured, double bound) {
    rows.add(
        kind == BenchSubscribers.EASY
            ? Row.atMost(name, unit, baseline, measured, bound)
            : Row.plain("hard." + name, unit, baseline, measured));
  }

  private void plain(String name, String unit, double measured) {
    rows.add(
        Row.plain(kind == BenchSubscribers.EASY ? name : "hard." + name, unit, null, measured));
  }

  private void bulk(Controller controller, ControllerApi client)
      throws ControllerApi.RefusedException, IOException, InterruptedException {
    CpuTimes cpu = CpuTimes.begin(targets);
    long start = System.nanoTime();
    client.bulk(kind.bulkLines(subscribers), BULK_IN_FLIGHT);
    client.bulk(kind.limitLines(subscribers), BULK_IN_FLIGHT);
    double accepted = (System.nanoTime() - start) / 1e9;
    awaitInstalled(controller);
    secondsToInstalled = (System.nanoTime() - start) / 1e9;
    cpu.end();
    double cpuSeconds = cpu.allNanos() / 1e9 / Runtime.getRuntime().availableProcessors();
    atMost("bulk.secondsToInstalled", "s", null, secondsToInstalled, MAX_SECONDS);
    plain("bulk.secondsToAccepted", "s", accepted);
    atMost("bulk.wallOverCpu", "1", null, secondsToInstalled / cpuSeconds, MAX_WALL_OVER_CPU);
    plain("bulk.controllerCpuPerSubscriber", "us", cpu.ownMicros(subscribers));
    plain("bulk.switchCpuPerSubscriber", "us", cpu.targetsMicros(subscribers));
    progress.say(subscribers + " subscribers installed");
  }

  private void resident(OptionalLong empty) throws IOException {
    OptionalLong resident = residentBytes();
    if (resident.isPresent() && empty.isPresent()) {
      double grown = resident.getAsLong() - empty.getAsLong();
      plain("memory.residentBytesPerSubscriber", "byte", grown / subscribers);
    }
  }

  /** Resident memory of the process by Linux, RocksDB's included. */
  private static OptionalLong residentBytes() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return OptionalLong.empty();
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
        .findFirst();
  }

  /** Each change gives a subscriber another policy, and is over when its answer says installed. */
  private void changes(ControllerApi client)
      throws ControllerApi.RefusedException, IOException, InterruptedException {
    Histogram nanos = new Histogram(3);
    int warmUp = changes / WARM_UP_PART;
    while (made < warmUp + changes) {
      long took = change(client, made);
      if (made++ >= warmUp) {
        nanos.recordValue(took);
      }
    }
    // Afterwards: between the changes they would slow those down.
    double syncP99Millis = SyncedWrites.p99Millis(store, changes);
    double p99Millis = nanos.getValueAtPercentile(99) / 1e6;
    atMost("change.p99Millis", "ms", null, p99Millis, MAX_CHANGE_MILLIS);
    plain("change.p50Millis", "ms", nanos.getValueAtPercentile(50) / 1e6);
    plain("change.syncP99Millis", "ms", syncP99Millis);
    atMost("change.p99OverSync", "1", null, p99Millis / syncP99Millis, MAX_P99_OVER_SYNC);
    progress.say(changes + " single changes made");
  }

  private void counters(Controller controller, ControllerApi client)
      throws ControllerApi.RefusedException, IOException, InterruptedException {
    CounterBench.Result result =
        new CounterBench(controller, targets, subscribers)
            .run(changes / WARM_UP_PART, () -> change(client, made++));
    atMost("counters.secondsOfAll", "s", null, result.seconds(), MAX_COUNTER_SECONDS);
    plain("counters.controllerCpuPerSubscriber", "us", result.ownMicros());
    plain("counters.switchCpuPerSubscriber", "us", result.targetsMicros());
    plain("counters.changeP99MillisBeside", "ms", result.p99MillisBeside());
    atMost("counters.changeP99Ratio", "1", null, result.p99Ratio(), MAX_P99_RATIO);
    progress.say(
        "read the counters of %d subscribers in %.2f s; beside that the p99 of changes is %.1f ms, %.2f times that alone"
            .formatted(subscribers, result.seconds(), result.p99MillisBeside(), result.p99Ratio()));
  }

  private long change(ControllerApi client, int change)
      throws ControllerApi.RefusedException, IOException, InterruptedException {
    int i = (int) (change * 7_919L % subscribers);
    String path = "/subscribers/" + BenchSubscribers.id(i);
    boolean wasGold = "gold".equals(BenchSubscribers.policy(i));
    boolean again = change / subscribers % 2 == 1;
    String body = kind.body(i, wasGold == again ? "gold" : "silver");
    long start = System.nanoTime();
    JsonNode answer = client.put(path, body);
    long took = System.nanoTime() - start;
    String state = answer.path("targets").path(0).path("state").asText();
    if (!state.equals("INSTALLED")) {
      throw new IOException("a change was answered before it was installed: " + answer);
    }
    return took;
  }

  /**
   * After a restart: with nothing wrong in the easy case, with 1 % wrong in the hard one.
   *
   * @return the heap while the controller runs
   */
  private long reconcile() throws IOException, InterruptedException {
    int damaged = 0;
    if (kind == BenchSubscribers.HARD) {
      try (EntryWriter writer = EntryWriter.connect(targets.servers(0).p4runtime())) {
        damaged = writer.damage(kind, subscribers);
      }
    }
    long start = System.nanoTime();
    try (Controller controller = open().controller()) {
      awaitInstalled(controller);
      double seconds = (System.nanoTime() - start) / 1e9;
      TargetDrift drift = controller.drift(TargetKey.SWITCH.text());
      long found =
          drift.compared().tables().stream()
              .mapToLong(table -> table.foreign() + table.missing() + table.changed())
              .sum();
      // Of a subscriber that lacks an entry all count as missing, so that more may be found.
      if (found < damaged || drift.repaired() < damaged || drift.failed() > 0) {
        throw new IOException(damaged + " entries were wrong, but reconciling told of " + drift);
      }
      atMost("reconcile.seconds", "s", null, seconds, MAX_SECONDS);
      progress.say("reconciled " + damaged + " wrong entries after a restart");
      return usedHeapBytes();
    } catch (Refusal e) {
      throw new IOException("the drift of the switch is not told", e);
    }
  }

  private EndpointNetwork open() {
    V1ModelPipeline pipeline = V1ModelPipeline.load();
    SwitchAt only =
        new SwitchAt(
            NetworkSwitch.ONLY,
            ControllerConfig.builder(
                    store,
                    topology.topology(),
                    topology.switchProfile(pipeline.profile()),
                    topology.fpgaProfile())
                .servers(targets.servers(0))
                .build(),
            pipeline);
    return open(store, List.of(only));
  }

  /** A network whose store records what the API tells of it. */
  static EndpointNetwork open(Path store, List<SwitchAt> switches) {
    return Endpoints.open(
        store, stored -> switches, Clock.systemUTC(), Measures.NONE, Northbound::record);
  }

  static ApiServer serve(EndpointNetwork network) throws StartFailure {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return ApiServer.start(
        network.controller(),
        network.store(),
        List::of,
        new Absent<>("those of its start"),
        new Measurements(),
        HttpSettings.on(any),
        "bench");
  }

  static void awaitInstalled(Controller controller) throws IOException, InterruptedException {
    if (!controller.awaitAllInstalled(PATIENCE)) {
      throw new IOException("not everything could be installed: " + controller.summary());
    }
  }

  /** Used heap after a collection, of those after which no more goes. */
  static long usedHeapBytes() {
    long before = Long.MAX_VALUE;
    long used = collectedHeapBytes();
    for (int i = 0; i < MAX_COLLECTIONS && used < before - SETTLED_BYTES; i++) {
      before = used;
      used = Math.min(used, collectedHeapBytes());
    }
    return used;
  }

  private static long collectedHeapBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
