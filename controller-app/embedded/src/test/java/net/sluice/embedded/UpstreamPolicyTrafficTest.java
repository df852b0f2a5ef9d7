package net.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.emulator.netsim.traffic.ArrivalProcess;
import net.sluice.emulator.netsim.traffic.FlowSpec;
import net.sluice.emulator.netsim.traffic.FlowTag;
import net.sluice.emulator.netsim.traffic.FrameBuilder;
import net.sluice.emulator.netsim.traffic.TrafficSource;
import net.sluice.standalone.StandaloneController;
import net.sluice.testing.Http;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Another policy upstream, from a declaration over REST to the shares of what comes out. */
class UpstreamPolicyTrafficTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final long SECOND = 1_000_000_000L;

  /** What paper 000 gives gold and silver together at its second point (section V.A). */
  private static final long LINE_BPS = 28_200_000;

  private static final int ALICE = 0;
  private static final int BOB = 1;

  /** Of what gold gets, 21.8 Mbit/s, to what silver gets, 6.4 Mbit/s. */
  private static final double GOLD = 3.4;

  @TempDir Path data;

  private String api;
  private final long[] down = new long[2];
  private final long[] up = new long[2];

  private JsonNode send(int status, String method, String path, String body)
      throws IOException, InterruptedException {
    HttpResponse<String> response = Http.send(method, URI.create(api + path), body);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    return response.body().isEmpty() ? null : MAPPER.readTree(response.body());
  }

  private JsonNode put(int status, String id, int host, String policies) throws Exception {
    return send(
        status,
        "PUT",
        "/subscribers/" + id + "?waitMillis=60000",
        "{"
            + policies
            + ",\"prefixes\":[\"10.0.0."
            + host
            + "/32\"],\"attachment\":{\"port\":0,\"tree\":3}}");
  }

  private static void offer(TrafficSource source, String from, String to) {
    source.addFlow(
        new FlowSpec(
            new FrameBuilder().frameBytes(1_000).addresses(from, to).build(),
            LINE_BPS,
            0,
            60 * SECOND,
            new ArrivalProcess.Poisson()));
  }

  private static void count(SwitchPort port, long[] bytesOf) {
    port.connect((bytes, offset, length, tag, nowNanos) -> bytesOf[FlowTag.flowId(tag)] += length);
  }

  /** Runs for so long, and then for twice as long, whose share of alice to bob's it tells. */
  private double[] shares(EmbeddedTargets targets, int seconds) {
    long now = targets.simulation().nowNanos();
    targets.simulation().runUntil(now + seconds * SECOND);
    long[] downBefore = down.clone();
    long[] upBefore = up.clone();
    targets.simulation().runUntil(now + 3 * seconds * SECOND);
    return new double[] {share(down, downBefore), share(up, upBefore)};
  }

  private static double share(long[] now, long[] before) {
    return (double) (now[ALICE] - before[ALICE]) / (now[BOB] - before[BOB]);
  }

  @Test
  void eachDirectionIsSharedByItsOwnPolicies() throws Exception {
    DefaultTopology narrow = new DefaultTopology(LINE_BPS, new DefaultTopology(1).marker());
    try (EmbeddedTargets targets = EmbeddedTargets.start(narrow, 1)) {
      JsonNode declared;
      try (StandaloneController standalone =
          StandaloneController.start(List.of(targets.remote()), data, ANY)) {
        api = "" + standalone.api();
        for (String policy : List.of("gold", "silver")) {
          send(
              201,
              "PUT",
              "/policies/" + policy,
              "{\"throughputValue\":{\"builtIn\":\"" + policy + "\"}}");
        }
        JsonNode alice = put(201, "alice", 1, "\"policy\":\"gold\",\"upstreamPolicy\":\"silver\"");
        assertThat(alice.at("/targets/0/state").asText()).as("%s", alice).isEqualTo("INSTALLED");
        declared = alice.get("declared");
        assertThat(declared.get("upstreamPolicy").asText()).isEqualTo("silver");
        put(201, "bob", 2, "\"policy\":\"silver\",\"upstreamPolicy\":\"gold\"");

        count(targets.accessPort(), down);
        count(targets.corePort(), up);
        TrafficSource toSubscribers =
            new TrafficSource(targets.simulation(), targets.corePort(), 1);
        offer(toSubscribers, "192.0.2.1", "10.0.0.1");
        offer(toSubscribers, "192.0.2.1", "10.0.0.2");
        TrafficSource fromSubscribers =
            new TrafficSource(targets.simulation(), targets.accessPort(), 2);
        offer(fromSubscribers, "10.0.0.1", "192.0.2.1");
        offer(fromSubscribers, "10.0.0.2", "192.0.2.1");
        double[] split = shares(targets, 4);
        assertThat(split[0]).isCloseTo(GOLD, within(0.35));
        assertThat(1 / split[1]).isCloseTo(GOLD, within(0.35));
      }
      try (StandaloneController standalone =
          StandaloneController.start(List.of(targets.remote()), data, ANY)) {
        api = "" + standalone.api();
        assertThat(send(200, "GET", "/subscribers/alice", null).get("declared"))
            .isEqualTo(declared);
        assertThat(send(200, "GET", "/subscribers?policy=silver", null).get("items")).hasSize(2);
        assertThat(send(200, "GET", "/status", null).toString())
            .contains("{\"resource\":\"direction-policies\",\"used\":2,\"size\":1048576}");
        send(202, "POST", "/targets/switch/reconcile", null);
        Patience.await(
            "the session",
            () -> send(200, "GET", "/targets/switch", null).get("session").asText(),
            "READY"::equals);
        assertThat(send(200, "GET", "/targets/switch/drift", null).get("tables")).isEmpty();
        double[] kept = shares(targets, 3);
        assertThat(kept[0]).isCloseTo(GOLD, within(0.35));
        assertThat(1 / kept[1]).isCloseTo(GOLD, within(0.35));

        // Under traffic: one policy for both directions again, then suspended to it.
        put(200, "alice", 1, "\"policy\":\"gold\"");
        double[] gold = shares(targets, 4);
        assertThat(gold[0]).isCloseTo(GOLD, within(0.35));
        assertThat(gold[1]).isCloseTo(1, within(0.1));
        JsonNode suspended =
            put(
                200,
                "alice",
                1,
                "\"policy\":\"gold\",\"upstreamPolicy\":\"gold\","
                    + "\"suspended\":{\"policy\":\"gold\",\"upstreamPolicy\":\"silver\"}");
        assertThat(suspended.at("/inForce/upstreamPolicy").asText()).isEqualTo("silver");
        double[] again = shares(targets, 4);
        assertThat(again[0]).isCloseTo(GOLD, within(0.35));
        assertThat(1 / again[1]).isCloseTo(GOLD, within(0.35));

        // Suspended altogether: the switch counts what it drops.
        assertThat(dropped("suspended")).isZero();
        put(200, "alice", 1, "\"policy\":\"gold\",\"suspended\":true");
        shares(targets, 1);
        assertThat(dropped("suspended")).isGreaterThan(3 * LINE_BPS / 8 / 1_000);
      }
    }
  }

  /** Packets that the switch has dropped for a reason. */
  private long dropped(String reason) throws Exception {
    for (JsonNode each : send(200, "GET", "/drops", null).get("drops")) {
      if (each.get("reason").asText().equals(reason)) {
        return each.get("packets").asLong();
      }
    }
    throw new AssertionError("no drops for " + reason);
  }
}
