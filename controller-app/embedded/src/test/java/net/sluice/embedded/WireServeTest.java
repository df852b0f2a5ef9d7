package net.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import net.sluice.core.shard.NetworkSwitch;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.intents.profile.Topology;
import net.sluice.rest.json.JsonTree;
import net.sluice.rest.json.ObjectReader;
import net.sluice.rest.switches.TopologyForm;
import net.sluice.standalone.StandaloneController;
import net.sluice.standalone.network.TopologyFile;
import net.sluice.testing.Http;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A wire of an emulated switch, from a topology's file and declarations to what comes out. */
class WireServeTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final int ACCESS = 1;
  private static final int CORE = 2;
  private static final long SECOND = 1_000_000_000L;

  private static final String TOPOLOGY =
      """
      {
        "ports": [
          {"number": 1, "role": "access", "rateBps": 1000000000},
          {"number": 2, "role": "core", "rateBps": 1000000000}
        ],
        "bngPorts": {"0": 1},
        "loopPorts": [505, 506, 507, 508],
        "wires": [{"access": 1, "core": 2, "unknown": {"policy": "gold", "upBps": 1000000}}]
      }
      """;

  private static final byte[] ARP =
      HexFormat.of()
          .parseHex(
              "ffffffffffff02000000000108060001080006040001"
                  + "0200000000010a0000010000000000000a0000fe");

  @TempDir Path data;

  private String api;
  private final List<String> out = new ArrayList<>();
  private Topology topology;

  @BeforeEach
  void readTopology() throws Exception {
    Path file = data.resolve("topology.json");
    Files.writeString(file, TOPOLOGY);
    topology =
        TopologyFile.read(
            "--topology",
            file.toString(),
            json ->
                TopologyForm.read(
                        new ObjectReader(
                            JsonTree.read(json, 0, json.length), "", new ArrayList<>()))
                    .orElseThrow());
  }

  private JsonNode send(int status, String method, String path, String body)
      throws IOException, InterruptedException {
    HttpResponse<String> response = Http.send(method, URI.create(api + path), body);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    return response.body().isEmpty() ? null : MAPPER.readTree(response.body());
  }

  /** A packet in a PPPoE session behind two tags: not what any line declares. */
  private static byte[] inSession(String source, String destination, int payloadBytes) {
    HexFormat hex = HexFormat.of();
    String length = hex.toHexDigits((short) (20 + payloadBytes));
    String header = "4500" + length + "00010000401f";
    String addresses = source + destination;
    int sum = 0;
    for (int at = 0; at < 20; at += 4) {
      sum += Integer.parseInt(header.substring(at, at + 4), 16);
    }
    for (int at = 0; at < 16; at += 4) {
      sum += Integer.parseInt(addresses.substring(at, at + 4), 16);
    }
    sum = (sum & 0xffff) + (sum >>> 16);
    return hex.parseHex(
        "020000000b02020000000a0188a8a06481002007886411000c1f"
            + hex.toHexDigits((short) (22 + payloadBytes))
            + "0021"
            + header
            + hex.toHexDigits((short) ~((sum & 0xffff) + (sum >>> 16)))
            + addresses
            + "5a".repeat(payloadBytes));
  }

  private static void arrive(Simulation simulation, SwitchWithFpgas wired, int port, byte[] frame) {
    simulation.schedule(
        simulation.nowNanos(),
        (nowNanos, none) -> wired.node().port(port).receive(frame, 0, frame.length, 0, nowNanos),
        0);
  }

  private static void pass(Simulation simulation, SwitchWithFpgas wired, int port, byte[] frame) {
    arrive(simulation, wired, port, frame);
    simulation.runUntil(simulation.nowNanos() + SECOND);
  }

  private void listen(SwitchWithFpgas wired, int port) {
    wired
        .node()
        .port(port)
        .connect(
            (bytes, offset, length, tag, nowNanos) ->
                out.add(port + " " + HexFormat.of().formatHex(bytes, offset, offset + length)));
  }

  private static String at(int port, byte[] frame) {
    return port + " " + HexFormat.of().formatHex(frame);
  }

  @Test
  void everythingPassesAndSubscribersAreLimitedAndCounted() throws Exception {
    Simulation simulation = new Simulation(1);
    try (SwitchWithFpgas wired = SwitchWithFpgas.start(simulation, topology, 1);
        StandaloneController standalone =
            StandaloneController.start(
                List.of(wired.remote(NetworkSwitch.ONLY, new DefaultTopology(1).marker())),
                data.resolve("store"),
                ANY)) {
      api = "" + standalone.api();
      listen(wired, ACCESS);
      listen(wired, CORE);
      Patience.await(
          "the session",
          () -> {
            JsonNode target = send(200, "GET", "/targets/switch", null);
            return target.get("session").asText()
                + target.get("queuedWrites")
                + target.get("inFlightWrites");
          },
          "READY00"::equals);
      simulation.runUntil(SECOND);
      pass(simulation, wired, ACCESS, ARP);
      byte[] jumbo = inSession("c0000201", "c6336401", 9_160);
      pass(simulation, wired, CORE, jumbo);
      assertThat(out).containsExactly(at(CORE, ARP), at(ACCESS, jumbo));

      send(201, "PUT", "/policies/gold", "{\"throughputValue\":{\"builtIn\":\"gold\"}}");
      send(
          201,
          "PUT",
          "/subscribers/alice",
          "{\"policy\":\"gold\",\"prefixes\":[\"10.0.0.1/32\"],"
              + "\"attachment\":{\"port\":0,\"tree\":3}}");
      send(
          201,
          "PUT",
          "/rate-limits/alice?waitMillis=60000",
          "{\"scope\":{\"subscriber\":\"alice\"},\"downBps\":1000000,\"enforcement\":\"shape\"}");
      out.clear();
      byte[] down = inSession("c6336401", "0a000001", 1_400);
      for (int i = 0; i < 5; i++) {
        arrive(simulation, wired, CORE, down);
      }
      simulation.runUntil(simulation.nowNanos() + 2_000_000);
      assertThat(out).as("what has not waited in a loop").hasSizeBetween(1, 4);
      simulation.runUntil(simulation.nowNanos() + SECOND);
      assertThat(out).hasSize(5).containsOnly(at(ACCESS, down));

      JsonNode alice = send(200, "GET", "/subscribers/alice/counters", null).get("down");
      assertThat(alice.get("packetsOut").asLong()).isEqualTo(5);
      assertThat(alice.get("bytesIn").asLong()).isEqualTo(5L * down.length);
      JsonNode ends = send(200, "GET", "/wires", null).get("wires");
      assertThat(ends.at("/0/port").asInt()).isEqualTo(CORE);
      assertThat(ends.at("/0/unknown/bytesIn").asLong()).isEqualTo(jumbo.length);
      assertThat(ends.at("/1/unknown/packetsOut").asLong()).isEqualTo(1);
      assertThat(Http.send("GET", URI.create(api + "/metrics"), null).body())
          .contains("sluice_wire_unknown_packets_total{port=\"1\"} 1.0");

      send(202, "POST", "/targets/switch/reconcile", null);
      Patience.await(
          "the session",
          () -> send(200, "GET", "/targets/switch", null).get("session").asText(),
          "READY"::equals);
      assertThat(send(200, "GET", "/targets/switch/drift", null).get("tables")).isEmpty();
      JsonNode refused =
          send(
              422,
              "PUT",
              "/rate-limits/alice",
              "{\"scope\":{\"subscriber\":\"alice\"},\"downBps\":1000000,\"enforcement\":\"fpga\"}");
      assertThat(refused.toString()).contains("Frames of wires do not pass an FPGA");
    }
  }
}
