package net.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.sluice.core.ControllerConfig.Comparing;
import net.sluice.core.Servers;
import net.sluice.core.Servers.SwitchEndpoint;
import net.sluice.core.shard.NetworkSwitch;
import net.sluice.emulator.netsim.Link;
import net.sluice.emulator.netsim.PortStatistics;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.emulator.netsim.host.Host;
import net.sluice.emulator.netsim.host.HostConfig;
import net.sluice.emulator.netsim.host.HostDemultiplexer;
import net.sluice.emulator.netsim.host.IpAddress;
import net.sluice.emulator.netsim.host.tcp.TcpBulkSender;
import net.sluice.emulator.netsim.host.tcp.TcpConfig;
import net.sluice.emulator.netsim.host.tcp.TcpSink;
import net.sluice.emulator.netsim.host.tcp.TcpStack;
import net.sluice.emulator.netsim.traffic.CapturingSink;
import net.sluice.emulator.netsim.traffic.FlowSpec;
import net.sluice.emulator.netsim.traffic.FrameBuilder;
import net.sluice.emulator.netsim.traffic.TrafficSource;
import net.sluice.emulator.server.p4runtime.P4RuntimeServer;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.MarkerSettings;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.validate.Refusal;
import net.sluice.pipeconf.V1ModelPipeline;
import net.sluice.pipeconf.profile.TargetProfiles;
import net.sluice.rest.json.JsonTree;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.json.ObjectReader;
import net.sluice.rest.switches.TopologyForm;
import net.sluice.standalone.StandaloneController;
import net.sluice.standalone.http.HttpSettings;
import net.sluice.standalone.network.RemoteSwitch;
import net.sluice.testing.Http;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * CoDel-ACT as an operator switches it on: declared over REST, compiled, written over P4Runtime to
 * a switch with a queue that really builds, and told over REST. Virtual time.
 */
class ManagedQueueTest {
  private static final int LINE = 1;
  private static final int CORE = 2;
  private static final int MIRROR = 3;
  private static final long LINE_BPS = 10_000_000;
  private static final long OFFERED_BPS = 10_400_000;
  private static final long FAST_BPS = 10_000_000_000L;

  /** Waits 200 ms on the line when it is full. */
  private static final long QUEUE_BYTES = LINE_BPS / 8 / 5;

  private static final long RTT_NANOS = 20_000_000;
  private static final int TCP_PORT = 5_201;
  private static final long CORE_MAC = 0x02_00_00_01_00_02L;
  private static final long HOME_MAC = 0x02_00_00_01_00_01L;
  private static final long SECOND = 1_000_000_000L;
  private static final double TARGET_MILLIS = 5;
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String TOPOLOGY =
      """
      {"ports": [
        {"number": 1, "role": "access", "rateBps": 10000000, "valueDropping": VALUES,
         "destinationMac": "02:00:00:01:00:01"},
        {"number": 2, "role": "core", "rateBps": 10000000000, "valueDropping": false,
         "destinationMac": "02:00:00:01:00:02", "aqm":
           {"kind": "rfc8289", "targetMicros": 1000, "intervalMicros": 20000}}],
       "bngPorts": {"0": 1},
       "routes": [{"prefix": "0.0.0.0/0", "port": 2}],
       "mirrorPort": 3}
      """;
  private static final String UNMANAGED = "{\"throughputValue\": {\"builtIn\": \"gold\"}}";
  private static final String MANAGED =
      "{\"throughputValue\": {\"builtIn\": \"gold\"}, \"aqm\": {\"kind\": \"codel-act\","
          + " \"targetMicros\": 5000, \"intervalMicros\": 100000}}";

  @TempDir private Path store;

  private final Simulation simulation = new Simulation(3);
  private final V1modelSwitch device = new V1modelSwitch(1, 3);
  private final SwitchNode node = new SwitchNode(simulation, device);
  private final SwitchPort line = node.addPort(LINE, LINE_BPS, QUEUE_BYTES);
  private URI api;

