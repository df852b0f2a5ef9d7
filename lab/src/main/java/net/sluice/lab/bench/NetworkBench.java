package net.sluice.lab.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import net.sluice.cli.StartFailure;
import net.sluice.core.Controller;
import net.sluice.core.ControllerConfig;
import net.sluice.embedded.DefaultTopology;
import net.sluice.endpoints.EndpointNetwork;
import net.sluice.endpoints.Endpoints.SwitchAt;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.lab.report.Row;
import net.sluice.lab.support.ControllerApi;
import net.sluice.lab.support.Progress;
import net.sluice.lab.support.TemporaryDirectory;
import net.sluice.pipeconf.V1ModelPipeline;
import net.sluice.standalone.ApiServer;
import org.HdrHistogram.Histogram;

/**
 * One controller of several switches, held against one of one switch with as many subscribers, and
 * against itself with a switch that answers nothing. Subscribers take turns at the switches.
 */
final class NetworkBench {
  private static final BenchSubscribers KIND = BenchSubscribers.EASY;
  private static final int BULK_IN_FLIGHT = 4;

  /** Changes made in turn with all switches answering, and with one hung. */
  private static final int STRETCH = 250;

  private static final double MAX_BULK_RATIO = 1.3;
  private static final double MAX_P99_RATIO = 1.2;
  private static final double MAX_HEAP_BYTES = 100;

  private final DefaultTopology topology;
  private final int switches;
  private final int subscribers;
  private final int changes;
  private final int rounds;
  private final Progress progress;
  private final List<Row> rows = new ArrayList<>();

  /** Whose policy a change has made another than declared. */
  private final BitSet changed = new BitSet();

  /**
   * @param switches 2 or more
   * @param changes single changes measured with all switches answering, and as many with one hung
   * @param rounds times that each bulk is measured; the best counts, which the first hardly is
   */
  NetworkBench(
      DefaultTopology topology,
      int switches,
      int subscribers,
      int changes,
      int rounds,
      Progress progress) {
    this.topology = topology;
    this.switches = switches;
    this.subscribers = subscribers;
    this.changes = changes;
    this.rounds = rounds;
    this.progress = progress;
  }

  List<Row> run()
      throws StartFailure, ControllerApi.RefusedException, IOException, InterruptedException {
    double[] one = {Double.POSITIVE_INFINITY};
    double[] several = {Double.POSITIVE_INFINITY};
    double[] heapBytes = {0};
    for (int round = 0; round < rounds; round++) {
      boolean last = round == rounds - 1;
      with(1, (seconds, heap, network) -> one[0] = Math.min(one[0], seconds));
      progress.say(subscribers + " subscribers installed at one switch");
      with(
          switches,
          (seconds, heap, network) -> {
            progress.say(subscribers + " subscribers installed at " + switches + " switches");
            several[0] = Math.min(several[0], seconds);
            heapBytes[0] = heap;
            if (last) {
              isolation(network);
            }
          });
    }
    rows.add(Row.plain("network.bulkSecondsOfOne", "s", null, one[0]));
    rows.add(Row.plain("network.bulkSeconds", "s", null, several[0]));
    rows.add(Row.atMost("network.bulkRatio", "1", null, several[0] / one[0], MAX_BULK_RATIO));
    rows.add(Row.atMost("network.heapBytes", "byte", null, heapBytes[0], MAX_HEAP_BYTES));
    return rows;
  }

  /** A controller with everything installed. */
  private record Network(Controller controller, ControllerApi client, TargetsProcess targets) {}

  private interface Measuring {
    /**
     * @param bulkSeconds from the first byte of the bulk requests until all was installed
     * @param heapBytes that the heap has grown by meanwhile, for each subscriber
     */
    void of(double bulkSeconds, double heapBytes, Network network)
        throws ControllerApi.RefusedException, IOException, InterruptedException;
  }

  private void with(int count, Measuring measuring)
      throws StartFailure, ControllerApi.RefusedException, IOException, InterruptedException {
    try (TargetsProcess targets = TargetsProcess.start(topology, count);
        TemporaryDirectory store = new TemporaryDirectory("sluice-bench")) {
      with(targets, count, open(targets, count, store.path()), measuring);
    }
  }

