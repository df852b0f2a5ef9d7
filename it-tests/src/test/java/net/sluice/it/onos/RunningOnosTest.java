package net.sluice.it.onos;

import static net.sluice.it.onos.OnosRest.ok;
import static net.sluice.it.onos.ServingSwitch.GOLD;
import static net.sluice.it.onos.ServingSwitch.SUBSCRIBERS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.server.gnmi.GnmiClock;
import net.sluice.emulator.server.gnmi.GnmiServer;
import net.sluice.emulator.server.p4runtime.P4RuntimeServer;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.gnmi.GnmiCalls;
import net.sluice.gnmi.GnmiPaths;
import net.sluice.gnmi.wire.SetRequest;
import net.sluice.gnmi.wire.TypedValue;
import net.sluice.gnmi.wire.Update;
import net.sluice.intents.plan.Table;
import net.sluice.it.page.Browser;
import net.sluice.it.target.Bmv2Server;
import net.sluice.pipeconf.profile.OnosNetcfg;
import net.sluice.pipeconf.profile.TargetProfiles;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;
import p4.v1.P4RuntimeOuterClass.Entity;

/**
 * The archive installed in a running ONOS, from nothing active to a restarted switch. The tests are
 * the steps of one story and run in its order: starting an ONOS takes its time.
 */
@TestMethodOrder(OrderAnnotation.class)
class RunningOnosTest {
  private static final String API = "/onos/sluice/v1";
  private static final String MANAGER = "net.sluice.onos.SluiceManager";

  /** One and a half of the times after which ONOS polls flow rules, groups and meters. */
  private static final Duration POLLS = Duration.ofSeconds(45);

  /** Three times the time after which ONOS gives up to ask a switch for its program. */
  private static final Duration STALL = Duration.ofSeconds(30);

  private static final int MANY_ENTRIES = 3_960;

  @TempDir static Path work;
  private static OnosProcess onos;
  private static OnosRest admin;
  private static P4RuntimeServer emulator;
  private static Bmv2Server bmv2;

  @BeforeAll
  static void start() throws Exception {
    Path installed = OnosProcess.assumeInstalled();
    onos = new OnosProcess(installed, work.resolve("onos"));
    admin = onos.admin();
    onos.start();
    onos.awaitAnswers();
    onos.install();
    onos.awaitSluice();
  }

  @AfterAll
  static void stop() throws Exception {
    if (bmv2 != null) {
      bmv2.close();
    }
    if (emulator != null) {
      emulator.close();
    }
    if (onos != null) {
      onos.close();
    }
  }

  private static String subscriber(int number) {
    return ServingSwitch.subscriber(number, "");
  }

  /** Tells ONOS of a switch, and Sluice that it is its switch. */
  private static void use(String device, String profile, int port) throws Exception {
    String netcfg =
        OnosNetcfg.json(
            TargetProfiles.loadSwitch(profile), List.of(device + "=127.0.0.1:" + port), List.of());
    assertThat(admin.post("/onos/v1/network/configuration", netcfg).statusCode()).isEqualTo(200);
    String values = "{\"device\":\"device:%s\",\"profile\":\"%s\"}".formatted(device, profile);
    assertThat(admin.post("/onos/v1/configuration/" + MANAGER, values).statusCode()).isEqualTo(200);
  }