  @Test
  void delayFallsWhenThePolicyManagesTheQueueAndTheStatusShowsWhy() throws Exception {
    TrafficSource source = new TrafficSource(simulation, node.addPort(CORE, FAST_BPS, 1 << 20), 1);
    node.addPort(MIRROR, FAST_BPS, 1 << 20);
    line.connect(new CapturingSink());
    InetSocketAddress local = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (P4RuntimeServer server = P4RuntimeServer.start(device, local);
        StandaloneController controller =
            StandaloneController.start(
                List.of(remote(server.port(), false)),
                store,
                HttpSettings.on(local),
                Comparing.DEFAULT)) {
      api = controller.api();
      put("/policies/gold?waitMillis=20000", UNMANAGED);
      put(
          "/subscribers/alice?waitMillis=20000",
          "{\"policy\": \"gold\", \"prefixes\": [\"10.0.0.1/32\"], \"attachment\":"
              + " {\"port\": 0, \"tree\": 0}}");
      assertThat(controller.controller().awaitAllInstalled(Duration.ofSeconds(30))).isTrue();
      source.addFlow(
          FlowSpec.cbr(
              new FrameBuilder().addresses("203.0.113.1", "10.0.0.1").frameBytes(1_250).build(),
              OFFERED_BPS));

      PortStatistics unmanaged = run();
      assertThat(millis(unmanaged)).isGreaterThan(150);
      assertThat(unmanaged.tailDropPackets()).isPositive();
      assertThat(queue(LINE, 0)).isNull();
      assertThat(queue(CORE, 7).at("/aqm/kind").textValue()).isEqualTo("rfc8289");

      put("/policies/gold?waitMillis=20000", MANAGED);
      PortStatistics managed = run();
      System.out.printf(
          "mean delay %.1f ms unmanaged, %.1f ms managed; %s%n",
          millis(unmanaged), millis(managed), queue(LINE, 0));
      assertThat(millis(managed)).isLessThan(3 * TARGET_MILLIS);
      assertThat(managed.tailDropPackets()).isZero();
      assertThat(managed.sentBps()).isGreaterThan(0.95 * LINE_BPS);
      JsonNode queue = queue(LINE, 0);
      assertThat(queue.get("policy").textValue()).isEqualTo("gold");
      assertThat(queue.get("droppedPackets").longValue()).isPositive();
      assertThat(queue.get("droppedBytes").longValue())
          .isEqualTo(1_250 * queue.get("droppedPackets").longValue());
      assertThat(queue.get("cycles").longValue()).isPositive();
      assertThat(queue.get("mirroredPackets").longValue()).isPositive();
      assertThat(get("/metrics"))
          .contains(
              "sluice_queue_cycles_total{port=\"1\",queue=\"0\"} " + queue.get("cycles").asText());

      put("/policies/gold?waitMillis=20000", UNMANAGED);
      assertThat(queue(LINE, 0)).isNull();
      assertThat(millis(run())).isGreaterThan(150);
    }
  }