  private void with(TargetsProcess targets, int count, EndpointNetwork network, Measuring measuring)
      throws StartFailure, ControllerApi.RefusedException, IOException, InterruptedException {
    try (Controller controller = network.controller();
        ApiServer http = ControllerBench.serve(network)) {
      ControllerApi client = new ControllerApi(http.base());
      for (BuiltInFunction function : BuiltInFunction.values()) {
        client.put(
            "/policies/" + function.text(),
            "{\"throughputValue\":{\"builtIn\":\"" + function.text() + "\"}}");
      }
      ControllerBench.awaitInstalled(controller);
      long emptyBytes = ControllerBench.usedHeapBytes();
      long start = System.nanoTime();
      client.bulk(
          KIND.bulkLines(subscribers, i -> Optional.of(switchOf(i, count))), BULK_IN_FLIGHT);
      ControllerBench.awaitInstalled(controller);
      double seconds = (System.nanoTime() - start) / 1e9;
      double heap = (double) (ControllerBench.usedHeapBytes() - emptyBytes) / subscribers;
      measuring.of(seconds, heap, new Network(controller, client, targets));
    }
  }

  private EndpointNetwork open(TargetsProcess targets, int count, Path store) {
    V1ModelPipeline pipeline = V1ModelPipeline.load();
    List<SwitchAt> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(
          new SwitchAt(
              switchOf(i, count),
              ControllerConfig.builder(
                      store,
                      topology.topology(),
                      topology.switchProfile(pipeline.profile()),
                      topology.fpgaProfile())
                  .servers(targets.servers(i))
                  .build(),
              pipeline));
    }
    return ControllerBench.open(store, all);
  }

  private static String switchOf(int subscriber, int count) {
    return "bng" + subscriber % count;
  }

  /** Stretches with and without a hung switch take turns, so that what else goes on hits both. */
  private void isolation(Network network)
      throws ControllerApi.RefusedException, IOException, InterruptedException {
    Histogram answering = new Histogram(3);
    Histogram hung = new Histogram(3);
    int made = 0;
    for (int i = 0; i < STRETCH; i++) {
      change(network.client(), made++);
    }
    for (int stretch = 0; stretch * STRETCH < changes; stretch++) {
      int size = Math.min(STRETCH, changes - stretch * STRETCH);
      for (int i = 0; i < size; i++) {
        answering.recordValue(change(network.client(), made++));
      }
      network.targets().hang(true);
      JsonNode waits = put(network.client(), switches - 1, "?waitMillis=0");
      for (int i = 0; i < size; i++) {
        hung.recordValue(change(network.client(), made++));
      }
      requireHung(network.client().get("/subscribers/" + waits.path("id").asText()));
      network.targets().hang(false);
      ControllerBench.awaitInstalled(network.controller());
    }
    double p99 = answering.getValueAtPercentile(99) / 1e6;
    double hungP99 = hung.getValueAtPercentile(99) / 1e6;
    rows.add(Row.plain("isolation.p99Millis", "ms", null, p99));
    rows.add(Row.plain("isolation.hungP99Millis", "ms", null, hungP99));
    rows.add(Row.atMost("isolation.p99Ratio", "1", null, hungP99 / p99, MAX_P99_RATIO));
    progress.say(changes + " single changes made, and as many beside a hung switch");
  }

  /** A change of a subscriber at a switch other than the last, which is the one that hangs. */
  private long change(ControllerApi client, int number)
      throws ControllerApi.RefusedException, IOException, InterruptedException {
    int i = (int) (number * 7_919L % subscribers);
    if (i % switches == switches - 1) {
      i--;
    }
    long start = System.nanoTime();
    JsonNode answer = put(client, i, "");
    long took = System.nanoTime() - start;
    if (!isInstalled(answer)) {
      throw new IOException("a change was answered before it was installed: " + answer);
    }
    return took;
  }

  /** Gives a subscriber the other policy. */
  private JsonNode put(ControllerApi client, int i, String query)
      throws ControllerApi.RefusedException, IOException, InterruptedException {
    boolean isGold = "gold".equals(BenchSubscribers.policy(i)) != changed.get(i);
    changed.flip(i);
    return client.put(
        "/subscribers/" + BenchSubscribers.id(i) + query,
        KIND.body(i, isGold ? "silver" : "gold", Optional.of(switchOf(i, switches))));
  }

  private static boolean isInstalled(JsonNode answer) {
    return answer.path("targets").path(0).path("state").asText().equals("INSTALLED");
  }

  private static void requireHung(JsonNode answer) throws IOException {
    if (isInstalled(answer)) {
      throw new IOException("the switch that should hang has answered: " + answer);
    }
  }
}
