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
import net.sluice.core.Servers.SwitchEndpoint;
import net.sluice.emulator.netsim.traffic.ArrivalProcess;
import net.sluice.emulator.netsim.traffic.FlowSpec;
import net.sluice.emulator.netsim.traffic.FlowTag;
import net.sluice.emulator.netsim.traffic.FrameBuilder;
import net.sluice.emulator.netsim.traffic.TrafficSource;
import net.sluice.gates.P4RuntimeSwitch;
import net.sluice.pipeconf.p4info.V1ModelProgram;
import net.sluice.pipeconf.table.GateCodec;
import net.sluice.standalone.StandaloneController;
import net.sluice.testing.Http;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Update;

/** Limits that the emulated switch shapes, from a declaration over REST to what comes out. */
class SwitchShapedLimitTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final int FRAME_BYTES = 1_250;
  private static final long SECOND = 1_000_000_000L;

  @TempDir Path data;

  private String api;
  private final long[] receivedBytes = new long[2];

  private JsonNode send(String method, String path, String body)
      throws IOException, InterruptedException {
    HttpResponse<String> response = Http.send(method, URI.create(api + path), body);
    assertThat(response.statusCode()).as(response.body()).isBetween(200, 299);
    return MAPPER.readTree(response.body());
  }

  private JsonNode limit(String id, String scope, String rates)
      throws IOException, InterruptedException {
    JsonNode answer =
        send(
            "PUT",
            "/rate-limits/" + id + "?waitMillis=60000",
            "{\"scope\":" + scope + "," + rates + ",\"enforcement\":\"shape\"}");
    assertThat(answer.at("/targets/0/state").asText()).as("%s", answer).isEqualTo("INSTALLED");
    assertThat(answer.at("/granted/downLimiter").asText()).isEqualTo("shape");
    return answer;
  }

  private void declare(String subscriber, String address) throws Exception {
    send(
        "PUT",
        "/subscribers/" + subscriber,
        "{\"policy\":\"gold\",\"prefixes\":[\""
            + address
            + "/32\"],\"attachment\":{\"port\":0,\"tree\":3}}");
  }

  private static void offer(TrafficSource source, String address, long rateBps) {
    source.addFlow(
        new FlowSpec(
            new FrameBuilder().frameBytes(FRAME_BYTES).addresses("192.0.2.1", address).build(),
            rateBps,
            0,
            6 * SECOND,
            new ArrivalProcess.Cbr(false, 0)));
  }

  /** What each got from then on for a second, bit/s. */
  private double[] ratesBps(EmbeddedTargets targets, double fromSeconds) {
    targets.simulation().runUntil(Math.round(fromSeconds * SECOND));
    long[] before = receivedBytes.clone();
    targets.simulation().runUntil(Math.round((fromSeconds + 1) * SECOND));
    return new double[] {
      8.0 * (receivedBytes[0] - before[0]), 8.0 * (receivedBytes[1] - before[1])
    };
  }

  /**
   * Alice under 10 Mbit/s, then 5, and with bob under the tree's 15: all that comes in leaves at
   * these rates or is counted as what could not wait, also over a change of the rate; what was let
   * in is counted by its wait.
   */
  @Test
  void whatTheSwitchShapesKeepsToItsOwnRateAndItsTreesAndLosesNothingUncounted() throws Exception {
    try (EmbeddedTargets targets = EmbeddedTargets.start(new DefaultTopology(SECOND), 1);
        StandaloneController standalone =
            StandaloneController.start(List.of(targets.remote()), data, ANY)) {
      api = "" + standalone.api();
      send("PUT", "/policies/gold", "{\"throughputValue\":{\"builtIn\":\"gold\"}}");
      declare("alice", "10.0.0.1");
      declare("bob", "10.0.0.2");
      JsonNode granted = limit("alice", "{\"subscriber\":\"alice\"}", "\"downBps\":10000000");
      assertThat(granted.at("/granted/downBps").asLong()).isEqualTo(10_022_422);
      limit("tree", "{\"port\":0,\"tree\":3}", "\"downBps\":15000000");
      targets
          .accessPort()
          .connect(
              (bytes, offset, length, tag, nowNanos) ->
                  receivedBytes[FlowTag.flowId(tag)] += length);
      TrafficSource source = new TrafficSource(targets.simulation(), targets.corePort(), 1);
      offer(source, "10.0.0.1", 20_000_000);
      offer(source, "10.0.0.2", 12_000_000);

      // By then the buffer holds as much as it ever does, and packets wait as long in a loop.
      double[] first = ratesBps(targets, 1.5);
      assertThat(first[0] + first[1]).isCloseTo(15e6, within(0.15e6));
      assertThat(first[0]).isLessThan(10.05e6);
      limit("alice", "{\"subscriber\":\"alice\"}", "\"downBps\":5000000");
      double[] then = ratesBps(targets, 4);
      assertThat(then[0]).isCloseTo(5e6, within(0.05e6));
      assertThat(then[0] + then[1]).isCloseTo(15e6, within(0.15e6));

      targets.simulation().runUntil(8 * SECOND);
      for (String id : List.of("alice", "bob")) {
        JsonNode down = send("GET", "/subscribers/" + id + "/counters", null).get("down");
        assertThat(down.get("packetsOverflowed").asLong()).as("%s", down).isPositive();
        JsonNode shaped = down.get("shaped");
        assertThat(down.get("packetsIn").asLong())
            .as("%s", down)
            .isEqualTo(
                down.get("packetsOut").asLong()
                    + down.get("packetsOverflowed").asLong()
                    + shaped.get("packetsDropped").asLong());
        long letIn = 0;
        for (JsonNode range : shaped.get("waits")) {
          letIn += range.get("packets").asLong();
        }
        assertThat(letIn).as("%s", down).isEqualTo(down.get("packetsOut").asLong());
      }
    }
  }

  private JsonNode drift() throws IOException, InterruptedException {
    return send("GET", "/targets/switch/drift", null);
  }

  private static TableEntry gate() {
    return GateCodec.of(V1ModelProgram.DESCRIPTOR).entry(0, 1_000, 1, 7);
  }

  private String agent() throws IOException, InterruptedException {
    return send("GET", "/targets", null).at("/targets/0/agent").asText();
  }

  /** The agent is told of, and its entries are neither drift nor deleted. */
  @Test
  void whatTheAgentBesideTheSwitchWritesIsLeftAlone() throws Exception {
    try (EmbeddedTargets targets = EmbeddedTargets.start(new DefaultTopology(SECOND), 1);
        StandaloneController standalone =
            StandaloneController.start(List.of(targets.remote()), data, ANY)) {
      api = "" + standalone.api();
      send(
          "PUT", "/policies/gold?waitMillis=60000", "{\"throughputValue\":{\"builtIn\":\"gold\"}}");
      SwitchEndpoint at = targets.remote().servers().p4runtime();
      try (P4RuntimeSwitch agent =
          P4RuntimeSwitch.connect(new InetSocketAddress(at.host(), at.port()), 1, 1)) {
        Entity entry = Entity.newBuilder().setTableEntry(gate()).build();
        agent.write(
            List.of(Update.newBuilder().setType(Update.Type.INSERT).setEntity(entry).build()));
        Entity all =
            Entity.newBuilder()
                .setTableEntry(TableEntry.newBuilder().setTableId(gate().getTableId()))
                .build();
        JsonNode before = drift().path("comparedAt");
        HttpResponse<String> asked =
            Http.send("POST", URI.create(api + "/targets/switch/reconcile"), null);
        assertThat(asked.statusCode()).as(asked.body()).isEqualTo(202);
        Patience.await("the agent", this::agent, "election id 1"::equals);
        JsonNode drift =
            Patience.await(
                "a comparison",
                this::drift,
                compared -> !compared.path("comparedAt").equals(before));
        assertThat(drift.path("tables")).as("%s", drift).isEmpty();
        assertThat(agent.read(List.of(all))).containsExactly(entry);
      }
    }
  }
}
