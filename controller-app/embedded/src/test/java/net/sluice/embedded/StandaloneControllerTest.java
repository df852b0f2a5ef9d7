package net.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import net.sluice.cli.StartFailure;
import net.sluice.core.ControllerConfig.Comparing;
import net.sluice.core.ControllerConfig.DeletionLimit;
import net.sluice.core.ControllerEvent;
import net.sluice.emulator.netsim.traffic.ArrivalProcess;
import net.sluice.emulator.netsim.traffic.CapturingSink;
import net.sluice.emulator.netsim.traffic.FlowSpec;
import net.sluice.emulator.netsim.traffic.FrameBuilder;
import net.sluice.emulator.netsim.traffic.TrafficSource;
import net.sluice.intents.plan.Table;
import net.sluice.pipeconf.profile.SwitchTargetProfile;
import net.sluice.pipeconf.profile.TargetProfiles;
import net.sluice.standalone.StandaloneController;
import net.sluice.standalone.http.HttpServer;
import net.sluice.standalone.http.HttpSettings;
import net.sluice.standalone.network.RemoteSwitch;
import net.sluice.testing.Http;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The controller, its API and the emulated targets together, as {@code serve} runs them. */
final class StandaloneControllerTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** What waits in the FPGA's queue at the end of a second follows after it: 100 ms. */
  private static final long QUEUED_BYTES = 50_080_128 / 80 + 1_250;

  private static final DefaultTopology TOPOLOGY = new DefaultTopology(1_000_000_000L);
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  @TempDir Path data;

  private JsonNode send(String method, URI uri, String body, int status)
      throws IOException, InterruptedException {
    HttpResponse<String> response = Http.send(method, uri, body);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    return MAPPER.readTree(response.body());
  }

  private static URI at(StandaloneController standalone, String path) {
    return URI.create(standalone.api() + path);
  }

  private void declareAlice(StandaloneController standalone)
      throws IOException, InterruptedException {
    send(
        "PUT",
        at(standalone, "/policies/gold?waitMillis=60000"),
        "{\"throughputValue\":{\"builtIn\":\"gold\"}}",
        201);
    send(
        "PUT",
        at(standalone, "/subscribers/alice?waitMillis=60000"),
        "{\"policy\":\"gold\",\"prefixes\":[\"10.0.0.1/32\"],"
            + "\"attachment\":{\"port\":0,\"tree\":3}}",
        201);
    JsonNode limit =
        send(
            "PUT",
            at(standalone, "/rate-limits/alice?waitMillis=60000"),
            "{\"scope\":{\"subscriber\":\"alice\"},\"downBps\":50000000}",
            201);
    assertThat(limit.at("/granted/downBps").asLong()).isEqualTo(50_080_128);
    assertThat(limit.get("targets")).hasSize(2);
    for (JsonNode target : limit.get("targets")) {
      assertThat(target.get("state").asText()).as(target.toString()).isEqualTo("INSTALLED");
    }
  }

  /** Offers alice 100 Mbit/s for a second of virtual time. */
  private static long deliveredBytes(EmbeddedTargets targets) {
    CapturingSink subscribers = new CapturingSink();
    targets.accessPort().connect(subscribers);
    TrafficSource source = new TrafficSource(targets.simulation(), targets.corePort(), 1);
    int flow =
        source.addFlow(
            new FlowSpec(
                new FrameBuilder().frameBytes(1_250).addresses("192.0.2.1", "10.0.0.1").build(),
                100_000_000,
                0,
                1_000_000_000L,
                new ArrivalProcess.Cbr(false, 0)));
    targets.simulation().runUntil(2_000_000_000L);
    assertThat(source.offeredPackets(flow)).isEqualTo(10_000);
    return subscribers.captures().stream().mapToLong(c -> c.bytes().length).sum();
  }

  @Test
  void whatIsDeclaredShapesTrafficAndTheCountersTellIt() throws Exception {
    try (EmbeddedTargets targets = EmbeddedTargets.start(TOPOLOGY, 1);
        StandaloneController standalone =
            StandaloneController.start(List.of(targets.remote()), data, ANY)) {
      declareAlice(standalone);
      long delivered = deliveredBytes(targets);
      JsonNode counters = send("GET", at(standalone, "/subscribers/alice/counters"), null, 200);
      assertThat(counters.at("/down/packetsIn").asLong()).isEqualTo(10_000);
      assertThat(counters.at("/down/bytesOut").asLong()).isEqualTo(delivered);
      assertThat(delivered).isBetween(6_100_000L, 6_400_000L + QUEUED_BYTES);
      assertThat(counters.at("/up/packetsIn").asLong()).isZero();
    }
  }

  private JsonNode awaitAccessPort(StandaloneController standalone, String state)
      throws IOException, InterruptedException {
    return Patience.await(
        "the access port is " + state,
        () -> send("GET", at(standalone, "/status"), null, 200),
        status ->
            StreamSupport.stream(status.get("ports").spliterator(), false)
                .anyMatch(
                    port ->
                        port.get("port").asInt() == DefaultTopology.ACCESS_PORT
                            && port.get("state").asText().equals(state)));
  }

  @Test
  void theStateOfPortsIsToldAndNoted() throws Exception {
    try (EmbeddedTargets targets = EmbeddedTargets.start(TOPOLOGY, 1);
        StandaloneController standalone =
            StandaloneController.start(List.of(targets.remote()), data, ANY)) {
      declareAlice(standalone);
      assertThat(awaitAccessPort(standalone, "UP").has("portDetail")).isFalse();
      targets.simulation().execute(() -> targets.accessPort().setLinkUp(false));
      awaitAccessPort(standalone, "DOWN");
      JsonNode alice = send("GET", at(standalone, "/subscribers/alice"), null, 200);
      assertThat(alice.get("notes").toString())
          .contains("BNG port 0 is down: switch port " + DefaultTopology.ACCESS_PORT)
          .contains("has no link; nothing passes until it is up");
      JsonNode bob =
          send(
              "PUT",
              at(standalone, "/subscribers/bob"),
              "{\"policy\":\"gold\",\"prefixes\":[\"10.0.0.2/32\"],"
                  + "\"attachment\":{\"port\":0,\"tree\":3}}",
              201);
      assertThat(bob.get("notes").toString()).contains("BNG port 0 is down");
      targets.simulation().execute(() -> targets.accessPort().setLinkUp(true));
      awaitAccessPort(standalone, "UP");
      alice = send("GET", at(standalone, "/subscribers/alice"), null, 200);
      assertThat(alice.get("notes").toString()).doesNotContain("is down");
    }
  }

  @Test
  void whatWasDeclaredSurvivesAndNewTargetsAreFilledWithIt() throws Exception {
    try (EmbeddedTargets targets = EmbeddedTargets.start(TOPOLOGY, 1);
        StandaloneController standalone =
            StandaloneController.start(List.of(targets.remote()), data, ANY)) {
      declareAlice(standalone);
    }
    try (EmbeddedTargets targets = EmbeddedTargets.start(TOPOLOGY, 2);
        StandaloneController standalone =
            StandaloneController.start(List.of(targets.remote()), data, ANY)) {
      assertThat(standalone.controller().awaitAllInstalled(Patience.TIME)).isTrue();
      JsonNode alice = send("GET", at(standalone, "/subscribers/alice"), null, 200);
      assertThat(alice.at("/effective/downBps").asLong()).isEqualTo(50_080_128);
      JsonNode status = send("GET", at(standalone, "/status"), null, 200);
      assertThat(status.get("allInstalled").asBoolean()).isTrue();
      assertThat(status.at("/targets/0/session").asText()).isEqualTo("READY");
      assertThat(deliveredBytes(targets)).isLessThan(6_400_000L + QUEUED_BYTES);
    }
  }

  @Test
  void virtualTimeKeepsPaceWithTheClockUntilClosed() throws Exception {
    EmbeddedTargets targets = EmbeddedTargets.start(TOPOLOGY, 1);
    try (targets) {
      long began = targets.simulation().nowNanos();
      long wall = System.nanoTime();
      targets.run();
      assertThatExceptionOfType(IllegalStateException.class).isThrownBy(targets::run);
      long now =
          Patience.await(
              "50 ms",
              () -> targets.simulation().query(() -> targets.simulation().nowNanos()),
              nanos -> nanos >= began + 50_000_000L);
      // It may lag, where the machine has other things to do, but is never early.
      assertThat(now - began).isLessThanOrEqualTo(System.nanoTime() - wall);
    }
    long stopped = targets.simulation().nowNanos();
    assertThat(targets.simulation().nowNanos()).isEqualTo(stopped);
  }

  @Test
  void whatTheApplicationDoesNotSeeIsAnsweredInTheSameForm() throws Exception {
    try (EmbeddedTargets targets = EmbeddedTargets.start(TOPOLOGY, 1);
        StandaloneController standalone =
            StandaloneController.start(List.of(targets.remote()), data, ANY)) {
      URI outside = standalone.api().resolve("/metrics");
      JsonNode problem = send("GET", outside, null, 404);
      assertThat(problem.get("type").asText()).isEqualTo("urn:sluice:problem:not-found");
      assertThat(problem.get("detail").asText())
          .isEqualTo("There is no resource /metrics; allowed: a path under /sluice/v1.");
      JsonNode slash =
          send("PUT", at(standalone, "/policies/a%2Fb"), "{\"throughputValue\":{}}", 400);
      assertThat(slash.at("/errors/0/field").asText()).isEqualTo("id");
    }
  }

  @Test
  void whatIsNotAvailableIsToldInOneLine() throws Exception {
    try (EmbeddedTargets targets = EmbeddedTargets.start(TOPOLOGY, 1);
        StandaloneController standalone =
            StandaloneController.start(List.of(targets.remote()), data, ANY)) {
      InetSocketAddress taken =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), standalone.api().getPort());
      String httpTaken =
          "cannot serve HTTP on 127.0.0.1:"
              + taken.getPort()
              + ": Address already in use; choose another address with --http";
      assertThatExceptionOfType(StartFailure.class)
          .isThrownBy(() -> HttpServer.requireFree(HttpSettings.on(taken)))
          .withMessage(httpTaken);
      assertThatExceptionOfType(StartFailure.class)
          .isThrownBy(
              () ->
                  StandaloneController.start(
                          List.of(targets.remote()), data.resolve("other"), taken)
                      .close())
          .withMessage(httpTaken);
      assertThatExceptionOfType(StartFailure.class)
          .isThrownBy(() -> EmbeddedTargets.start(TOPOLOGY, 1, taken).close())
          .withMessageStartingWith("cannot serve P4Runtime on 127.0.0.1:" + taken.getPort() + ": ")
          .withMessageEndingWith("Address already in use");
      assertThatExceptionOfType(StartFailure.class)
          .isThrownBy(
              () -> StandaloneController.start(List.of(targets.remote()), data, ANY).close())
          .withMessageStartingWith("cannot open the store in " + data + ": ");
      Path file = Files.createFile(data.resolve("file"));
      assertThatExceptionOfType(StartFailure.class)
          .isThrownBy(
              () -> StandaloneController.start(List.of(targets.remote()), file, ANY).close())
          .withMessage("cannot create the store's directory " + file + ": it is not a directory");
    }
  }

  @Test
  void targetsAreComparedAgainAfterTheIntervalThatIsAskedFor() throws Exception {
    Comparing soon =
        new Comparing(Optional.of(Duration.ofMillis(50)), DeletionLimit.DEFAULT, false);
    CountDownLatch switchTwice = new CountDownLatch(2);
    try (EmbeddedTargets targets = EmbeddedTargets.start(TOPOLOGY, 1);
        StandaloneController standalone =
            StandaloneController.start(
                List.of(targets.remote()), data, HttpSettings.on(ANY), soon)) {
      standalone.controller().awaitAllInstalled(Patience.TIME);
      standalone
          .controller()
          .listen(
              event -> {
                if (event instanceof ControllerEvent.Reconciled of
                    && of.target().equals("switch")) {
                  switchTwice.countDown();
                }
              });
      assertThat(switchTwice.await(Patience.TIME.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void aSmallerKindOfSwitchIsFullBeforeItIsWritten() throws Exception {
    SwitchTargetProfile emulator = TargetProfiles.loadSwitch("emulator");
    EnumMap<Table, Integer> tables = new EnumMap<>(emulator.tables());
    tables.put(Table.IPV4_PREFIX, 1);
    SwitchTargetProfile small = withTables(emulator, tables);
    try (EmbeddedTargets targets = EmbeddedTargets.start(TOPOLOGY, 1);
        StandaloneController standalone =
            StandaloneController.start(List.of(as(small, targets)), data, ANY)) {
      targets.run();
      declareAlice(standalone);
      JsonNode full =
          send(
              "PUT",
              at(standalone, "/subscribers/bob"),
              "{\"policy\":\"gold\",\"prefixes\":[\"10.0.0.2/32\"],"
                  + "\"attachment\":{\"port\":0,\"tree\":3}}",
              507);
      assertThat(full.at("/errors/0/field").asText()).isEqualTo("prefixes");
      assertThat(full.at("/errors/0/allowed").asText()).isEqualTo("at most 0");
      assertThat(full.at("/detail").asText()).contains("IPV4_PREFIX holds 1 entries, 1 are used");
    }
  }

  @Test
  void aKindOfSwitchWithoutProgramOrRoomIsRefusedAtTheStart() throws Exception {
    try (EmbeddedTargets targets = EmbeddedTargets.start(TOPOLOGY, 1)) {
      assertThatExceptionOfType(StartFailure.class)
          .isThrownBy(
              () ->
                  StandaloneController.start(
                      List.of(as(TargetProfiles.loadSwitch("stratum-tofino2"), targets)),
                      data,
                      ANY))
          .withMessage(
              "the switch cannot run this: profile is stratum-tofino2; allowed: a profile with a"
                  + " compiled program; there is none for t2na yet");
      assertThatExceptionOfType(StartFailure.class)
          .isThrownBy(
              () ->
                  StandaloneController.start(
                      List.of(as(TargetProfiles.loadSwitch("stratum-bmv2"), targets)), data, ANY))
          .withMessage(
              "the switch cannot run this: loopPorts is [505, 506, 507, 508]; allowed: absent: the"
                  + " switch's program shapes no limits");
    }
    assertThat(data).isEmptyDirectory();
  }

  /** The switch, planned for as another kind. */
  private static RemoteSwitch as(SwitchTargetProfile profile, EmbeddedTargets targets) {
    RemoteSwitch remote = targets.remote();
    RemoteSwitch.Model model = remote.model();
    return new RemoteSwitch(
        remote.name(),
        new RemoteSwitch.Model(
            profile, model.pipeline(), model.topology(), model.fpgas(), model.marker()),
        remote.servers());
  }

  private static SwitchTargetProfile withTables(
      SwitchTargetProfile of, EnumMap<Table, Integer> tables) {
    return new SwitchTargetProfile(
        of.name(),
        of.title(),
        of.notes(),
        of.architecture(),
        of.program(),
        of.management(),
        of.chassis(),
        of.markers(),
        of.prefixLengths(),
        tables,
        of.maxSubscriberRateBps(),
        of.counters(),
        of.meters(),
        of.shapingBufferBytes(),
        of.queues(),
        of.aqmKinds(),
        of.layout());
  }
}