  /**
   * The same with TCP, a flow for Gold's subscriber and one for Silver's. Where the port drops by
   * value, too, they share it by policy, and CoDel's target is in force instead of the port's.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void tcpFlowsWaitForAboutTheTargetAndShareByPolicyIfThePortDropsByValue(boolean byValue)
      throws Exception {
    SwitchPort core = node.addPort(CORE, FAST_BPS, 1 << 20);
    node.addPort(MIRROR, FAST_BPS, 1 << 20);
    InetSocketAddress local = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (P4RuntimeServer server = P4RuntimeServer.start(device, local);
        StandaloneController controller =
            StandaloneController.start(
                List.of(remote(server.port(), byValue)),
                store,
                HttpSettings.on(local),
                Comparing.DEFAULT)) {
      api = controller.api();
      put("/policies/gold?waitMillis=20000", UNMANAGED);
      put("/policies/silver?waitMillis=20000", "{\"throughputValue\": {\"builtIn\": \"silver\"}}");
      subscribe("alice", "gold", "10.0.0.1");
      subscribe("bob", "silver", "10.0.0.2");
      assertThat(controller.controller().awaitAllInstalled(Duration.ofSeconds(30))).isTrue();
      HostDemultiplexer homes = new HostDemultiplexer();
      line.connect(homes);
      TcpSink alice = flow(homes, core, "10.0.0.1", "203.0.113.1", 0);
      TcpSink bob = flow(homes, core, "10.0.0.2", "203.0.113.2", 1);

      PortStatistics unmanaged = run();
      assertThat(millis(unmanaged)).isGreaterThan(byValue ? 30 : 100);

      JsonNode answer = put("/policies/gold?waitMillis=20000", MANAGED);
      alice.resetStatistics();
      bob.resetStatistics();
      PortStatistics managed = run();
      JsonNode queue = queue(LINE, 0);
      double ratio = (double) alice.bytes() / bob.bytes();
      System.out.printf(
          "tcp, %s: mean delay %.1f ms unmanaged, %.1f ms managed, gold : silver %.2f; %s%n",
          byValue ? "by value" : "not by value", millis(unmanaged), millis(managed), ratio, queue);
      assertThat(millis(managed)).isLessThan(3 * TARGET_MILLIS);
      assertThat(managed.sentBps()).isGreaterThan(0.9 * LINE_BPS);
      assertThat(queue.get("cycles").longValue()).isPositive();
      String note = "aqm: drops by packet value on switch port 1: CoDel raises the threshold";
      if (byValue) {
        assertThat(ratio).isBetween(2.0, 3.5);
        assertThat(queue.get("droppedPackets").longValue()).isZero();
        assertThat(answer.toString()).contains(note);
      } else {
        assertThat(ratio).isBetween(0.7, 1.4);
        assertThat(queue.get("droppedPackets").longValue()).isPositive();
        assertThat(answer.toString()).doesNotContain(note);
      }
    }
  }

  private void subscribe(String id, String policy, String address) throws Exception {
    put(
        "/subscribers/" + id + "?waitMillis=20000",
        "{\"policy\": \""
            + policy
            + "\", \"prefixes\": [\""
            + address
            + "/32\"], \"attachment\": {\"port\": 0, \"tree\": 0}}");
  }

  /** A flow to a subscriber, 20 ms without queues; acknowledgements return beside the switch. */
  private TcpSink flow(
      HostDemultiplexer homes, SwitchPort core, String to, String from, int number) {
    Host home = host(to, HOME_MAC, CORE_MAC, number);
    Host server = host(from, CORE_MAC, HOME_MAC, number);
    homes.add(IpAddress.of(to), home);
    home.attach(Link.in(simulation).propagationNanos(RTT_NANOS / 2).to(server));
    server.attach(Link.in(simulation).propagationNanos(RTT_NANOS / 2).to(core));
    TcpSink sink = TcpSink.listen(TcpStack.on(home, TcpConfig.defaults(), 2L * number), TCP_PORT);
    TcpBulkSender.to(
            TcpStack.on(server, TcpConfig.defaults(), 2L * number + 1), IpAddress.of(to), TCP_PORT)
        .startNanos(simulation.nowNanos() + 1)
        .start();
    return sink;
  }

  private Host host(String address, long mac, long otherMac, int number) {
    return new Host(
        simulation, new HostConfig(address, mac, otherMac, List.of(IpAddress.of(address)), number));
  }

  private static Topology topology(String text) throws Refusal {
    byte[] json = text.getBytes(StandardCharsets.UTF_8);
    JsonValue document = JsonTree.read(json, 0, json.length);
    return TopologyForm.read(new ObjectReader(document, "", new ArrayList<>())).orElseThrow();
  }

  private static RemoteSwitch remote(int port, boolean byValue) throws Exception {
    return new RemoteSwitch(
        NetworkSwitch.ONLY,
        new RemoteSwitch.Model(
            TargetProfiles.loadSwitch("emulator"),
            V1ModelPipeline.load(),
            topology(TOPOLOGY.replace("VALUES", Boolean.toString(byValue))),
            FpgaProfile.withClock(156_250_000),
            new MarkerSettings(1_000_000_000L, RandomRates.BITS_16)),
        new Servers(
            new SwitchEndpoint("127.0.0.1", port, 1, 1),
            Optional.empty(),
            Optional.empty(),
            Optional.empty()));
  }

  /** Ten seconds to settle, five to measure. */
  private PortStatistics run() {
    long now = simulation.nowNanos();
    simulation.runUntil(now + 10 * SECOND);
    node.resetStatistics();
    simulation.runUntil(now + 15 * SECOND);
    return line.statistics();
  }

  private static double millis(PortStatistics statistics) {
    return statistics.queueDelayNanos().getMean() / 1e6;
  }

  private JsonNode put(String path, String body) throws Exception {
    HttpResponse<String> answer = Http.send("PUT", api + path, body);
    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 201);
    // An installed answer is what the switch holds.
    JsonNode installed = MAPPER.readTree(answer.body());
    assertThat(installed.at("/targets/0/state").textValue())
        .as(answer.body())
        .isEqualTo("INSTALLED");
    return installed;
  }

  private String get(String path) throws Exception {
    return Http.send("GET", api + path, null).body();
  }

  private JsonNode queue(int port, int number) throws Exception {
    for (JsonNode queue : MAPPER.readTree(get("/queues")).get("queues")) {
      if (queue.get("port").intValue() == port && queue.get("queue").intValue() == number) {
        return queue;
      }
    }
    return null;
  }
}
