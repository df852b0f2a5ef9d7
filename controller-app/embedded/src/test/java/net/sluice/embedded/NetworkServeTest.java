package net.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import net.sluice.cli.StartFailure;
import net.sluice.core.ControllerConfig.Comparing;
import net.sluice.core.Servers;
import net.sluice.endpoints.RocksDbIntentStore;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.profile.MarkerSettings;
import net.sluice.intents.value.Direction;
import net.sluice.rest.switches.SwitchForm;
import net.sluice.standalone.StandaloneController;
import net.sluice.standalone.http.HttpSettings;
import net.sluice.standalone.network.NetworkFile;
import net.sluice.standalone.network.RemoteSwitch;
import net.sluice.standalone.network.RemoteSwitchOptions;
import net.sluice.testing.Http;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One controller of two switches with their FPGAs, and its API, as {@code serve --network} runs it.
 */
final class NetworkServeTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final DefaultTopology TOPOLOGY = new DefaultTopology(1_000_000_000L);
  private static final MarkerSettings MARKER =
      new MarkerSettings(1_000_000_000L, RandomRates.BITS_16);
  private static final Map<String, byte[]> FILE =
      Map.of("bng1", "{\"of\":\"the file\"}".getBytes(StandardCharsets.UTF_8));
  private static final String GOLD = "{\"throughputValue\":{\"builtIn\":\"gold\"}}";

  @TempDir Path data;
  private EmbeddedTargets first;
  private EmbeddedTargets second;
  private StandaloneController standalone;

  @BeforeEach
  void start() throws StartFailure {
    first = EmbeddedTargets.start(TOPOLOGY, 1);
    second = EmbeddedTargets.start(TOPOLOGY, 2);
    open();
  }

  private void open() throws StartFailure {
    open(remote("bng1", first), remote("bng2", second));
  }

  private void open(RemoteSwitch... ofFile) throws StartFailure {
    NetworkFile.Contents file = new NetworkFile.Contents(List.of(ofFile), FILE);
    standalone =
        StandaloneController.start(
            file,
            NetworkFile.one(new RemoteSwitchOptions(), file, MARKER),
            data,
            HttpSettings.on(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
            Comparing.DEFAULT);
  }

  private static RemoteSwitch remote(String name, EmbeddedTargets targets) {
    Servers servers = targets.remote().servers();
    return new RemoteSwitch(
        name,
        TOPOLOGY.model(),
        new Servers(servers.p4runtime(), Optional.empty(), servers.fpgaDown(), servers.fpgaUp()));
  }

  @AfterEach
  void close() {
    standalone.close();
    first.close();
    second.close();
  }

  private JsonNode send(String method, String path, String body, int status) throws Exception {
    HttpResponse<String> response = Http.send(method, standalone.api() + path, body);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    return response.body().isEmpty() ? null : MAPPER.readTree(response.body());
  }

  private static String alice(String attachment) {
    return "{\"policy\":\"gold\",\"prefixes\":[\"10.0.0.1/32\"],\"attachment\":{"
        + attachment
        + "}}";
  }

  private static String document(EmbeddedTargets targets) {
    return "{\"p4runtime\": \""
        + RemoteSwitch.at(targets.remote().servers().p4runtime())
        + "\", \"topology\": {\"ports\": [{\"number\": 1, \"role\": \"access\", \"rateBps\":"
        + " 1000000000, \"destinationMac\": \"02:00:00:01:00:01\"}, {\"number\": 2, \"role\":"
        + " \"core\", \"rateBps\": 1000000000, \"destinationMac\": \"02:00:00:01:00:02\"}],"
        + " \"bngPorts\": {\"0\": 1}, \"routes\": [{\"prefix\": \"0.0.0.0/0\", \"port\": 2}]}}";
  }

  @Test
  void aSwitchIsDeclaredOverTheApiAndComesBackWithTheController() throws Exception {
    send("PUT", "/policies/gold?waitMillis=60000", GOLD, 201);
    try (EmbeddedTargets third = EmbeddedTargets.start(TOPOLOGY, 3)) {
      assertThat(send("PUT", "/switches/bng3", "{\"p4runtime\": 7}", 400).get("errors")).hasSize(2);
      JsonNode taken = send("PUT", "/switches/bng3", document(first), 409);
      assertThat(taken.at("/errors/0/field").asText()).isEqualTo("p4runtime");
      String agent = SwitchForm.text(first.remote().fpga(Direction.DOWN).orElseThrow());
      JsonNode fpga =
          send(
              "PUT",
              "/switches/bng3",
              document(third)
                  .replaceFirst("\\{", "{\"fpgaUp\": \"" + agent + "\", ")
                  .replace(
                      "}], \"bngPorts\"",
                      "}, {\"number\": 3, \"role\": \"sidecar\", \"direction\": \"up\","
                          + " \"rateBps\": 1000000000}], \"bngPorts\""),
              409);
      assertThat(fpga.at("/detail").asText())
          .isEqualTo(
              "fpgaUp is "
                  + agent
                  + "; allowed: an FPGA that is no other switch's or direction's; bng1 has this"
                  + " one.");
      JsonNode added = send("PUT", "/switches/bng3", document(third), 201);
      assertThat(added.at("/declared/topology/ports").size()).isEqualTo(2);
      send("PUT", "/switches/bng3", document(third), 200);
      JsonNode ofFile = send("GET", "/switches/bng1", null, 200);
      assertThat(ofFile.at("/declared/of").asText()).isEqualTo("the file");
      String alice = alice("\"switch\":\"bng3\",\"port\":0,\"tree\":3");
      send("PUT", "/subscribers/alice?waitMillis=60000", alice, 201);
      assertThat(send("DELETE", "/switches/bng3", null, 409).at("/detail").asText())
          .isEqualTo("Switch bng3 is in use: 1 subscriber, such as alice.");
      standalone.close();
      open();
      assertThat(send("GET", "/switches", null, 200).get("switches")).hasSize(3);
      send("DELETE", "/subscribers/alice?waitMillis=60000", null, 204);
      send("DELETE", "/switches/bng3", null, 204);
      send("GET", "/switches/bng3", null, 404);
      assertThat(send("GET", "/switches", null, 200).get("switches")).hasSize(2);
    }
  }

  /** The document with the queues of its core port managed. */
  private static String managed(EmbeddedTargets targets, String aqm) {
    return document(targets)
        .replace(
            "\"destinationMac\": \"02:00:00:01:00:02\"",
            "\"aqm\": " + aqm + ", \"destinationMac\": \"02:00:00:01:00:02\"");
  }

  private JsonNode aqmOfPort2() throws Exception {
    for (JsonNode queue : send("GET", "/queues", null, 200).get("queues")) {
      if (queue.get("switch").asText().equals("bng3") && queue.get("port").asInt() == 2) {
        return queue.get("aqm");
      }
    }
    return null;
  }

  @Test
  void theAqmOfAPortIsChangedOverTheApi() throws Exception {
    String aqm = "{\"kind\": \"rfc8289\", \"targetMicros\": %d, \"intervalMicros\": %d}";
    try (EmbeddedTargets third = EmbeddedTargets.start(TOPOLOGY, 3)) {
      send("PUT", "/switches/bng3", document(third), 201);
      awaitAqm(null);
      send("PUT", "/switches/bng3", managed(third, aqm.formatted(5_000, 100_000)), 200);
      awaitAqm(5_000);
      JsonNode above =
          send("PUT", "/switches/bng3", managed(third, aqm.formatted(200_000, 100_000)), 422);
      assertThat(above.at("/errors/0/field").asText())
          .isEqualTo("topology.ports[1].aqm.targetMicros");
      JsonNode kind =
          send(
              "PUT",
              "/switches/bng3",
              managed(third, aqm.formatted(5_000, 100_000).replace("rfc8289", "red")),
              422);
      assertThat(kind.at("/errors/0/field").asText()).isEqualTo("topology.ports[1].aqm.kind");
      assertThat(kind.at("/errors/0/value").asText()).isEqualTo("\"red\"");
      awaitAqm(5_000);
      send("PUT", "/switches/bng3", managed(third, aqm.formatted(2_000, 100_000)), 200);
      awaitAqm(2_000);
      send("DELETE", "/switches/bng3", null, 204);
    }
  }

  /** Waits until the switch has answered and tells what it is asked to be. */
  private void awaitAqm(Integer targetMicros) throws Exception {
    assertThat(standalone.controller().awaitAllInstalled(Patience.TIME)).isTrue();
    JsonNode aqm = aqmOfPort2();
    assertThat(aqm == null ? null : aqm.get("targetMicros").asInt()).isEqualTo(targetMicros);
  }

  /** The document with one more port, which leads to another switch. */
  private static String joined(EmbeddedTargets targets, String direction, String trunks) {
    return document(targets)
        .replace(
            "}], \"bngPorts\"",
            "}, {\"number\": 3, \"role\": \"trunk\", \"direction\": \""
                + direction
                + "\", \"rateBps\": 1000000000, \"destinationMac\": \"02:00:00:01:00:03\"}],"
                + " \"trunks\": ["
                + trunks
                + "], \"bngPorts\"");
  }

  @Test
  void trunksAreDeclaredOverTheApi() throws Exception {
    String trunk = "{\"port\": 3, \"toSwitch\": \"agg\", \"toPort\": 3}";
    String shown = "[{\"port\":3,\"toSwitch\":\"bng3\",\"toPort\":3}]";
    try (EmbeddedTargets third = EmbeddedTargets.start(TOPOLOGY, 3);
        EmbeddedTargets fourth = EmbeddedTargets.start(TOPOLOGY, 4)) {
      JsonNode nowhere = send("PUT", "/switches/bng3", joined(third, "down", trunk), 422);
      assertThat(nowhere.at("/errors/0/field").asText()).isEqualTo("topology.trunks[0].toSwitch");
      assertThat(nowhere.at("/errors/0/value").asText()).isEqualTo("agg");
      assertThat(nowhere.at("/errors/0/allowed").asText())
          .isEqualTo("another switch of the network: bng1, bng2");
      send("PUT", "/switches/agg", joined(fourth, "up", ""), 201);
      JsonNode added = send("PUT", "/switches/bng3", joined(third, "down", trunk), 201);
      assertThat(added.at("/trunks/0/toSwitch").asText()).isEqualTo("agg");
      assertThat(send("GET", "/switches/agg", null, 200).get("trunks").toString()).isEqualTo(shown);
      assertThat(send("DELETE", "/switches/agg", null, 409).at("/detail").asText())
          .isEqualTo("Switch agg is in use: trunks come to it from bng3 port 3.");
      JsonNode cut = send("PUT", "/switches/agg", document(fourth), 409);
      assertThat(cut.at("/errors/0/field").asText()).isEqualTo("topology");
      send("PUT", "/switches/agg", document(first), 409);
      standalone.close();
      open();
      assertThat(send("GET", "/switches/agg", null, 200).get("trunks").toString()).isEqualTo(shown);
      send("DELETE", "/switches/bng3", null, 204);
      send("DELETE", "/switches/agg", null, 204);
    }
  }

  @Test
  void aStoredSwitchWhoseDeviceTheFileHasNowIsOutOfReach() throws Exception {
    String trunk = "{\"port\": 3, \"toSwitch\": \"agg\", \"toPort\": 3}";
    try (EmbeddedTargets third = EmbeddedTargets.start(TOPOLOGY, 3);
        EmbeddedTargets fourth = EmbeddedTargets.start(TOPOLOGY, 4)) {
      send("PUT", "/switches/agg", joined(fourth, "up", ""), 201);
      send("PUT", "/switches/bng3", joined(third, "down", trunk), 201);
      standalone.close();
      open(remote("bng1", first), remote("bng2", third));
      assertThat(standalone.switches()).extracting(RemoteSwitch::name).contains("agg", "bng3");
      JsonNode status = send("GET", "/targets/bng3", null, 200);
      assertThat(status.get("session").asText()).isEqualTo("CONNECTING");
      assertThat(status.get("detail").asText())
          .startsWith(
              "not connected, because this start does not allow what is stored of the switch:"
                  + " p4runtime is ")
          .contains("; allowed: a device that no other switch is; bng2 has this one. ");
      send("GET", "/switches/bng3", null, 200);
      standalone.close();
      assertThatThrownBy(() -> open(remote("bng1", first), remote("agg", second)))
          .isInstanceOf(StartFailure.class)
          .hasMessage(
              "the switches cannot be driven together: bng3 topology.trunks[0].toPort is 3;"
                  + " allowed: a port of role trunk of agg: there is none");
      open();
      send("GET", "/switches/bng3", null, 200);
    }
  }

  @Test
  void aStoredSwitchThatIsNotAllowedAnyMoreDoesNotKeepTheControllerFromStarting() throws Exception {
    send("PUT", "/policies/gold?waitMillis=60000", GOLD, 201);
    String elsewhere = document(first).replaceFirst("127.0.0.1:\\d+", "192.0.2.9:9559");
    JsonNode refused = send("PUT", "/switches/bng3", elsewhere, 422);
    assertThat(refused.at("/errors/0/field").asText()).isEqualTo("p4runtime");
    standalone.close();
    try (RocksDbIntentStore store = new RocksDbIntentStore(data)) {
      store.declare("bng3", Optional.of(elsewhere.getBytes(StandardCharsets.UTF_8)));
    }
    open();
    JsonNode target = send("GET", "/targets/bng3", null, 200);
    assertThat(target.get("detail").asText())
        .contains(" p4runtime is 192.0.2.9:9559; allowed: 127.0.0.0/8, ::1, 127.0.0.1:");
    assertThat(send("GET", "/switches/bng3", null, 200).at("/declared/p4runtime").asText())
        .isEqualTo("192.0.2.9:9559");
    String alice = alice("\"switch\":\"bng3\",\"port\":0,\"tree\":3");
    JsonNode put = send("PUT", "/subscribers/alice?waitMillis=0", alice, 201);
    assertThat(put.at("/targets/0/state").asText()).isEqualTo("PENDING");
    assertThat(send("GET", "/targets/bng1", null, 200).get("session").asText())
        .isNotEqualTo("CLOSED");
    try (EmbeddedTargets third = EmbeddedTargets.start(TOPOLOGY, 3)) {
      send("PUT", "/switches/bng3", document(third), 200);
      assertThat(standalone.controller().awaitAllInstalled(Patience.TIME)).isTrue();
      assertThat(send("GET", "/subscribers/alice", null, 200).at("/targets/0/state").asText())
          .isEqualTo("INSTALLED");
    }
  }

  /** What a switch counts is told whatever another one does. */
  @Test
  void theQueuesOfASwitchAreToldWhileAnotherIsAway() throws Exception {
    String aqm = "{\"kind\": \"rfc8289\", \"targetMicros\": 5000, \"intervalMicros\": 100000}";
    try (EmbeddedTargets third = EmbeddedTargets.start(TOPOLOGY, 3)) {
      send("PUT", "/switches/bng3", managed(third, aqm), 201);
      awaitAqm(5_000);
    }
    String silver = GOLD.replace("}}", "}, \"aqm\": " + aqm + "}");
    send("PUT", "/policies/silver?waitMillis=0", silver, 201);
    String alice = alice("\"switch\":\"bng1\",\"port\":0,\"tree\":3").replace("gold", "silver");
    send("PUT", "/subscribers/alice?waitMillis=60000", alice, 201);
    JsonNode queues = send("GET", "/queues", null, 200);
    assertThat(queues.get("queues")).hasSize(1);
    assertThat(queues.at("/queues/0/switch").asText()).isEqualTo("bng1");
    assertThat(queues.at("/unread/0/switch").asText()).isEqualTo("bng3");
    assertThat(queues.at("/unread/0/error").asText())
        .startsWith("the switch's counters cannot be read: ");
    String metrics = Http.send("GET", standalone.api() + "/metrics", null).body();
    assertThat(metrics)
        .contains("sluice_queue_cycles_total{port=\"1\",queue=\"0\",switch=\"bng1\"} 0.0\n")
        .doesNotContain("sluice_queue_cycles_total{port=\"1\",queue=\"0\",switch=\"bng3\"");
  }

  /** As an operator does who keeps snapshots of the directory. */
  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = to.resolve(from.relativize(file));
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    }
  }

  private static void empty(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        if (!file.equals(directory)) {
          Files.delete(file);
        }
      }
    }
  }

  @Test
  void anOlderStoreIsRefusedWhereItLacksSomethingUntilItIsAdopted(@TempDir Path snapshot)
      throws Exception {
    String alice = alice("\"switch\":\"bng1\",\"port\":0,\"tree\":3");
    send("PUT", "/policies/gold?waitMillis=60000", GOLD, 201);
    send("PUT", "/subscribers/alice?waitMillis=60000", alice, 201);
    standalone.close();
    copy(data, snapshot);
    open();
    assertThat(standalone.controller().awaitAllInstalled(Patience.TIME)).isTrue();
    send("PUT", "/subscribers/bob?waitMillis=60000", alice.replace("0.0.1/", "0.0.2/"), 201);
    standalone.close();
    // With the store as it was, however often it is opened.
    open();
    assertThat(standalone.controller().awaitAllInstalled(Patience.TIME)).isTrue();
    standalone.close();
    empty(data);
    copy(snapshot, data);
    open();

    JsonNode refusing = awaitSession("bng1", "REFUSING");
    assertThat(refusing.get("detail").asText())
        .contains("the store has gone back. It was known to have commits up to revision 3, ")
        .contains("of which 1 would be deleted. ");
    awaitSession("bng2", "READY");
    assertThat(send("GET", "/targets/bng1/drift", null, 200).get("revisionKept").asLong())
        .isEqualTo(3);
    // Declared again, bob is served all the time, and it still takes somebody's word.
    send("PUT", "/subscribers/bob?waitMillis=0", alice.replace("0.0.1/", "0.0.2/"), 201);
    send("POST", "/targets/bng1/reconcile", null, 202);
    assertThat(awaitSession("bng1", "REFUSING").get("detail").asText())
        .contains("which it does not have; its own last is 3. ")
        .contains("of which 0 would be deleted. ");
    send("POST", "/targets/bng1/adopt", null, 202);
    awaitSession("bng1", "READY");
    send("POST", "/targets/bng1-fpga-down/adopt", null, 409);
    assertThat(standalone.controller().awaitAllInstalled(Patience.TIME)).isTrue();
  }

  private JsonNode awaitSession(String target, String session) throws Exception {
    return Patience.await(
        "the session of " + target,
        () -> send("GET", "/targets/" + target, null, 200),
        found -> found.get("session").asText().equals(session));
  }

  @Test
  void aSwitchThatCannotRunThePipelineIsRefused() throws Exception {
    JsonNode without =
        send(
            "PUT",
            "/switches/bng3",
            document(first).replaceFirst("\\{", "{\"profile\": \"stratum-tofino2\", "),
            422);
    assertThat(without.at("/errors/0/field").asText()).isEqualTo("profile");
    assertThat(without.at("/errors/0/value").asText()).isEqualTo("stratum-tofino2");
    assertThat(without.at("/detail").asText())
        .isEqualTo(
            "the switch cannot run this: profile is stratum-tofino2; allowed: a profile with a"
                + " compiled program; there is none for t2na yet");
    assertThat(send("GET", "/switches", null, 200).get("switches")).hasSize(2);
  }

  @Test
  void whatAnotherSwitchHasOrIsNotThereIsRefused() throws Exception {
    send("PUT", "/policies/gold?waitMillis=60000", GOLD, 201);
    String at = "\"port\":0,\"tree\":3";
    send("PUT", "/subscribers/alice", alice("\"switch\":\"bng1\"," + at), 201);
    JsonNode nowhere = send("PUT", "/subscribers/bob", alice("\"switch\":\"bng9\"," + at), 422);
    assertThat(nowhere.at("/detail").asText())
        .isEqualTo("attachment.switch is bng9; allowed: one of bng1, bng2.");
    JsonNode taken = send("PUT", "/subscribers/bob", alice("\"switch\":\"bng2\"," + at), 409);
    assertThat(taken.at("/errors/0/field").asText()).isEqualTo("prefixes[0]");
    assertThat(taken.at("/detail").asText())
        .isEqualTo("10.0.0.1/32 overlaps a prefix of subscriber alice on switch bng1.");
    String both =
        alice("\"switch\":\"bng2\",\"port\":0,\"tree\":3").replace("\"gold\"", "\"bronze\"");
    for (String path : new String[] {"/subscribers/bob", "/subscribers/bob?dryRun=true"}) {
      JsonNode errors = send("PUT", path, both, 422).get("errors");
      assertThat(errors.findValuesAsText("field")).containsExactly("policy", "prefixes[0]");
    }
  }

  @Test
  void oneApiDrivesTwoSwitches() throws Exception {
    JsonNode gold = send("PUT", "/policies/gold?waitMillis=60000", GOLD, 201);
    assertThat(gold.at("/targets/0/target").asText()).isEqualTo("bng1");
    assertThat(gold.at("/targets/1/target").asText()).isEqualTo("bng2");
    assertThat(gold.at("/targets/1/state").asText()).isEqualTo("INSTALLED");

    JsonNode refused = send("PUT", "/subscribers/alice", alice("\"port\":0,\"tree\":3"), 422);
    assertThat(refused.at("/errors/0/field").asText())
        .as(refused.toString())
        .isEqualTo("attachment.switch");

    JsonNode alice =
        send(
            "PUT",
            "/subscribers/alice?waitMillis=60000",
            alice("\"switch\":\"bng2\",\"port\":0,\"tree\":3"),
            201);
    assertThat(alice.at("/declared/attachment/switch").asText()).isEqualTo("bng2");
    assertThat(alice.at("/targets/0/target").asText()).isEqualTo("bng2");
    JsonNode limit =
        send(
            "PUT",
            "/rate-limits/alice?waitMillis=60000",
            "{\"scope\":{\"subscriber\":\"alice\"},\"downBps\":50000000}",
            201);
    assertThat(limit.at("/targets/1/target").asText()).isEqualTo("bng2-fpga-down");
    JsonNode tree =
        send(
            "PUT",
            "/rate-limits/tree?waitMillis=60000",
            "{\"scope\":{\"switch\":\"bng2\",\"port\":0,\"tree\":3},\"downBps\":80000000}",
            201);
    assertThat(tree.at("/declared/scope/switch").asText()).isEqualTo("bng2");
    assertThat(send("GET", "/subscribers/alice", null, 200).at("/effective/downBps").asLong())
        .isEqualTo(50_080_128);

    JsonNode moved =
        send(
            "PUT",
            "/subscribers/alice?waitMillis=60000",
            alice("\"switch\":\"bng1\",\"port\":0,\"tree\":3"),
            200);
    assertThat(moved.at("/targets/0/target").asText()).isEqualTo("bng1");
    assertThat(moved.at("/limits").size()).isEqualTo(1);

    // A limit moves, too, to a subscriber of another switch.
    String bob = alice("\"switch\":\"bng2\",\"port\":0,\"tree\":3").replace("10.0.0.1", "10.0.0.2");
    send("PUT", "/subscribers/bob?waitMillis=60000", bob, 201);
    send(
        "PUT",
        "/rate-limits/alice",
        "{\"scope\":{\"subscriber\":\"bob\"},\"downBps\":50000000}",
        200);

    JsonNode status = send("GET", "/status", null, 200);
    assertThat(status.at("/switches/0/switch").asText()).isEqualTo("bng1");
    assertThat(status.at("/switches/1/tables").size()).isPositive();
    assertThat(status.get("targets")).hasSize(6);
    assertThat(send("GET", "/targets/bng2-fpga-up", null, 200).get("session").asText())
        .isEqualTo("READY");

    standalone.close();
    open();
    assertThat(
            send("GET", "/subscribers/alice", null, 200).at("/declared/attachment/switch").asText())
        .isEqualTo("bng1");
  }
}
