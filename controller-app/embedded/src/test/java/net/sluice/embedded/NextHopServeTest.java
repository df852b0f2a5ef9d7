package net.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import net.sluice.core.shard.NetworkSwitch;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.json.JsonTree;
import net.sluice.rest.json.ObjectReader;
import net.sluice.rest.switches.TopologyForm;
import net.sluice.standalone.StandaloneController;
import net.sluice.testing.Http;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A router behind an emulated switch that is silent, answers ARP, and gives way to another. */
class NextHopServeTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final int ACCESS = 1;
  private static final int CORE = 2;

  private static final String TOPOLOGY =
      """
      {
        "ports": [
          {"number": 1, "role": "access", "rateBps": 1000000000, "unknown": "forward",
           "destinationMac": "02:00:00:01:00:01", "addresses": ["10.0.0.1/24"]},
          {"number": 2, "role": "core", "rateBps": 1000000000,
           "addresses": ["192.0.2.2/30"], "nextHop": "192.0.2.1"}
        ],
        "bngPorts": {"0": 1},
        "routes": [{"prefix": "0.0.0.0/0", "port": 2}]
      }
      """;

  private static final String OWN = "020000000002";
  private static final String ARP = "0806000108000604";

  /** A UDP packet of a host behind the access port, before the switch and behind it. */
  private static final String ADDRESSES = "0a000009c6336401";

  @TempDir Path data;

  private final Simulation simulation = new Simulation(1);
  private final List<String> atCore = new ArrayList<>();
  private final List<String> atAccess = new ArrayList<>();
  private String api;

  /** The router's address; empty while it is silent. Of the simulation's thread. */
  private Optional<String> router = Optional.empty();

  private JsonNode send(String path) throws IOException, InterruptedException {
    HttpResponse<String> response = Http.send("GET", URI.create(api + path), null);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return MAPPER.readTree(response.body());
  }

  private static Topology topology() throws Refusal {
    byte[] json = TOPOLOGY.getBytes(StandardCharsets.UTF_8);
    return TopologyForm.read(
            new ObjectReader(JsonTree.read(json, 0, json.length), "", new ArrayList<>()))
        .orElseThrow();
  }

  private static String packet(int ttl) {
    String header = "4500001c00010000" + HexFormat.of().toHexDigits((byte) ttl) + "11";
    int sum = 0;
    for (int at = 0; at < 20; at += 4) {
      sum += Integer.parseInt(header.substring(at, at + 4), 16);
    }
    for (int at = 0; at < 16; at += 4) {
      sum += Integer.parseInt(ADDRESSES.substring(at, at + 4), 16);
    }
    sum = (sum & 0xffff) + (sum >>> 16);
    return "0800"
        + header
        + HexFormat.of().toHexDigits((short) ~((sum & 0xffff) + (sum >>> 16)))
        + ADDRESSES
        + "9c4001bb00080000";
  }

  private void arrive(SwitchWithFpgas routed, int port, String frame) {
    byte[] bytes = HexFormat.of().parseHex(frame);
    simulation.schedule(
        simulation.nowNanos(),
        (nowNanos, none) -> routed.node().port(port).receive(bytes, 0, bytes.length, 0, nowNanos),
        0);
  }

  private void pass() {
    simulation.runUntil(simulation.nowNanos() + 1_000_000);
  }

  private void atCore(SwitchWithFpgas routed, String frame) {
    atCore.add(frame);
    if (router.isPresent() && frame.startsWith("ffffffffffff" + OWN + ARP + "0001")) {
      String mac = router.get();
      arrive(routed, CORE, OWN + mac + ARP + "0002" + mac + "c0000201" + OWN + "c0000202");
    }
  }

  /** Lets time pass until the next hop is told to be so. */
  private void await(String state, String mac) {
    Patience.await(
        state + mac,
        () -> {
          pass();
          JsonNode hop = send("/next-hops").at("/nextHops/0");
          return hop.get("state").asText() + hop.path("mac").asText();
        },
        (state + mac)::equals);
    Patience.await(
        "nothing waits",
        () -> {
          JsonNode target = send("/targets/switch");
          return target.get("queuedWrites").asInt() + target.get("inFlightWrites").asInt();
        },
        waiting -> waiting == 0);
  }

  private List<String> sendUp(SwitchWithFpgas routed, int ttl) {
    atCore.clear();
    arrive(routed, ACCESS, "0200000000010a0a0a0a0a0a" + packet(ttl));
    pass();
    return List.copyOf(atCore);
  }

  /** Its rates are of 30 seconds, so it is in the long tier. */
  @Test
  @Tag("long")
  void addressesThatNoSubscriberHasAreToldByPort() throws Exception {
    try (SwitchWithFpgas routed = SwitchWithFpgas.start(simulation, topology(), 1);
        StandaloneController standalone =
            StandaloneController.start(
                List.of(routed.remote(NetworkSwitch.ONLY, new DefaultTopology(1).marker())),
                data.resolve("store"),
                ANY)) {
      api = "" + standalone.api();
      router = Optional.of("025b00000001");
      JsonNode port =
          Patience.awaitAnswer(
              "the address is told",
              Patience.TIME,
              () -> {
                List<String> unused = sendUp(routed, 9);
                return send("/unknown").at("/unknown/0");
              },
              told -> told.at("/addresses/0/address").asText().equals("10.0.0.9"));
      assertThat(port.get("port").asInt()).isEqualTo(ACCESS);
      assertThat(port.get("direction").asText()).isEqualTo("up");
      assertThat(port.get("bps").asLong())
          .isPositive()
          .isEqualTo(port.at("/addresses/0/bps").asLong());
    }
  }

  @Test
  void packetsFollowTheNextHopAndAreCountedWhileItIsSilent() throws Exception {
    try (SwitchWithFpgas routed = SwitchWithFpgas.start(simulation, topology(), 1);
        StandaloneController standalone =
            StandaloneController.start(
                List.of(routed.remote(NetworkSwitch.ONLY, new DefaultTopology(1).marker())),
                data.resolve("store"),
                ANY)) {
      api = "" + standalone.api();
      HexFormat hex = HexFormat.of();
      routed
          .node()
          .port(CORE)
          .connect(
              (bytes, offset, length, tag, nowNanos) ->
                  atCore(routed, hex.formatHex(bytes, offset, offset + length)));
      routed
          .node()
          .port(ACCESS)
          .connect(
              (bytes, offset, length, tag, nowNanos) ->
                  atAccess.add(hex.formatHex(bytes, offset, offset + length)));
      await("unanswered", "");
      assertThat(sendUp(routed, 9)).noneMatch(frame -> frame.endsWith(packet(8)));
      JsonNode hop = send("/next-hops").at("/nextHops/0");
      assertThat(hop.get("packetsDropped").asInt()).isEqualTo(1);
      assertThat(hop.get("address").asText()).isEqualTo("192.0.2.1");
      assertThat(Http.send("GET", URI.create(api + "/metrics"), null).body())
          .contains("sluice_next_hop_resolved{port=\"2\"} 0.0")
          .contains("sluice_next_hop_dropped_packets_total{port=\"2\"} 1.0");
      assertThat(send("/targets/switch").get("session").asText()).isEqualTo("READY");

      router = Optional.of("025b00000001");
      await("resolved", "02:5b:00:00:00:01");
      assertThat(sendUp(routed, 9)).contains("025b00000001" + OWN + packet(8));

      // Another router takes over, and says so.
      router = Optional.of("025b00000002");
      arrive(
          routed,
          CORE,
          "ffffffffffff025b00000002" + ARP + "0001025b00000002c0000201000000000000c0000201");
      await("resolved", "02:5b:00:00:00:02");
      assertThat(sendUp(routed, 9)).contains("025b00000002" + OWN + packet(8));

      // The switch answers by itself, and tells a sender whose packet's time is over.
      atAccess.clear();
      arrive(
          routed,
          ACCESS,
          "ffffffffffff0a0a0a0a0a0a" + ARP + "00010a0a0a0a0a0a0a000009000000000000" + "0a000001");
      pass();
      assertThat(atAccess)
          .containsExactly(
              "0a0a0a0a0a0a020000000001" + ARP + "00020200000000010a0000010a0a0a0a0a0a0a000009");
      atAccess.clear();
      sendUp(routed, 1);
      Patience.await(
          "time exceeded",
          () -> {
            pass();
            return List.copyOf(atAccess);
          },
          all -> !all.isEmpty());
      assertThat(atAccess.get(0))
          .startsWith("0a0a0a0a0a0a020000000001" + "080045c00038")
          .contains("0a0000010a000009" + "0b00")
          .endsWith(packet(1).substring(4));
    }
  }
}
