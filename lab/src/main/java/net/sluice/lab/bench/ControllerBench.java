package net.sluice.lab.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.sluice.core.Controller;
import net.sluice.core.ControllerConfig;
import net.sluice.endpoints.Endpoints;
import net.sluice.intents.model.BuiltInFunction;
import net.sluice.intents.model.Direction;
import net.sluice.lab.report.Row;
import net.sluice.lab.support.ApiClient;
import net.sluice.lab.support.Progress;
import net.sluice.pipeconf.V1ModelPipeline;
import net.sluice.standalone.DefaultTopology;
import net.sluice.standalone.HttpServer;
import net.sluice.standalone.HttpSettings;
import net.sluice.standalone.StartFailure;
import org.HdrHistogram.Histogram;

/** The controller with many subscribers, its targets in another process. */
final class ControllerBench {
  private static final int BULK_IN_FLIGHT = 4;

  /** Warm-up changes, as a share of the measured ones. */
  private static final int WARM_UP_PART = 3;

  private static final double MAX_SECONDS = 15;
  private static final double MAX_HEAP_BYTES = 300;
  private static final double MAX_CHANGE_MILLIS = 5;

  /** Heap of a rule in ONOS's FlowRuleService. */
  private static final double FLOW_RULE_BYTES = 2_600;

  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final int COLLECTIONS = 3;

  private final DefaultTopology topology;
  private final TargetsProcess targets;
  private final Path store;
  private final int subscribers;
  private final int changes;
  private final Progress progress;
  private final List<Row> rows = new ArrayList<>();

  ControllerBench(
      DefaultTopology topology,
      TargetsProcess targets,
      Path store,
      int subscribers,
      int changes,
      Progress progress) {
    this.topology = topology;
    this.targets = targets;
    this.store = store;
    this.subscribers = subscribers;
    this.changes = changes;
    this.progress = progress;
  }

  List<Row> run()
      throws StartFailure, ApiClient.RefusedException, IOException, InterruptedException {
    try (Controller controller = open();
        HttpServer http = serve(controller)) {
      ApiClient client = new ApiClient(http.base());
      for (BuiltInFunction function : BuiltInFunction.values()) {
        client.put(
            "/policies/" + function.text(),
            "{\"throughputValue\":{\"builtIn\":\"" + function.text() + "\"}}");
      }
      awaitInstalled(controller);
      long emptyBytes = usedHeapBytes();
      bulk(controller, client);
      heap(emptyBytes);
      changes(client);
    }
    reconcile();
    return rows;
  }

  private void bulk(Controller controller, ApiClient client)
      throws ApiClient.RefusedException, IOException, InterruptedException {
    long start = System.nanoTime();
    client.bulk(BenchSubscribers.bulkLines(subscribers), BULK_IN_FLIGHT);
    double accepted = (System.nanoTime() - start) / 1e9;
    awaitInstalled(controller);
    double installed = (System.nanoTime() - start) / 1e9;
    rows.add(Row.atMost("bulk.secondsToInstalled", "s", null, installed, MAX_SECONDS));
    rows.add(Row.plain("bulk.secondsToAccepted", "s", null, accepted));
    progress.say(subscribers + " subscribers installed");
  }

  private void heap(long emptyBytes) {
    double bytes = (double) (usedHeapBytes() - emptyBytes) / subscribers;
    rows.add(Row.atMost("heap.bytesPerSubscriber", "byte", FLOW_RULE_BYTES, bytes, MAX_HEAP_BYTES));
  }

  /** Each change gives a subscriber another policy, and is over when its answer says installed. */
  private void changes(ApiClient client)
      throws ApiClient.RefusedException, IOException, InterruptedException {
    Histogram nanos = new Histogram(3);
    int warmUp = changes / WARM_UP_PART;
    for (int change = 0; change < warmUp + changes; change++) {
      int i = (int) (change * 7_919L % subscribers);
      String path = "/subscribers/" + BenchSubscribers.id(i);
      boolean wasGold = "gold".equals(BenchSubscribers.policy(i));
      boolean again = change / subscribers % 2 == 1;
      String body = BenchSubscribers.body(i, wasGold == again ? "gold" : "silver");
      long start = System.nanoTime();
      JsonNode answer = client.put(path, body);
      long took = System.nanoTime() - start;
      String state = answer.path("targets").path(0).path("state").asText();
      if (!state.equals("INSTALLED")) {
        throw new IOException("a change was answered before it was installed: " + answer);
      }
      if (change >= warmUp) {
        nanos.recordValue(took);
      }
    }
    rows.add(
        Row.atMost(
            "change.p99Millis",
            "ms",
            null,
            nanos.getValueAtPercentile(99) / 1e6,
            MAX_CHANGE_MILLIS));
    rows.add(Row.plain("change.p50Millis", "ms", null, nanos.getValueAtPercentile(50) / 1e6));
    progress.say(changes + " single changes made");
  }

  private void reconcile() throws IOException, InterruptedException {
    long start = System.nanoTime();
    try (Controller controller = open()) {
      awaitInstalled(controller);
      double seconds = (System.nanoTime() - start) / 1e9;
      rows.add(Row.atMost("reconcile.seconds", "s", null, seconds, MAX_SECONDS));
    }
    progress.say("reconciled after a restart");
  }

  private Controller open() {
    V1ModelPipeline pipeline = V1ModelPipeline.load();
    return Endpoints.open(
        ControllerConfig.builder(
                store,
                topology.topology(),
                topology.switchProfile(pipeline.profile()),
                topology.fpgaProfile())
            .switchEndpoint(targets.switchEndpoint())
            .fpgaDown(targets.fpgaEndpoint(Direction.DOWN))
            .fpgaUp(targets.fpgaEndpoint(Direction.UP))
            .build(),
        pipeline,
        Clock.systemUTC());
  }

  private static HttpServer serve(Controller controller) throws StartFailure {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return HttpServer.start(controller, HttpSettings.on(any), "bench");
  }

  private static void awaitInstalled(Controller controller)
      throws IOException, InterruptedException {
    if (!controller.awaitAllInstalled(PATIENCE)) {
      throw new IOException("not everything could be installed: " + controller.summary());
    }
  }

  /** Used heap after a collection. */
  private static long usedHeapBytes() {
    long used = Long.MAX_VALUE;
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
      used = Math.min(used, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return used;
  }
}
