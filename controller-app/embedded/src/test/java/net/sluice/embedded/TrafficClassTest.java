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
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import net.sluice.emulator.netsim.traffic.ArrivalProcess;
import net.sluice.emulator.netsim.traffic.FlowSpec;
import net.sluice.emulator.netsim.traffic.FlowTag;
import net.sluice.emulator.netsim.traffic.FrameBuilder;
import net.sluice.emulator.netsim.traffic.TrafficSource;
import net.sluice.standalone.StandaloneController;
import net.sluice.testing.Http;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Classes within alice's limit of 10 Mbit/s, which 25 Mbit/s ask for, from a policy over REST to
 * what comes out of the emulated FPGA; bob, of the same tree, has none.
 */
class TrafficClassTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final long SECOND = 1_000_000_000L;
  private static final long M = 1_000_000;
  private static final int VOICE = 0;
  private static final int VIDEO = 1;
  private static final int REST = 2;
  private static final int BOB = 3;
  private static final DefaultTopology WITHOUT = new DefaultTopology(SECOND);
  private static final DefaultTopology TOPOLOGY =
      new DefaultTopology(
          SECOND, WITHOUT.marker(), WITHOUT.profile(), WITHOUT.fpgaProfile().withClassShares(true));

  @TempDir Path data;

  private String api;
  private static final int CALLS = 20;

  private final long[] receivedBytes = new long[CALLS + 1];
  private final long[] receivedPackets = new long[CALLS + 1];
  private final long[] maxAgeNanos = new long[CALLS + 1];

  private JsonNode send(String method, String path, String body, int status)
      throws IOException, InterruptedException {
    HttpResponse<String> response = Http.send(method, URI.create(api + path), body);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    return MAPPER.readTree(response.body());
  }

  private static String triple(int video, int rest) {
    return "{\"throughputValue\":{\"builtIn\":\"gold\"},\"classes\":["
        + "{\"name\":\"voice\",\"dscp\":[46],\"priority\":1},"
        + ("{\"name\":\"video\",\"dscp\":[34],\"share\":" + video + "},")
        + ("{\"name\":\"rest\",\"share\":" + rest + "}]}");
  }

  private void declare(String id, String policy, String address) throws Exception {
    send(
        "PUT",
        "/subscribers/" + id,
        "{\"policy\":\""
            + policy
            + "\",\"prefixes\":[\""
            + address
            + "/32\"],\"attachment\":{\"port\":0,\"tree\":3}}",
        201);
    send(
        "PUT",
        "/rate-limits/" + id + "?waitMillis=60000",
        "{\"scope\":{\"subscriber\":\"" + id + "\"},\"downBps\":10000000}",
        201);
  }

  private void declareAll() throws Exception {
    JsonNode policy = send("PUT", "/policies/triple?waitMillis=60000", triple(3, 1), 201);
    assertThat(policy.get("notes").toString()).contains("rest 0, video 1, voice 2");
    assertThat(policy.get("targets")).hasSize(3);
    policy
        .get("targets")
        .forEach(each -> assertThat(each.get("state").asText()).isEqualTo("INSTALLED"));
    send("PUT", "/policies/plain", "{\"throughputValue\":{\"builtIn\":\"gold\"}}", 201);
    declare("alice", "triple", "10.0.0.1");
    declare("bob", "plain", "10.0.0.2");
  }

  private static void offer(
      TrafficSource source,
      String address,
      int dscp,
      int frameBytes,
      long rateBps,
      ArrivalProcess arrivals) {
    offer(source, "192.0.2.1", address, dscp, frameBytes, rateBps, arrivals);
  }

  private static void offer(
      TrafficSource source,
      String from,
      String address,
      int dscp,
      int frameBytes,
      long rateBps,
      ArrivalProcess arrivals) {
    source.addFlow(
        new FlowSpec(
            new FrameBuilder().frameBytes(frameBytes).addresses(from, address).dscp(dscp).build(),
            rateBps,
            0,
            20 * SECOND,
            arrivals));
  }

  private TrafficSource traffic(EmbeddedTargets targets) {
    TrafficSource source = measured(targets);
    ArrivalProcess steady = new ArrivalProcess.Cbr(false, 0);
    // Two steady flows would keep their phase, and a full queue would take packets of one alone.
    ArrivalProcess random = new ArrivalProcess.Poisson();
    offer(source, "10.0.0.1", 46, 250, M, steady);
    offer(source, "10.0.0.1", 34, 1_250, 12 * M, random);
    offer(source, "10.0.0.1", 0, 1_250, 12 * M, random);
    offer(source, "10.0.0.2", 46, 1_250, 5 * M, steady);
    return source;
  }

  private TrafficSource measured(EmbeddedTargets targets) {
    targets
        .accessPort()
        .connect(
            (bytes, offset, length, tag, nowNanos) -> {
              int flow = FlowTag.flowId(tag);
              receivedBytes[flow] += length;
              receivedPackets[flow]++;
              maxAgeNanos[flow] = Math.max(maxAgeNanos[flow], FlowTag.ageNanos(tag, nowNanos));
            });
    return new TrafficSource(targets.simulation(), targets.corePort(), 1);
  }

  /** What each flow gets in the two seconds that begin in one, bit/s. */
  private double[] ratesBps(EmbeddedTargets targets) {
    long from = targets.simulation().nowNanos() + SECOND;
    targets.simulation().runUntil(from);
    long[] before = receivedBytes.clone();
    Arrays.fill(maxAgeNanos, 0);
    targets.simulation().runUntil(from + 2 * SECOND);
    double[] rates = new double[before.length];
    for (int flow = 0; flow < rates.length; flow++) {
      rates[flow] = 4.0 * (receivedBytes[flow] - before[flow]);
    }
    return rates;
  }

  private void assertShared(double[] rates, double videoToRest) {
    assertThat(rates[VOICE]).isCloseTo(M, within(0.01 * M));
    assertThat(rates[VOICE] + rates[VIDEO] + rates[REST]).isCloseTo(10.016 * M, within(0.05 * M));
    assertThat(rates[VIDEO] / rates[REST]).isCloseTo(videoToRest, within(0.03 * videoToRest));
    // Two packets of 1,250 bytes at 10 Mbit/s, and one of its own.
    assertThat(maxAgeNanos[VOICE]).isLessThan(3_000_000);
    assertThat(maxAgeNanos[REST]).isGreaterThan(100_000_000);
    assertThat(rates[BOB]).isCloseTo(5 * M, within(0.05 * M));
    assertThat(maxAgeNanos[BOB]).isLessThan(3_000_000);
  }

  @Test
  void voiceGoesFirstTheOthersShareAndOtherClassesAreTakenUpUnderTraffic() throws Exception {
    try (EmbeddedTargets targets = EmbeddedTargets.start(TOPOLOGY, 1);
        StandaloneController standalone =
            StandaloneController.start(List.of(targets.remote()), data, ANY)) {
      api = "" + standalone.api();
      declareAll();
      TrafficSource source = traffic(targets);
      assertShared(ratesBps(targets), 3);
      send("PUT", "/policies/triple?waitMillis=60000", triple(1, 3), 200);
      assertShared(ratesBps(targets), 1 / 3.0);

      // Without classes everything is of class 0 again, and waits in one queue.
      send(
          "PUT",
          "/policies/triple?waitMillis=60000",
          "{\"throughputValue\":{\"builtIn\":\"gold\"},\"flows\":\"as-they-come\"}",
          200);
      double[] one = ratesBps(targets);
      assertThat(one[VIDEO] / one[REST]).isCloseTo(1, within(0.1));
      // But for two packets: that is how often voice comes beside what the others send meanwhile.
      assertThat(maxAgeNanos[REST] - maxAgeNanos[VOICE]).isLessThan(2 * 2_000_000);
      send("PUT", "/policies/triple?waitMillis=60000", triple(3, 1), 200);
      long lost = source.offeredPackets(VOICE) - receivedPackets[VOICE];
      assertShared(ratesBps(targets), 3);
      // What waited or was dropped then; since the classes are back no packet of voice has been.
      assertThat(source.offeredPackets(VOICE) - receivedPackets[VOICE]).isLessThanOrEqualTo(lost);
    }
  }

  /** More packets than the flood's, a sixth of its bytes. */
  @Test
  void callsWithoutAClassWaitForNoMoreBytesThanTheirOwn() throws Exception {
    try (EmbeddedTargets targets = EmbeddedTargets.start(TOPOLOGY, 1);
        StandaloneController standalone =
            StandaloneController.start(List.of(targets.remote()), data, ANY)) {
      api = "" + standalone.api();
      declareAll();
      TrafficSource source = measured(targets);
      ArrivalProcess random = new ArrivalProcess.Poisson();
      for (int call = 0; call < CALLS; call++) {
        offer(source, "192.0.2." + (call + 1), "10.0.0.2", 0, 214, 85_600, random);
      }
      offer(source, "198.51.100.1", "10.0.0.2", 0, 1_250, 25 * M, random);
      double[] rates = ratesBps(targets);
      assertThat(Arrays.stream(rates).sum()).isCloseTo(10.016 * M, within(0.05 * M));
      targets.simulation().runUntil(20 * SECOND);
      for (int call = 0; call < CALLS; call++) {
        assertThat(maxAgeNanos[call]).as("call %d", call).isLessThan(30_000_000);
        assertThat(receivedPackets[call]).isGreaterThan(source.offeredPackets(call) - 3);
      }
    }
  }

  @Test
  void classesAreKeptOverARestartAndGivenToNewTargets() throws Exception {
    try (EmbeddedTargets targets = EmbeddedTargets.start(TOPOLOGY, 1);
        StandaloneController standalone =
            StandaloneController.start(List.of(targets.remote()), data, ANY)) {
      api = "" + standalone.api();
      declareAll();
    }
    try (EmbeddedTargets targets = EmbeddedTargets.start(TOPOLOGY, 2);
        StandaloneController standalone =
            StandaloneController.start(List.of(targets.remote()), data, ANY)) {
      api = "" + standalone.api();
      assertThat(standalone.controller().awaitAllInstalled(Duration.ofSeconds(60))).isTrue();
      JsonNode declared = send("GET", "/policies/triple", null, 200).get("declared");
      assertThat(declared).isEqualTo(MAPPER.readTree(triple(3, 1)));
      traffic(targets);
      assertShared(ratesBps(targets), 3);
    }
  }

  @Test
  void classesWhereTheSwitchPolicesOrTheFpgaHasNoneAreRefused() throws Exception {
    try (EmbeddedTargets targets = EmbeddedTargets.start(TOPOLOGY, 1);
        StandaloneController standalone =
            StandaloneController.start(List.of(targets.remote()), data, ANY)) {
      api = "" + standalone.api();
      declareAll();
      JsonNode problem =
          send(
              "PUT",
              "/rate-limits/alice",
              "{\"scope\":{\"subscriber\":\"alice\"},\"downBps\":10000000,"
                  + "\"enforcement\":\"police\"}",
              409);
      assertThat(problem.at("/errors/0/field").asText()).isEqualTo("enforcement");
      assertThat(problem.at("/errors/0/allowed").asText()).isEqualTo("fpga");
    }
    try (EmbeddedTargets targets = EmbeddedTargets.start(WITHOUT, 1);
        StandaloneController standalone =
            StandaloneController.start(List.of(targets.remote()), data.resolve("other"), ANY)) {
      api = "" + standalone.api();
      send("PUT", "/policies/triple", triple(3, 1), 201);
      JsonNode problem =
          send(
              "PUT",
              "/subscribers/alice",
              "{\"policy\":\"triple\",\"prefixes\":[\"10.0.0.1/32\"],"
                  + "\"attachment\":{\"port\":0,\"tree\":3}}",
              422);
      assertThat(problem.at("/errors/0/field").asText()).isEqualTo("policy");
      assertThat(problem.get("detail").asText())
          .contains("the FPGAs have none with priorities and shares");
    }
  }
}
