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
import java.util.Arrays;
import java.util.List;
import net.sluice.emulator.netsim.traffic.ArrivalProcess;
import net.sluice.emulator.netsim.traffic.FlowSpec;
import net.sluice.emulator.netsim.traffic.FlowTag;
import net.sluice.emulator.netsim.traffic.FrameBuilder;
import net.sluice.emulator.netsim.traffic.TrafficSource;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.profile.MarkerSettings;
import net.sluice.standalone.StandaloneController;
import net.sluice.testing.Http;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Contracts of aggregates, from a declaration over REST to the codepoints of what comes out. */
class AggregateTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final int FRAME_BYTES = 1_000;
  private static final long SECOND = 1_000_000_000L;
  private static final int IN = 10;
  private static final int OUT = 12;
  private static final int DSCP_BYTE = 15;
  private static final DefaultTopology TOPOLOGY =
      new DefaultTopology(SECOND, new DefaultTopology(1).marker(), "emulator-aggregate");

  @TempDir Path data;

  private String api;

  /** By flow: packets with the codepoint of IN, and of OUT. */
  private final long[] inPackets = new long[2];

  private final long[] outPackets = new long[2];

  private JsonNode send(int status, String method, String path, String body)
      throws IOException, InterruptedException {
    HttpResponse<String> response = Http.send(method, URI.create(api + path), body);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    return MAPPER.readTree(response.body());
  }

  private JsonNode put(int status, String id, String more)
      throws IOException, InterruptedException {
    return send(
        status,
        "PUT",
        "/subscribers/" + id + "?waitMillis=60000",
        "{\"policy\":\"gold\",\"prefixes\":[\"10.0.0."
            + id.charAt(0) % 100
            + "/32\"],\"attachment\":{\"port\":0,\"tree\":3}"
            + more
            + "}");
  }

  private static String up(String terms) {
    return ",\"aggregate\":{\"up\":{" + terms + "}}";
  }

  private void policy() throws Exception {
    send(201, "PUT", "/policies/gold", "{\"throughputValue\":{\"builtIn\":\"gold\"}}");
  }

  private JsonNode marked(String id) throws Exception {
    return send(200, "GET", "/subscribers/" + id + "/counters", null).at("/aggregate/up");
  }

  private static void offer(TrafficSource source, int port, long rateBps) {
    source.addFlow(
        new FlowSpec(
            new FrameBuilder()
                .frameBytes(FRAME_BYTES)
                .addresses("10.0.0.97", "192.0.2." + port)
                .build(),
            rateBps,
            0,
            20 * SECOND,
            new ArrivalProcess.Poisson()));
  }

  private long[] markedUntil(EmbeddedTargets targets, double seconds) {
    long[] before = {inPackets[0], inPackets[1]};
    targets.simulation().runUntil(Math.round(seconds * SECOND));
    return new long[] {inPackets[0] - before[0], inPackets[1] - before[1]};
  }

  /** A polite flow of 1 Mbit/s beside one of 8 under a contract of 1 Mbit/s. */
  @Test
  void fsamSharesIntoHalvesWhatATokenBucketGivesToTheGreedyFlow() throws Exception {
    try (EmbeddedTargets targets = EmbeddedTargets.start(TOPOLOGY, 1);
        StandaloneController standalone =
            StandaloneController.start(List.of(targets.remote()), data, ANY)) {
      api = "" + standalone.api();
      policy();
      JsonNode answer = put(201, "acme", up("\"cirBps\":1000000,\"marker\":\"token-bucket\""));
      assertThat(answer.at("/targets/0/state").asText()).as("%s", answer).isEqualTo("INSTALLED");
      assertThat(answer.at("/declared/aggregate/up/burstBytes").asLong())
          .as("%s", answer)
          .isEqualTo(25_000);
      targets
          .corePort()
          .connect(
              (bytes, offset, length, tag, nowNanos) -> {
                int dscp = (bytes[offset + DSCP_BYTE] & 0xff) >> 2;
                assertThat(dscp).isIn(IN, OUT);
                (dscp == IN ? inPackets : outPackets)[FlowTag.flowId(tag)]++;
              });
      TrafficSource source = new TrafficSource(targets.simulation(), targets.accessPort(), 1);
      offer(source, 1, 1_000_000);
      offer(source, 2, 8_000_000);

      long[] bucket = markedUntil(targets, 8);
      assertThat(8.0 * FRAME_BYTES * (bucket[0] + bucket[1]) / 8).isCloseTo(1e6, within(0.05e6));
      assertThat(bucket[0] / (double) bucket[1]).isLessThan(0.2);

      put(200, "acme", up("\"cirBps\":1000000,\"marker\":\"f-sam\""));
      markedUntil(targets, 10);
      long[] fair = markedUntil(targets, 18);
      assertThat(8.0 * FRAME_BYTES * (fair[0] + fair[1]) / 8).isCloseTo(1e6, within(0.1e6));
      assertThat(fair[0] / (double) fair[1]).isCloseTo(1, within(0.25));

      JsonNode counted = marked("acme");
      assertThat(counted.get("packetsInProfile").asLong()).isEqualTo(inPackets[0] + inPackets[1]);
      assertThat(counted.get("packetsOutOfProfile").asLong())
          .isEqualTo(outPackets[0] + outPackets[1]);
      assertThat(counted.get("bytesInProfile").asLong())
          .isEqualTo(FRAME_BYTES * counted.get("packetsInProfile").asLong());

      // The next contract has the same registers, and counts from zero.
      put(200, "acme", "");
      assertThat(marked("acme").isMissingNode()).isTrue();
      put(201, "bolt", up("\"cirBps\":1000000,\"marker\":\"pam\""));
      assertThat(marked("bolt").get("packetsInProfile").asLong()).isZero();
    }
  }

  /** A controller that starts anew finds every entry as it was, and keeps the contract's number. */
  @Test
  void contractsAreKeptExportedComparedAndRefused() throws Exception {
    try (EmbeddedTargets targets = EmbeddedTargets.start(TOPOLOGY, 1)) {
      String weighted =
          "\"cirBps\":600000000,\"burstBytes\":40000,\"marker\":\"f-sam\",\"averagingMillis\":100,"
              + "\"windowMillis\":300,\"weights\":[{\"dscp\":46,\"weight\":4.0}],\"inDscp\":1,"
              + "\"outDscp\":2";
      JsonNode declared;
      try (StandaloneController standalone =
          StandaloneController.start(List.of(targets.remote()), data, ANY)) {
        api = "" + standalone.api();
        policy();
        put(201, "acme", up("\"cirBps\":1000000,\"marker\":\"tsw2cm\""));
        JsonNode answer = put(201, "bolt", up(weighted));
        declared = answer.get("declared");
        assertThat(declared.at("/aggregate/up")).isEqualTo(MAPPER.readTree("{" + weighted + "}"));
        assertThat(answer.get("notes").toString())
            .contains("aggregate.up.averagingMillis: 95, the nearest that the switch has")
            .contains(
                "aggregate.up.cirBps: contracts on switch port 1 add up to 601000000 bit/s, at most"
                    + " 1000000000")
            .contains("contracts on the routes add up to 601000000 bit/s");
        JsonNode tooMuch = put(409, "coil", up("\"cirBps\":500000000,\"marker\":\"pam\""));
        assertThat(tooMuch.at("/errors/0").toString())
            .isEqualTo(
                "{\"field\":\"aggregate.up.cirBps\",\"value\":\"500000000\",\"allowed\":\"at most"
                    + " 399000000 bit/s\"}");
        JsonNode line = put(422, "coil", up("\"cirBps\":1000000001,\"marker\":\"pam\""));
        assertThat(line.at("/errors/0/allowed").asText()).isEqualTo("at most 1000000000 bit/s");
        assertThat(
                put(422, "coil", up("\"cirBps\":1000000,\"burstBytes\":1599,\"marker\":\"pam\""))
                    .at("/errors/0")
                    .toString())
            .isEqualTo(
                "{\"field\":\"aggregate.up.burstBytes\",\"value\":\"1599\",\"allowed\":\"1600 to"
                    + " 2000000\"}");
        assertThat(
                put(422, "coil", up("\"cirBps\":1000000,\"marker\":\"red\""))
                    .at("/errors/0")
                    .toString())
            .isEqualTo(
                "{\"field\":\"aggregate.up.marker\",\"value\":\"\\\"red\\\"\",\"allowed\":"
                    + "\"token-bucket, tsw2cm, pam, f-sam\"}");
        put(400, "coil", up("\"cirBps\":1000000,\"marker\":\"pam\",\"windowMillis\":5"));
        put(422, "coil", ",\"aggregate\":{}");
        JsonNode limit =
            send(
                409,
                "PUT",
                "/rate-limits/tree",
                "{\"scope\":{\"port\":0,\"tree\":3},\"upBps\":600000000}");
        assertThat(limit.at("/errors/0/field").asText()).isEqualTo("upBps");
        // What is committed once may be promised to more, if the operator says so.
        send(
            201,
            "PUT",
            "/rate-limits/tree",
            "{\"scope\":{\"port\":0,\"tree\":3},\"upBps\":600000000,\"maxCommittedPercent\":101}");
        String export = Http.send("GET", URI.create(api + "/export"), null).body();
        assertThat(export).contains("\"aggregate\":{\"up\":{\"cirBps\":600000000,");
      }
      try (StandaloneController standalone =
          StandaloneController.start(List.of(targets.remote()), data, ANY)) {
        api = "" + standalone.api();
        JsonNode answer = put(200, "bolt", up(weighted));
        assertThat(answer.get("declared")).isEqualTo(declared);
        assertThat(answer.at("/targets/0/state").asText()).isEqualTo("INSTALLED");
        JsonNode drift = send(200, "GET", "/targets/switch/drift", null);
        assertThat(drift.get("tables")).as("%s", drift).isEmpty();
        send(204, "DELETE", "/subscribers/bolt?waitMillis=60000", null);
        JsonNode status = send(200, "GET", "/status", null);
        assertThat(status.toString())
            .contains("{\"resource\":\"aggregates\",\"used\":1,\"size\":2048}")
            .contains("{\"resource\":\"flow-weights\",\"used\":0,\"size\":16384}");
      }
    }
  }

  @Test
  void aSwitchWhoseProgramMarksNoneRefusesThem() throws Exception {
    try (EmbeddedTargets targets = EmbeddedTargets.start(new DefaultTopology(SECOND), 1);
        StandaloneController standalone =
            StandaloneController.start(List.of(targets.remote()), data, ANY)) {
      api = "" + standalone.api();
      policy();
      assertThat(
              put(422, "acme", up("\"cirBps\":1000000,\"marker\":\"pam\""))
                  .at("/errors/0")
                  .toString())
          .isEqualTo("{\"field\":\"aggregate\",\"value\":\"given\",\"allowed\":\"absent\"}");
    }
  }

  /** 4 Mbit/s within the contract and 12 without, towards a line of 10. */
  @Test
  void rioKeepsPacketsWithinTheContractAndDropsTheOthers() throws Exception {
    DefaultTopology narrow =
        new DefaultTopology(10_000_000, TOPOLOGY.marker(), "emulator-aggregate");
    try (EmbeddedTargets targets = EmbeddedTargets.start(narrow, 1);
        StandaloneController standalone =
            StandaloneController.start(List.of(targets.remote()), data, ANY)) {
      api = "" + standalone.api();
      policy();
      put(
          201,
          "acme",
          ",\"aggregate\":{\"down\":{\"cirBps\":4000000,\"marker\":\"token-bucket\"}}");
      targets
          .accessPort()
          .connect(
              (bytes, offset, length, tag, nowNanos) ->
                  ((bytes[offset + DSCP_BYTE] & 0xff) >> 2 == IN ? inPackets : outPackets)[0]++);
      new TrafficSource(targets.simulation(), targets.corePort(), 1)
          .addFlow(
              new FlowSpec(
                  new FrameBuilder()
                      .frameBytes(FRAME_BYTES)
                      .addresses("192.0.2.1", "10.0.0.97")
                      .build(),
                  16_000_000,
                  0,
                  20 * SECOND,
                  new ArrivalProcess.Poisson()));
      markedAndOut(targets, "down", 5);
      send(
          200,
          "PUT",
          "/policies/gold?waitMillis=60000",
          "{\"throughputValue\":{\"builtIn\":\"gold\"},\"rio\":{\"weightShift\":0,"
              + "\"in\":{\"minPackets\":40,\"maxPackets\":45,\"maxProbability\":1},"
              + "\"out\":{\"minPackets\":0,\"maxPackets\":2,\"maxProbability\":1}}}");
      markedAndOut(targets, "down", 6);
      long[] managed = markedAndOut(targets, "down", 11);
      assertThat(managed[1]).isCloseTo(managed[0], within(2L));
      assertThat(8.0 * FRAME_BYTES * managed[0] / 5).isCloseTo(4e6, within(0.1e6));

      JsonNode queue = send(200, "GET", "/queues", null).at("/queues/0");
      assertThat(queue.at("/aqm/kind").asText()).isEqualTo("none");
      assertThat(queue.at("/rio/limitPackets").asInt()).isEqualTo(50);
      assertThat(queue.at("/rioPackets/droppedIn").asLong()).isZero();
      assertThat(queue.at("/rioPackets/passedIn").asLong()).isGreaterThanOrEqualTo(managed[0]);
      assertThat(queue.at("/rioPackets/droppedOut").asLong()).isGreaterThan(3_000);
      assertThat(queue.get("droppedPackets")).isEqualTo(queue.at("/rioPackets/droppedOut"));
      send(202, "POST", "/targets/switch/reconcile", null);
      Patience.await(
          "the session",
          () -> send(200, "GET", "/targets/switch", null).get("session").asText(),
          "READY"::equals);
      assertThat(send(200, "GET", "/targets/switch/drift", null).get("tables")).isEmpty();
      send(200, "PUT", "/policies/gold", "{\"throughputValue\":{\"builtIn\":\"gold\"}}");
      assertThat(send(200, "GET", "/queues", null).get("queues")).isEmpty();
    }
  }

  /** A contract of 3 Mbit/s with a polite and a greedy flow beside a greedy subscriber without. */
  @Test
  void valuesLetContractsAndSingleSubscribersShareALine() throws Exception {
    // The senders bring more than a port of 10 Mbit/s could: R_max is what they may bring.
    DefaultTopology narrow =
        new DefaultTopology(
            10_000_000,
            new MarkerSettings(1_000_000_000, RandomRates.BITS_16),
            "emulator-aggregate");
    try (EmbeddedTargets targets = EmbeddedTargets.start(narrow, 1);
        StandaloneController standalone =
            StandaloneController.start(List.of(targets.remote()), data, ANY)) {
      api = "" + standalone.api();
      policy();
      put(201, "acme", up("\"cirBps\":3000000,\"marker\":\"f-sam\""));
      put(201, "bolt", "");
      long[] bytesOf = new long[3];
      targets
          .corePort()
          .connect(
              (bytes, offset, length, tag, nowNanos) -> {
                bytesOf[FlowTag.flowId(tag)] += length;
                if ((bytes[offset + DSCP_BYTE] & 0xff) >> 2 == IN) {
                  inPackets[0]++;
                }
              });
      TrafficSource source = new TrafficSource(targets.simulation(), targets.accessPort(), 1);
      offer(source, 1, 2_000_000);
      offer(source, 2, 10_000_000);
      source.addFlow(
          new FlowSpec(
              new FrameBuilder()
                  .frameBytes(FRAME_BYTES)
                  .addresses("10.0.0.98", "192.0.2.3")
                  .build(),
              12_000_000,
              0,
              20 * SECOND,
              new ArrivalProcess.Poisson()));
      markedAndOut(targets, "up", 6);
      long[] before = bytesOf.clone();
      long[] in = markedAndOut(targets, "up", 16);
      double[] mbps = new double[3];
      for (int flow = 0; flow < 3; flow++) {
        mbps[flow] = 8e-6 * (bytesOf[flow] - before[flow]) / 10;
      }
      String shares = "IN %d of %d, flows %s".formatted(in[1], in[0], Arrays.toString(mbps));
      assertThat((double) in[1]).as(shares).isGreaterThan(0.98 * in[0]);
      assertThat(8e-6 * FRAME_BYTES * in[0] / 10).as(shares).isCloseTo(3, within(0.3));
      assertThat((mbps[0] + mbps[1]) / mbps[2]).as(shares).isCloseTo(1, within(0.1));
    }
  }

  /** Packets marked IN until then, and packets with that codepoint that came out. */
  private long[] markedAndOut(EmbeddedTargets targets, String direction, double seconds)
      throws Exception {
    long marked = counted(direction);
    long out = inPackets[0];
    targets.simulation().runUntil(Math.round(seconds * SECOND));
    return new long[] {counted(direction) - marked, inPackets[0] - out};
  }

  private long counted(String direction) throws Exception {
    return send(200, "GET", "/subscribers/acme/counters", null)
        .at("/aggregate/" + direction + "/packetsInProfile")
        .asLong();
  }
}