  private static P4RuntimeServer startEmulator(int port) throws IOException {
    return P4RuntimeServer.start(
        new V1modelSwitch(1, 1), new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }

  private static String reconciled() throws InterruptedException {
    return onos.process().awaitLine(line -> line.contains("switch: read back in "));
  }

  private static int entries(int port, Table table) throws InterruptedException {
    return SwitchContent.read(port, table).size();
  }

  @Test
  @Order(1)
  void theInstalledApplicationServesItsResources() throws Exception {
    JsonNode target = ok(admin.get(API + "/status")).path("targets").path(0);
    assertThat(target.path("detail").asText())
        .isEqualTo(
            "no switch is configured; set device of net.sluice.onos.SluiceManager or in the"
                + " network configuration");
    for (String resource : List.of("/policies", "/subscribers", "/rate-limits")) {
      assertThat(ok(admin.get(API + resource)).path("total").asInt(-1)).as(resource).isZero();
    }
  }

  @Test
  @Order(2)
  void theLoginIsThatOfOnos() throws Exception {
    assertThat(new OnosRest(onos.url(), "").get(API + "/status").statusCode()).isEqualTo(401);
    assertThat(new OnosRest(onos.url(), "onos:no").get(API + "/status").statusCode())
        .isEqualTo(401);
    OnosRest viewer = new OnosRest(onos.url(), "guest:guest");
    ok(viewer.get(API + "/status"));
    assertThat(viewer.put(API + "/policies/gold", GOLD).statusCode()).isEqualTo(403);
  }

  @Test
  @Order(3)
  void theSwitchOfTheNetworkConfigurationIsDriven() throws Exception {
    emulator = startEmulator(0);
    use("emulated", "emulator", emulator.port());
    assertThat(reconciled()).contains(" s: 0 entries, of which 0 were wrong and 0 unknown");
    ok(admin.put(API + "/policies/gold", GOLD));
    JsonNode one = ok(admin.put(API + "/subscribers/s0?waitMillis=60000", subscriber(0)));
    assertThat(one.path("targets").path(0).path("state").asText()).isEqualTo("INSTALLED");
    assertThat(entries(emulator.port(), Table.IPV4_PREFIX)).isEqualTo(1);
    HttpResponse<String> refused =
        admin.put(API + "/subscribers/s1", subscriber(1).replace("gold", "lead"));
    assertThat(refused.statusCode()).isEqualTo(422);
    assertThat(refused.headers().firstValue("Content-Type").orElse(""))
        .startsWith("application/problem+json");
  }

  @Test
  @Order(4)
  void manyAreDeclaredAtOnceAndNobodyErasesThem() throws Exception {
    ServingSwitch.declareAll(admin, API, "s", "");
    assertThat(onos.shell("sluice:reconcile --wait 60")).isEqualTo("everything is installed");
    reconciled();
    assertThat(entries(emulator.port(), Table.IPV4_PREFIX)).isEqualTo(SUBSCRIBERS);
    assertThat(onos.process().nextLine(line -> line.contains("switch: no session"), POLLS))
        .isEmpty();
    assertThat(onos.shell("sluice:reconcile --wait 60")).isEqualTo("everything is installed");
    assertThat(reconciled()).contains("of which 0 were wrong and 0 unknown; 0 written");
    assertThat(entries(emulator.port(), Table.IPV4_PREFIX)).isEqualTo(SUBSCRIBERS);
  }

  @Test
  @Order(5)
  void thePageIsBelowTheApplicationsPath() throws Exception {
    try (Browser browser = new Browser(URI.create(onos.url() + "/onos/sluice/"))) {
      browser.show(1440, "light");
      browser.open("subscribers/s7");
      browser.find("input[name=name]").sendKeys("onos");
      browser.find("input[name=password]").sendKeys("rocks", Keys.ENTER);
      browser.awaitText("10.0.0.7/32");
      browser.awaitText("installed");
      assertThat(browser.violations()).isEmpty();
      assertThat(browser.errors()).isEmpty();
    }
  }

  @Test
  @Order(6)
  void commandsAndConfigurationAreThoseOfOnos() throws Exception {
    assertThat(onos.shell("sluice:status"))
        .startsWith("role=LEADER, leader=127.0.0.1")
        .contains("target=switch, session=READY, installed=" + (SUBSCRIBERS + 1));
    assertThat(onos.shell("sluice:subscribers --limit 1 s7"))
        .isEqualTo("id=s7, policy=gold, prefixes=[10.0.0.7/32], port=0, tree=0, switch=INSTALLED");
    assertThat(onos.shell("sluice:plan delete subscriber s7")).isEqualTo("target=switch, writes=1");
    assertThat(onos.failing("sluice:subscribers nobody"))
        .contains("Error executing command: there is no subscriber nobody");
    assertThat(onos.shell("cfg get " + MANAGER))
        .contains("name=device, type=string, value=device:emulated")
        .contains("name=profile, type=string, value=emulator, defaultValue=stratum-bmv2");
    onos.shell("cfg set " + MANAGER + " batchSize 0");
    // ONOS hands a property on after the command has ended.
    String unused =
        Patience.awaitAnswer(
            "the property is refused",
            POLLS,
            () -> onos.shell("sluice:status"),
            status ->
                status.contains(
                    "configuration refused: batchSize is 0; allowed: 1 to 10000;"
                        + " 1000 stays in force"));
    onos.shell("cfg set " + MANAGER + " batchSize 1000");
  }

  @Test
  @Order(7)
  void portsAreFollowedOverGnmiAndToldToOnos() throws Exception {
    Simulation simulation = new Simulation(1);
    SwitchNode node = new SwitchNode(simulation, new V1modelSwitch(1, 1));
    node.addPort(1, 1_000_000_000, 100_000);
    node.addPort(2, 1_000_000_000, 100_000);
    try (GnmiServer gnmi =
        GnmiServer.start(
            simulation,
            node,
            Map.of(1, "eth1", 2, "eth2"),
            GnmiClock.wall(simulation),
            () -> {},
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      assertThat(admin.post("/onos/v1/network/configuration", gnmiAt("nowhere")).body())
          .contains("nowhere\\\"; allowed: HOST:PORT with a port of 1 to 65535");
      ok(admin.post("/onos/v1/network/configuration", gnmiAt("127.0.0.1:" + gnmi.port())));
      onos.process()
          .awaitLine(line -> line.contains("127.0.0.1:" + gnmi.port() + " tells of the ports"));
      JsonNode status = ok(admin.get(API + "/status"));
      assertThat(status.path("portSession").asText()).isEqualTo("READY");
      assertThat(status.path("ports").path(0).path("state").asText()).isEqualTo("UP");
      assertThat(onos.shell("sluice:status"))
          .contains("target=ports, session=READY")
          .contains("port=1, name=eth1, state=UP");
      awaitOnosPort(1, true);
      disable(gnmi.port(), "eth1");
      awaitOnosPort(1, false);
      awaitOnosPort(2, true);
      JsonNode plan = ok(admin.put(API + "/subscribers/s1?dryRun=true", subscriber(1)));
      assertThat(plan.path("notes").toString())
          .contains("BNG port 0 is down: switch port 1 (eth1) is disabled");
    }
    onos.process().awaitLine(line -> line.contains("ports: no gNMI session"));
    JsonNode lost = ok(admin.get(API + "/status"));
    assertThat(lost.path("portSession").asText()).isEqualTo("CONNECTING");
    assertThat(lost.path("portDetail").asText()).contains("; next attempt at ");
    ok(admin.post("/onos/v1/network/configuration", gnmiAt("none")));
    Patience.awaitAnswer(
        "no session of ports",
        POLLS,
        () -> ok(admin.get(API + "/status")),
        status -> !status.has("portSession"));
  }

  private static String gnmiAt(String address) {
    return "{\"devices\":{\"device:emulated\":{\"sluice\":{\"gnmi\":\"%s\"}}}}".formatted(address);
  }

  private static void disable(int gnmiPort, String name) throws InterruptedException {
    ManagedChannel channel =
        ManagedChannelBuilder.forAddress("127.0.0.1", gnmiPort).usePlaintext().build();
    try {
      ClientCalls.blockingUnaryCall(
          channel,
          GnmiCalls.SET,
          CallOptions.DEFAULT.withDeadlineAfter(Patience.PROCESS_SECONDS, TimeUnit.SECONDS),
          SetRequest.newBuilder()
              .addUpdate(
                  Update.newBuilder()
                      .setPath(
                          GnmiPaths.parse(
                              "/interfaces/interface[name=" + name + "]/config/enabled"))
                      .setVal(TypedValue.newBuilder().setBoolVal(false)))
              .build());
    } finally {
      channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
    }
  }

  /** Asks ONOS until it says so of a port: it asks the driver every ten seconds. */
  private static void awaitOnosPort(int number, boolean enabled) {
    Patience.awaitAnswer(
        "port " + number + " in ONOS",
        POLLS.multipliedBy(2),
        () -> {
          String said = "";
          for (JsonNode port :
              ok(admin.get("/onos/v1/devices/device:emulated/ports")).path("ports")) {
            if (port.path("port").asText().equals(Integer.toString(number))) {
              said = port.path("isEnabled").asText();
            }
          }
          return said;
        },
        Boolean.toString(enabled)::equals);
  }

  @Test
  @Order(8)
  void aSwitchThatComesBackEmptyIsFilledAgain() throws Exception {
    int port = emulator.port();
    onos.process().forgetLines();
    emulator.close();
    onos.process().awaitLine(line -> line.contains("switch: no session"));
    JsonNode pending = ok(admin.put(API + "/subscribers/late", subscriber(2_000)));
    assertThat(pending.path("targets").path(0).path("state").asText()).isEqualTo("PENDING");
    emulator = startEmulator(port);
    assertThat(reconciled()).contains(" s: 0 entries, of which 0 were wrong and 0 unknown");
    assertThat(onos.shell("sluice:reconcile --wait 60")).isEqualTo("everything is installed");
    assertThat(entries(port, Table.IPV4_PREFIX)).isEqualTo(SUBSCRIBERS + 1);
  }

  /** The switch carries packets on; only what it says to controllers waits. */
  @Test
  @Order(9)
  void aSwitchThatDoesNotAnswerForHalfAMinuteKeepsItsEntries() throws Exception {
    try (ServingSwitch serving = new ServingSwitch();
        StallingProxy proxy = new StallingProxy(serving.port())) {
      onos.process().forgetLines();
      use("stalling", "emulator", proxy.port());
      reconciled();
      assertThat(onos.shell("sluice:reconcile --wait 60")).isEqualTo("everything is installed");
      Set<Entity> before = serving.content();
      assertThat(before).hasSizeGreaterThan(MANY_ENTRIES);
      serving.losesNothing();
      long loads = loads("stalling");
      onos.process().forgetLines();
      proxy.stall();
      serving.losesNothingFor(STALL);
      proxy.resume();
      serving.losesNothingFor(POLLS);
      reconciled();
      assertThat(onos.shell("sluice:reconcile --wait 60")).isEqualTo("everything is installed");
      serving.losesNothing();
      assertThat(serving.content()).isEqualTo(before);
      assertThat(loads("stalling")).isEqualTo(loads).isEqualTo(1);
    }
  }

  @Test
  @Order(10)
  void aSwitchThatServeHasFilledServesItsSubscribersWhileItIsTakenOver() throws Exception {
    try (ServingSwitch serving = new ServingSwitch()) {
      serving.fillByServe(work);
      Set<Entity> before = serving.content();
      onos.process().forgetLines();
      use("taken", "emulator", serving.port());
      awaitStatus(serving, "\"session\":\"REFUSING\"");
      serving.losesNothingFor(POLLS);
      assertThat(serving.content()).isEqualTo(before);
      assertThat(
              admin
                  .send("POST", API + "/targets/switch/adopt", "", BodyPublishers.noBody())
                  .statusCode())
          .isEqualTo(202);
      awaitStatus(serving, "\"allInstalled\":true");
      serving.losesNothingFor(STALL);
      assertThat(entries(serving.port(), Table.IPV4_PREFIX))
          .isEqualTo(ok(admin.get(API + "/subscribers")).path("total").asInt());
      assertThat(loads("taken")).isZero();
    }
  }

  /** Waits for the status to say that, while the switch serves. */
  private static void awaitStatus(ServingSwitch serving, String wanted) {
    Patience.awaitAnswer(
        "the status says " + wanted,
        POLLS,
        () -> {
          serving.losesNothing();
          return admin.get(API + "/status").body();
        },
        status -> status.contains(wanted));
  }

  /** How often ONOS has sent a program to a device. */
  private static long loads(String device) {
    return onos.process()
        .lines(line -> line.contains("Setting pipeline config for device:" + device));
  }

  @Test
  @Order(11)
  void bmv2IsDrivenAsWell() throws Exception {
    Bmv2Server.assumeInstalled();
    bmv2 = new Bmv2Server();
    use("bmv2", "bmv2", bmv2.port());
    onos.process()
        .awaitLine(
            line -> line.contains("switch: read back in ") && line.contains(" s: 0 entries"));
    assertThat(onos.shell("sluice:reconcile --wait 60")).isEqualTo("everything is installed");
    assertThat(entries(bmv2.port(), Table.IPV4_PREFIX)).isEqualTo(SUBSCRIBERS + 1);
    assertThat(onos.process().nextLine(line -> line.contains("switch: no session"), POLLS))
        .isEmpty();
    onos.shell("sluice:reconcile --wait 60");
    onos.process()
        .awaitLine(line -> line.contains("of which 0 were wrong and 0 unknown; 0 written"));
    assertThat(entries(bmv2.port(), Table.IPV4_PREFIX)).isEqualTo(SUBSCRIBERS + 1);
  }

  /** ARP goes to the switch and comes back through ONOS's client. */
  @Test
  @Order(12)
  void aNextHopIsAskedForThroughOnosAndFollowed() throws Exception {
    try (RoutedSwitch routed = new RoutedSwitch()) {
      String topology =
          new ObjectMapper().createObjectNode().put("topology", RoutedSwitch.TOPOLOGY).toString();
      assertThat(admin.post("/onos/v1/configuration/" + MANAGER, topology).statusCode())
          .isEqualTo(200);
      use("routed", "emulator", routed.port());
      awaitHop(routed, "unanswered");
      assertThat(entries(routed.port(), Table.NEXT_HOP)).isZero();
      routed.answerFrom("025b00000001");
      awaitHop(routed, "resolved 02:5b:00:00:00:01");
      Patience.awaitAnswer(
          "the switch holds it",
          POLLS,
          () -> entries(routed.port(), Table.NEXT_HOP),
          one -> one == 1);
      routed.moveTo("025b00000002");
      awaitHop(routed, "resolved 02:5b:00:00:00:02");
      Patience.awaitAnswer(
          "the address that no subscriber has is told",
          Patience.TIME,
          () -> {
            routed.forNobody();
            routed.pass();
            String told = admin.get(API + "/unknown").body();
            return new ObjectMapper().readTree(told).at("/unknown/0/addresses/0/address").asText();
          },
          "10.9.9.9"::equals);
    }
  }

  private static void awaitHop(RoutedSwitch routed, String wanted) {
    Patience.awaitAnswer(
        "the next hop is " + wanted,
        POLLS,
        () -> {
          routed.pass();
          // While the controller begins anew with the switch it answers 503.
          String told = admin.get(API + "/next-hops").body();
          JsonNode hop = new ObjectMapper().readTree(told).path("nextHops").path(0);
          return (hop.path("state").asText() + " " + hop.path("mac").asText()).strip();
        },
        wanted::equals);
  }
}
