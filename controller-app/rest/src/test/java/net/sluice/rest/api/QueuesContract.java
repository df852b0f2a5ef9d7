package net.sluice.rest.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import net.sluice.core.ControllerException;
import net.sluice.rest.testing.MemoryController;
import net.sluice.rest.testing.TestServer;
import net.sluice.rest.testing.Transcript;
import net.sluice.testing.Golden;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How queues are managed, over HTTP. */
class QueuesContract {
  private static final String ACT =
      policy("{\"kind\":\"codel-act\",\"targetMicros\":5000,\"intervalMicros\":100000}");
  private static final String RIO =
      "{\"throughputValue\":{\"builtIn\":\"gold\"},\"rio\":{\"limitPackets\":90}}";
  private static final String SUBSCRIBER =
      "{\"policy\":\"%s\",\"prefixes\":[\"%s\"],\"attachment\":{\"port\":%d,\"tree\":3}}";

  private final MemoryController controller = new MemoryController(3);
  private final TestServer server = new TestServer(controller);
  private final Transcript transcript = new Transcript(server);

  private static String policy(String aqm) {
    return "{\"throughputValue\":{\"builtIn\":\"gold\"},\"aqm\":" + aqm + "}";
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  @Test
  void policiesManageTheQueuesOfTheirSubscribers() throws Exception {
    transcript.json("GET", "/queues", null);
    transcript.json("PUT", "/policies/act", ACT);
    transcript.json(
        "PUT", "/subscribers/alice?dryRun=true", SUBSCRIBER.formatted("act", "10.0.0.1/32", 0));
    transcript.json("PUT", "/subscribers/alice", SUBSCRIBER.formatted("act", "10.0.0.1/32", 0));
    transcript.json("GET", "/queues", null);
    transcript.json(
        "PUT",
        "/policies/other",
        policy(
            "{\"kind\":\"p4-codel\",\"targetMicros\":5000,\"intervalMicros\":100000,\"ecn\":true}"));
    transcript.json("PUT", "/subscribers/bob", SUBSCRIBER.formatted("other", "10.0.0.2/32", 1));
    transcript.json(
        "PUT",
        "/policies/plain",
        policy("{\"kind\":\"rfc8289\",\"targetMicros\":5000,\"intervalMicros\":100000}"));
    transcript.json("PUT", "/policies/off", policy("{\"kind\":\"none\"}"));
    transcript.json("PUT", "/policies/act?dryRun=true", RIO);
    transcript.json("PUT", "/policies/act", RIO);
    transcript.json("GET", "/queues", null);
    transcript.json("GET", "/queues?port=1", null);
    controller.failWith(new ControllerException("the switch's counters cannot be read"));
    transcript.json("GET", "/queues", null);
    Golden.check("api-queues.txt", transcript.toString());
  }

  @Test
  void droppedPacketsAreToldByReason() throws Exception {
    transcript.json("GET", "/drops", null);
    transcript.json("GET", "/drops?reason=suspended", null);
    assertThat(server.send("GET", "/metrics", null).body())
        .contains(
            "# TYPE sluice_dropped_packets_total counter\n"
                + "sluice_dropped_packets_total{reason=\"suspended\"} 3.0\n")
        .contains("\nsluice_dropped_bytes_total{reason=\"suspended\"} 4500.0\n");
    controller.failWith(new ControllerException("the switch's counters cannot be read"));
    transcript.json("GET", "/drops", null);
    Golden.check("api-drops.txt", transcript.toString());
  }

  @Test
  void whatPassesWiresAndIsNobodysIsToldByPort() throws Exception {
    transcript.json("GET", "/wires", null);
    transcript.json("GET", "/wires?port=5", null);
    assertThat(server.send("GET", "/metrics", null).body())
        .contains("\nsluice_wire_unknown_packets_total{port=\"6\"} 10.0\n")
        .contains("\nsluice_wire_unknown_bytes_total{port=\"5\"} 400.0\n")
        .contains("\nsluice_wire_unknown_policed_packets_total{port=\"5\"} 0.0\n");
    controller.failWith(new ControllerException("the switch's counters cannot be read"));
    transcript.json("GET", "/wires", null);
    Golden.check("api-wires.txt", transcript.toString());
  }

  @Test
  void trafficOfAddressesThatNoSubscriberHasIsToldByPort() throws Exception {
    transcript.json("GET", "/unknown", null);
    transcript.json("GET", "/unknown?port=5&limit=1", null);
    transcript.json("GET", "/unknown?port=6", null);
    transcript.json("GET", "/unknown?switch=leaf9", null);
    transcript.json("GET", "/unknown?switch=leaf+9&port=-1&limit=0", null);
    controller.failWith(new ControllerException("the switch's program tells no addresses"));
    transcript.json("GET", "/unknown", null);
    Golden.check("api-unknown.txt", transcript.toString());
  }

  @Test
  void nextHopsThatAreGivenByTheirAddressesAreTold() throws Exception {
    transcript.json("GET", "/next-hops", null);
    transcript.json("GET", "/next-hops?port=2", null);
    assertThat(server.send("GET", "/metrics", null).body())
        .contains("\nsluice_next_hop_resolved{port=\"2\"} 0.0\n")
        .contains("\nsluice_next_hop_dropped_packets_total{port=\"2\"} 3.0\n")
        .contains("\nsluice_next_hop_dropped_bytes_total{port=\"2\"} 300.0\n");
    Golden.check("api-next-hops.txt", transcript.toString());
  }

  @Test
  void monitoringSeesTheCounters() throws Exception {
    assertThat(server.send("PUT", "/policies/act", ACT).statusCode()).isEqualTo(201);
    String alice = SUBSCRIBER.formatted("act", "10.0.0.1/32", 0);
    assertThat(server.send("PUT", "/subscribers/alice", alice).statusCode()).isEqualTo(201);
    HttpResponse<String> metrics = server.send("GET", "/metrics", null);
    assertThat(metrics.body())
        .contains(
            "# TYPE sluice_queue_dropped_packets_total counter\n"
                + "sluice_queue_dropped_packets_total{port=\"1\",queue=\"0\"} 12.0\n")
        .contains("\nsluice_queue_marked_packets_total{port=\"1\",queue=\"0\"} 3.0\n")
        .contains("\nsluice_queue_cycles_total{port=\"1\",queue=\"0\"} 7.0\n")
        .contains("\nsluice_queue_mirrored_packets_total{port=\"1\",queue=\"0\"} 11.0\n");
  }
}
