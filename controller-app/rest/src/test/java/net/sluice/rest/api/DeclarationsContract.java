package net.sluice.rest.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import net.sluice.core.BrokenBatch;
import net.sluice.core.Conflict;
import net.sluice.core.Controller;
import net.sluice.core.ControllerException;
import net.sluice.core.Declared;
import net.sluice.core.Selection;
import net.sluice.core.StoreHealth;
import net.sluice.core.TargetState;
import net.sluice.core.UnavailableException;
import net.sluice.core.store.StoreException;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.profile.MeterProfile;
import net.sluice.intents.profile.ShapeProfile;
import net.sluice.intents.value.Direction;
import net.sluice.rest.request.RequestBody;
import net.sluice.rest.testing.MemoryController;
import net.sluice.rest.testing.TestServer;
import net.sluice.rest.testing.Transcript;
import net.sluice.testing.Golden;
import net.sluice.testing.Patience;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The API over HTTP, answer for answer. */
public class DeclarationsContract {
  private static final String GOLD = "{\"throughputValue\":{\"builtIn\":\"gold\"}}";
  private static final String POINTS =
      "{\"throughputValue\":{\"points\":[{\"rateBps\":1000000,\"value\":1000000.5},"
          + "{\"rateBps\":50000000,\"value\":20000}]}}";
  private static final String ALICE =
      "{\"policy\":\"gold\",\"prefixes\":[\"10.0.0.1/32\",\"2001:DB8:0:0::/56\"],"
          + "\"sVlan\":100,\"cVlan\":7,\"attachment\":{\"port\":0,\"tree\":3}}";

  private final MemoryController controller = new MemoryController(3);
  private final TestServer server = new TestServer(controller);
  private final Transcript transcript = new Transcript(server);

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private static String subscriber(String policy, String prefix, int port, int tree) {
    return String.format(
        Locale.ROOT,
        "{\"policy\":\"%s\",\"prefixes\":[\"%s\"],\"attachment\":{\"port\":%d,\"tree\":%d}}",
        policy,
        prefix,
        port,
        tree);
  }

  private void put(String path, String body) throws IOException, InterruptedException {
    HttpResponse<String> response = server.send("PUT", path, body);
    assertThat(response.statusCode()).as(response.body()).isBetween(200, 201);
  }

  @Test
  void declarationsAreCreatedReplacedReadListedAndDeleted() throws Exception {
    transcript.json("PUT", "/policies/gold", GOLD);
    transcript.json("PUT", "/policies/gold", POINTS);
    transcript.json("GET", "/policies/gold", null);
    transcript.json("PUT", "/subscribers/alice", ALICE);
    transcript.json("PUT", "/subscribers/alice", ALICE);
    transcript.json(
        "PUT",
        "/rate-limits/alice-50",
        "{\"scope\":{\"subscriber\":\"alice\"},\"downBps\":50000000,\"upBps\":10000000,"
            + "\"burstBytes\":3000}");
    transcript.json(
        "PUT", "/rate-limits/tree", "{\"scope\":{\"port\":0,\"tree\":3},\"downBps\":488000}");
    transcript.json(
        "PUT", "/rate-limits/port", "{\"scope\":{\"port\":0},\"upBps\":9,\"burstBytes\":1600}");
    transcript.json("GET", "/rate-limits/alice-50", null);
    transcript.json("GET", "/subscribers/alice", null);
    transcript.json("GET", "/subscribers/alice/counters", null);
    transcript.json("GET", "/rate-limits?limit=2", null);
    transcript.json("GET", "/subscribers", null);
    transcript.json("GET", "/status", null);
    transcript.json("DELETE", "/rate-limits/alice-50", null);
    transcript.json("DELETE", "/subscribers/alice", null);
    transcript.json("GET", "/subscribers/alice", null);
    Golden.check("api-declarations.txt", transcript.toString());
  }

  @Test
  void aLimitSaysWhatEnforcesItAndWhy() throws Exception {
    MemoryController metered = new MemoryController(3, new MeterProfile(8), OptionalInt.empty());
    try (TestServer other = new TestServer(metered)) {
      Transcript said = new Transcript(other);
      other.send("PUT", "/policies/gold", GOLD);
      other.send("PUT", "/subscribers/alice", ALICE);
      String limit = "{\"scope\":{\"subscriber\":\"alice\"},\"downBps\":10000000,";
      said.json("PUT", "/rate-limits/alice", limit + "\"upBps\":10000003}");
      said.json(
          "PUT", "/rate-limits/alice", limit + "\"burstBytes\":40000,\"enforcement\":\"police\"}");
      said.json("GET", "/rate-limits/alice", null);
      said.json("GET", "/subscribers/alice", null);
      said.json("PUT", "/rate-limits/alice", limit + "\"upBps\":1000000,\"enforcement\":\"fpga\"}");
      said.json("PUT", "/rate-limits/alice", limit + "\"enforcement\":\"shape\"}");
      said.json("PUT", "/rate-limits/alice", limit + "\"enforcement\":\"hold\"}");
      said.json("PUT", "/rate-limits/alice", limit + "\"enforcement\":1}");
      said.note("planned");
      String police = ",\"enforcement\":\"police\"}";
      String tree = "{\"scope\":{\"port\":0,\"tree\":3},\"downBps\":10000000";
      said.json("PUT", "/rate-limits/tree?dryRun=true", tree + police);
      said.json(
          "PUT",
          "/rate-limits/port?dryRun=true",
          "{\"scope\":{\"port\":0},\"upBps\":10000000" + police);
      other.send("PUT", "/rate-limits/tree", tree + police);
      said.json("DELETE", "/rate-limits/alice?dryRun=true", null);
      Golden.check("api-enforcement.txt", said.toString());
    }
  }

  @Test
  void aLimitIsShapedByTheSwitchWhereItHasLoopPorts() throws Exception {
    MemoryController shaping =
        new MemoryController(
            3,
            new MeterProfile(8),
            new ShapeProfile(8, 15_000_000),
            List.of(500, 501, 502, 503),
            OptionalInt.empty());
    try (TestServer other = new TestServer(shaping)) {
      Transcript said = new Transcript(other);
      other.send("PUT", "/policies/gold", GOLD);
      other.send("PUT", "/subscribers/alice", ALICE);
      String limit = "{\"scope\":{\"subscriber\":\"alice\"},";
      said.json("PUT", "/rate-limits/alice", limit + "\"downBps\":10000000,\"upBps\":100000}");
      said.json(
          "PUT",
          "/rate-limits/alice",
          limit + "\"downBps\":10000000,\"burstBytes\":40000,\"enforcement\":\"shape\"}");
      said.json("GET", "/subscribers/alice", null);
      said.json("GET", "/subscribers/alice/counters", null);
      said.json("GET", "/status", null);
      said.json(
          "PUT",
          "/rate-limits/alice",
          limit + "\"upBps\":59999,\"burstBytes\":1500,\"enforcement\":\"shape\"}");
      said.json(
          "PUT",
          "/rate-limits/alice",
          limit + "\"upBps\":60000,\"burstBytes\":9000,\"enforcement\":\"shape\"}");
      said.note("planned");
      String shape = ",\"enforcement\":\"shape\"}";
      String tree = "{\"scope\":{\"port\":0,\"tree\":3},\"downBps\":10000000" + shape;
      said.json("PUT", "/rate-limits/tree?dryRun=true", tree);
      said.json(
          "PUT",
          "/rate-limits/port?dryRun=true",
          "{\"scope\":{\"port\":0},\"upBps\":10000000" + shape);
      other.send("PUT", "/rate-limits/tree", tree);
      said.json("DELETE", "/rate-limits/alice?dryRun=true", null);
      Golden.check("api-shaping.txt", said.toString());
    }
  }

  /** It is Friday, 2 January 2026, 03:04:05 UTC, which is 04:04:05 in Berlin. */
  @Test
  void schedulesAndSuspensionsAreDeclaredAndTold() throws Exception {
    server.send("PUT", "/policies/gold", GOLD);
    server.send("PUT", "/policies/silver", "{\"throughputValue\":{\"builtIn\":\"silver\"}}");
    String alice = ALICE.substring(0, ALICE.length() - 1);
    String night =
        "{\"from\":\"22:00\",\"to\":\"06:00\",\"zone\":\"Europe/Berlin\",\"days\":[\"thu\"],";
    Transcript said = new Transcript(server);
    said.json(
        "PUT",
        "/subscribers/alice",
        alice + ",\"schedule\":[" + night + "\"policy\":\"silver\"}]}");
    said.json("GET", "/subscribers?fields=inForce", null);
    said.json("DELETE", "/policies/gold", null);
    said.json(
        "PUT",
        "/subscribers/alice?dryRun=true",
        alice + ",\"suspended\":{\"policy\":\"walled\"},\"schedule\":[]}");
    String limit = "{\"scope\":{\"subscriber\":\"alice\"},\"downBps\":50000000,\"upBps\":10000000,";
    said.json(
        "PUT",
        "/rate-limits/alice",
        limit
            + "\"schedule\":[{\"until\":\"2026-01-02T04:04:06+01:00\",\"downBps\":90000000},"
            + night
            + "\"suspended\":true}]}");
    said.json("PUT", "/rate-limits/alice", limit + "\"suspended\":true,\"gate\":\"closed\"}");
    said.json("GET", "/subscribers/alice", null);
    said.json("PUT", "/subscribers/alice", alice + ",\"suspended\":true}");
    said.note(server.send("GET", "/export", null).body());
    Golden.check("api-schedules.txt", said.toString());
  }

  @Test
  void aSubscribersGateIsClosedAndOpened() throws Exception {
    MemoryController metered = new MemoryController(3, new MeterProfile(8), OptionalInt.empty());
    try (TestServer other = new TestServer(metered)) {
      Transcript said = new Transcript(other);
      other.send("PUT", "/policies/gold", GOLD);
      other.send("PUT", "/subscribers/alice", ALICE);
      String closed = "{\"gate\":\"closed\"}";
      said.json("POST", "/subscribers/bob/gate", closed);
      said.json("POST", "/subscribers/alice/gate", closed);
      String limit = "{\"scope\":{\"subscriber\":\"alice\"},\"downBps\":10000000";
      other.send("PUT", "/rate-limits/alice", limit + "}");
      said.json("POST", "/subscribers/alice/gate", closed);
      said.json("GET", "/rate-limits/alice", null);
      said.json("POST", "/subscribers/alice/gate?waitMillis=0", "{\"gate\":\"open\"}");
      said.json("POST", "/subscribers/alice/gate", "{\"gate\":\"ajar\"}");
      said.json("POST", "/subscribers/alice/gate", "{\"closed\":true}");
      other.send("PUT", "/rate-limits/alice", limit + ",\"enforcement\":\"police\"}");
      said.json("POST", "/subscribers/alice/gate", closed);
      Golden.check("api-gate.txt", said.toString());
    }
  }

  @Test
  void targetsAreListedComparedAndAdopted() throws Exception {
    controller.refuseToCorrect();
    transcript.json("GET", "/targets", null);
    transcript.json("GET", "/targets/switch/drift", null);
    transcript.json("GET", "/targets/fpga-down/drift", null);
    transcript.json("POST", "/targets/switch/adopt", null);
    transcript.json("POST", "/targets/switch/adopt", null);
    transcript.json("POST", "/targets/switch/reconcile", null);
    transcript.json("GET", "/targets/switch/drift", null);
    transcript.json("POST", "/targets/fpga-down/reconcile", null);
    for (String path : List.of("", "/drift", "/nothing")) {
      transcript.json("GET", "/targets/fpga" + path, null);
    }
    transcript.json("POST", "/targets/fpga/adopt", null);
    transcript.json("POST", "/targets/switch/adopt?force=true", null);
    Golden.check("api-targets.txt", transcript.toString());
  }

  @Test
  void conflictsAreListedDeclaredAndForgotten() throws Exception {
    put("/policies/gold", GOLD);
    for (String id : List.of("alice", "bob")) {
      IpPrefix prefix = IpPrefix.parse(id.equals("alice") ? "10.0.0.1/32" : "10.0.0.2/32");
      Attachment attachment = new Attachment(0, 3);
      Subscriber kept = new Subscriber(id, "gold", List.of(prefix), Optional.empty(), attachment);
      controller.conflict(new Conflict("bng1", kept, "for a reason"));
    }
    JsonNode listed = new ObjectMapper().readTree(server.send("GET", "/conflicts", null).body());
    assertThat(listed.get("total").asInt()).isEqualTo(2);
    assertThat(listed.at("/items/0/id").asText()).isEqualTo("alice");
    String conflict = "/conflicts/bng1/subscribers/";
    assertThat(server.send("POST", conflict + "alice/declare", null).statusCode()).isEqualTo(200);
    assertThat(server.send("GET", "/subscribers/alice", null).statusCode()).isEqualTo(200);
    assertThat(server.send("DELETE", conflict + "bob", null).statusCode()).isEqualTo(204);
    assertThat(server.send("DELETE", conflict + "bob", null).statusCode()).isEqualTo(404);
    assertThat(controller.conflicts()).isZero();
  }

  @Test
  void monitoringGetsNumbersAsText() throws Exception {
    put("/policies/gold", GOLD);
    HttpResponse<String> response =
        server.send("GET", "/metrics", null, null, "Accept", "text/plain");
    assertThat(response.headers().firstValue("Content-Type").orElseThrow().replace(" ", ""))
        .startsWith("text/plain;")
        .containsIgnoringCase("charset=utf-8")
        .contains("version=0.0.4");
    // Each host counts other requests.
    Golden.check("metrics.txt", response.body().replaceAll("(?m)^.*sluice_http_requests.*\n", ""));
  }

  /** Nothing is told by subscriber unless it is asked for: a million would be a million series. */
  @Test
  void monitoringGetsTheWaitsOfSubscribersThatItAsksFor() throws Exception {
    put("/policies/gold", GOLD);
    put("/subscribers/alice", ALICE);
    assertThat(server.send("GET", "/metrics", null).body()).doesNotContain("sluice_limit_");
    String path = "/metrics?subscribers=nobody,alice,alice";
    Golden.check(
        "metrics-limits.txt",
        limits(server.send("GET", path, null, null, "Accept", "text/plain").body())
            + limits(
                server
                    .send("GET", path, null, null, "Accept", "application/openmetrics-text")
                    .body()));
    for (String ids : List.of("", "alice,", "a/b", "alice" + ",alice".repeat(100))) {
      transcript.json("GET", "/metrics?subscribers=" + ids, null);
    }
    Golden.check("metrics-subscribers.txt", transcript.toString());
  }

  private static String limits(String metrics) {
    return metrics
        .lines()
        .filter(line -> line.contains("sluice_limit_"))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  @Test
  void whatTheDomainRefusesIsTold() throws Exception {
    put("/policies/gold", GOLD);
    put("/policies/silver", "{\"throughputValue\":{\"builtIn\":\"silver\"}}");
    put("/subscribers/alice", ALICE);
    put("/rate-limits/alice", "{\"scope\":{\"subscriber\":\"alice\"},\"downBps\":50000000}");

    transcript.note("not found");
    transcript.json("GET", "/policies/bronze", null);
    transcript.json("GET", "/rate-limits/none", null);
    transcript.json("GET", "/subscribers/bob/counters", null);
    transcript.json("DELETE", "/policies/bronze", null);
    transcript.json("DELETE", "/subscribers/bob", null);
    transcript.json("DELETE", "/rate-limits/none", null);
    transcript.json("DELETE", "/rate-limits/none?dryRun=true", null);

    transcript.note("conflict");
    transcript.json("DELETE", "/policies/gold", null);
    transcript.json("DELETE", "/subscribers/alice", null);
    transcript.json("PUT", "/subscribers/bob", subscriber("gold", "10.0.0.0/24", 0, 0));
    transcript.json(
        "PUT", "/rate-limits/again", "{\"scope\":{\"subscriber\":\"alice\"},\"downBps\":5000000}");

    transcript.note("invalid");
    transcript.json("PUT", "/subscribers/bob", subscriber("bronze", "127.0.0.1/32", 5, 0));
    transcript.json(
        "PUT", "/rate-limits/bob", "{\"scope\":{\"subscriber\":\"bob\"},\"downBps\":5000000}");
    transcript.json(
        "PUT",
        "/rate-limits/alice",
        "{\"scope\":{\"subscriber\":\"alice\"},\"downBps\":300000000000,\"burstBytes\":1599}");
    transcript.json("PUT", "/rate-limits/alice", "{\"scope\":{\"port\":0},\"upBps\":-1}");
    transcript.json("PUT", "/policies/a%2Fb", GOLD);
    transcript.json("GET", "/policies/%C3%A9%20", null);
    transcript.json("PUT", "/policies/" + "x".repeat(65), GOLD);

    transcript.note("full");
    put("/policies/third", GOLD);
    transcript.json("PUT", "/policies/fourth", GOLD);
    put("/subscribers/bob", subscriber("gold", "10.0.0.2/32", 0, 0));
    put("/subscribers/carol", subscriber("gold", "10.0.0.3/32", 0, 0));
    transcript.json("PUT", "/subscribers/dave", subscriber("gold", "10.0.0.4/32", 0, 0));
    Golden.check("api-refusals.txt", transcript.toString());
  }

  @Test
  void whatTheRequestGetsWrongIsTold() throws Exception {
    transcript.json("PUT", "/policies/gold", "{\"throughputValue\":{\"builtIn\":\"gold\"}");
    transcript.json("PUT", "/policies/gold", "");
    transcript.json("PUT", "/policies/gold", "[" + " ".repeat(RequestBody.MAX_BYTES) + "]");
    transcript.json("PUT", "/subscribers/a", "{\"polcy\":\"gold\",\"prefixes\":[7]}");
    transcript.note("query parameters");
    transcript.json("PUT", "/policies/gold?dryrun=true", GOLD);
    transcript.json("PUT", "/policies/gold?dryRun=yes", GOLD);
    transcript.json("PUT", "/policies/gold?dryRun", GOLD);
    transcript.json("PUT", "/policies/gold?dryRun=true&dryRun=false", GOLD);
    transcript.json("PUT", "/policies/gold?waitMillis=60001", GOLD);
    transcript.json("PUT", "/policies/gold?waitMillis=-1", GOLD);
    transcript.json("PUT", "/policies/gold?waitMillis=1.5&limit=3", GOLD);
    transcript.json("GET", "/policies?limit=0", null);
    transcript.json("GET", "/policies?limit=1001&offset=-1", null);
    transcript.json("GET", "/policies?limit=ten&port=0", null);
    transcript.json("GET", "/subscribers?policy=-&switch=&port=8&tree=-1&state=up", null);
    transcript.json("GET", "/subscribers?fields=id,declared.policy&cursor=bm9uZQ", null);
    for (String address :
        List.of("10.0.0.1/32", "10.0.0", "010.0.0.1", "fe80::1%25eth0", "", "1".repeat(200))) {
      transcript.json("GET", "/subscribers?address=" + address, null);
    }
    for (String label : List.of("", "site", "site:", ":north", "a:b:c", "a:b,", "a:b,a:c")) {
      transcript.json("GET", "/subscribers?label=" + label, null);
    }
    transcript.json("GET", "/rate-limits?label=site:north", null);
    transcript.json("GET", "/policies/gold?verbose=1", null);
    transcript.json("DELETE", "/policies/gold?waitMillis=-5", null);
    transcript.json("GET", "/status?x=1", null);
    transcript.send("POST", "/bulk?dryRun=1", "application/x-ndjson", "");
    transcript.note("HTTP");
    transcript.json("GET", "/customers", null);
    transcript.json("GET", "/policies/a/b", null);
    transcript.json("PUT", "/policies/a;x=1", GOLD);
    transcript.json("GET", "/policies;x/a", null);
    transcript.json("GET", "/policies?limit=%25zz", null);
    transcript.json("POST", "/policies", GOLD);
    transcript.json("DELETE", "/status", null);
    transcript.json("GET", "/bulk", null);
    transcript.send("PUT", "/policies/gold", "text/plain", GOLD);
    transcript.send("PUT", "/policies/gold", null, GOLD);
    transcript.send("PUT", "/customers", null, GOLD);
    transcript.json("GET", "/policies", "{}");
    transcript.json("DELETE", "/policies/gold", "{}");
    transcript.json("GET", "/bulk", "{}");
    transcript.send("POST", "/bulk", "application/json", "{}");
    transcript.send("GET", "/policies", null, null, "Accept", "text/html");
    transcript.send("GET", "/policies", null, null, "Accept", "a/b/c;;");
    transcript.send("GET", "/policies", null, null, "Accept", "application/json;q=0");
    transcript.send("GET", "/policies", null, null, "Accept", "application/json;q=0, */*;q=0.5");
    transcript.send("GET", "/metrics", null, null, "Accept", "text/*;q=0, application/*;q=0.0");
    transcript.send("PUT", "/policies/gold", "application/json", GOLD, "Content-Encoding", "gzip");
    transcript.send("POST", "/bulk", "application/x-ndjson", "", "Content-Encoding", "foo, gzip");
    transcript.json("PUT", "/subscribers/a", "{\"a\":1,\"a\":2,\"a\":3}");
    transcript.json(
        "PUT", "/rate-limits/a", "{\"scope\":{\"port\":0},\"downBps\":1,\"burstBytes\":0}");
    Golden.check("api-bad-requests.txt", transcript.toString());
    assertThat(controller.list(Kind.POLICY, Selection.ALL, "", 10).total()).hasValue(0);
  }

  @Test
  void aDryRunAnswersThePlanAndChangesNothing() throws Exception {
    put("/policies/gold", GOLD);
    put("/subscribers/alice", ALICE);
    put("/rate-limits/tree", "{\"scope\":{\"port\":1,\"tree\":2},\"upBps\":7000000}");
    String before = everything();
    transcript.json("PUT", "/subscribers/bob?dryRun=true", subscriber("gold", "10.0.0.2/32", 1, 2));
    transcript.json(
        "PUT",
        "/rate-limits/alice?dryRun=true",
        "{\"scope\":{\"subscriber\":\"alice\"},\"downBps\":50000000,\"burstBytes\":2500}");
    transcript.json(
        "PUT", "/rate-limits/port?dryRun=true", "{\"scope\":{\"port\":0},\"upBps\":1000000000}");
    transcript.json("DELETE", "/subscribers/alice?dryRun=true", null);
    transcript.json("DELETE", "/rate-limits/tree?dryRun=true", null);
    transcript.json("PUT", "/subscribers/bob?dryRun=true", subscriber("no", "10.0.0.2/32", 1, 2));
    transcript.json("PUT", "/subscribers/alice?dryRun=true&waitMillis=0", ALICE);
    Golden.check("api-dry-run.txt", transcript.toString());

    JsonNode policy = transcript.json("PUT", "/policies/silver?dryRun=true", POINTS);
    assertThat(policy.at("/plan/switch")).hasSize(1024);
    assertThat(policy.at("/plan/switch/700/op").asText()).isEqualTo("INSERT");
    assertThat(policy.at("/plan/switch/700/table").asText()).isEqualTo("policy-value");
    assertThat(policy.at("/plan/switch/700/requested").asDouble())
        .isCloseTo(
            policy.at("/plan/switch/700/granted").asDouble(), Percentage.withPercentage(0.1));
    assertThat(everything()).isEqualTo(before);
  }

  private String everything() throws IOException, InterruptedException {
    StringBuilder all = new StringBuilder();
    for (String path : List.of("/policies", "/subscribers", "/rate-limits", "/status")) {
      all.append(server.send("GET", path, null).body());
    }
    return all.toString();
  }

  @Test
  void puttingTheSameAgainChangesNothing() throws Exception {
    put("/policies/gold", GOLD);
    put("/subscribers/alice", ALICE);
    String limit =
        "{\"scope\":{\"subscriber\":\"alice\"},\"downBps\":50000000,\"burstBytes\":9000}";
    put("/rate-limits/alice", limit);
    String before = everything();
    HttpResponse<String> again = server.send("PUT", "/rate-limits/alice?dryRun=true", limit);
    assertThat(again.body()).contains("\"plan\":{\"switch\":[],\"fpga-down\":[],\"fpga-up\":[]}");
    put("/rate-limits/alice", limit);
    put("/subscribers/alice", ALICE);
    put("/policies/gold", GOLD);
    assertThat(everything()).isEqualTo(before);
  }

  @Test
  void aPutWaitsForTheInstallAsLongAsItIsTold() throws Exception {
    put("/policies/gold", GOLD);
    assertThat(controller.waited()).isEqualTo(Duration.ofMillis(1000));
    put("/policies/gold?waitMillis=60000", GOLD);
    assertThat(controller.waited()).isEqualTo(Duration.ofMillis(60_000));
    put("/policies/gold?waitMillis=1", GOLD);
    assertThat(controller.waited()).isEqualTo(Duration.ofMillis(1));
    put("/policies/gold?waitMillis=0", GOLD);
    assertThat(controller.waited()).as("not asked again").isEqualTo(Duration.ofMillis(1));
  }

  /** More of them than any server has threads. */
  @Test
  void requestsThatWaitForTheirInstallKeepNobodyElseWaiting() throws Exception {
    int many = 300;
    CompletableFuture<Boolean> installed = new CompletableFuture<>();
    CountDownLatch asked = new CountDownLatch(many);
    controller.installsEndWith(installed, asked);
    List<CompletableFuture<HttpResponse<String>>> waiting = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      waiting.add(server.begin("PUT", "/policies/gold?waitMillis=60000", GOLD));
    }
    Patience.await(asked);
    assertThat(server.send("GET", "/policies/gold", null).statusCode()).isEqualTo(200);
    assertThat(waiting).noneMatch(CompletableFuture::isDone);
    installed.complete(true);
    for (CompletableFuture<HttpResponse<String>> response : waiting) {
      assertThat(response.get(Patience.SECONDS, TimeUnit.SECONDS).body())
          .contains("\"id\":\"gold\"");
    }
  }

  @Test
  void aWaitThatFailsIsToldByIncident() throws Exception {
    controller.installsEndWith(
        CompletableFuture.failedFuture(new IllegalStateException("secret of the inside")),
        new CountDownLatch(1));
    HttpResponse<String> failed = server.send("PUT", "/policies/gold", GOLD);
    assertThat(failed.statusCode()).isEqualTo(500);
    assertThat(failed.body()).contains("incident").doesNotContain("secret");
  }

  @Test
  void whatIsNearlyFullIsToldWithTheStatus() throws Exception {
    put("/policies/gold", GOLD);
    assertThat(server.send("GET", "/status", null).body()).doesNotContain("note");
    for (int number = 1; number <= 3; number++) {
      put("/subscribers/s" + number, subscriber("gold", "10.0.0." + number + "/32", 0, 0));
    }
    JsonNode first = transcript.json("GET", "/status", null).get("tables").get(0);
    assertThat(first.get("resource").textValue()).isEqualTo("subscribers");
    assertThat(first.get("note").textValue()).isEqualTo("subscribers full: 3 of 3 in use");
  }

  @Test
  void targetsThatLagOrRefuseAreToldNotHidden() throws Exception {
    controller.targetsAnswer(TargetState.PENDING, "connection refused");
    transcript.json("PUT", "/policies/gold", GOLD);
    controller.targetsAnswer(TargetState.FAILED, "RESOURCE_EXHAUSTED: table is full");
    transcript.json("GET", "/policies/gold", null);
    controller.targetsAnswer(TargetState.INSTALLED, null);
    controller.batchBroke(BrokenBatch.RESUMED);
    transcript.json("GET", "/policies/gold", null);
    Golden.check("api-lagging-targets.txt", transcript.toString());
  }

  @Test
  void aDeletionIsFollowedUntilNoTargetHoldsAnything() throws Exception {
    put("/policies/gold", GOLD);
    controller.targetsAnswer(TargetState.PENDING, "connection refused");
    transcript.json("DELETE", "/policies/gold?waitMillis=7", null);
    assertThat(controller.waited()).isEqualTo(Duration.ofMillis(7));
    HttpResponse<String> again = server.send("DELETE", "/policies/gold?waitMillis=0", null);
    assertThat(again.statusCode()).isEqualTo(202);
    assertThat(again.headers().firstValue("Location")).hasValue(server.base() + "/policies/gold");
    HttpResponse<String> dry = server.send("DELETE", "/policies/gold?dryRun=true", null);
    assertThat(dry.statusCode()).isEqualTo(202);
    assertThat(dry.body()).isEqualTo(again.body());
    assertThat(dry.headers().firstValue("Location")).hasValue(server.base() + "/policies/gold");
    transcript.json("GET", "/policies/gold", null);
    transcript.json("GET", "/policies", null);
    transcript.json("PUT", "/policies/gold?waitMillis=0", GOLD);
    transcript.json("DELETE", "/policies/gold?waitMillis=0", null);
    controller.targetsAnswer(TargetState.FAILED, "not now");
    transcript.json("GET", "/policies/gold", null);
    controller.targetsAnswer(TargetState.INSTALLED, null);
    transcript.json("GET", "/policies/gold", null);
    transcript.json("DELETE", "/policies/gold", null);
    Golden.check("api-deletion.txt", transcript.toString());
  }

  /** What there is of an answer that cannot be written is not sent as if it were one. */
  @Test
  void anAnswerThatCannotBeWrittenIsAFault() throws Exception {
    Declared unreadable =
        new Declared(null, List.of(), List.of(), List.of(), Optional.empty(), List.of());
    Controller broken =
        (Controller)
            Proxy.newProxyInstance(
                Controller.class.getClassLoader(),
                new Class<?>[] {Controller.class},
                (proxy, method, arguments) ->
                    method.getName().equals("find")
                        ? Optional.of(unreadable)
                        : method.invoke(controller, arguments));
    try (TestServer other = new TestServer(broken)) {
      HttpResponse<String> answer = other.send("GET", "/policies/gold", null);
      assertThat(answer.statusCode()).isEqualTo(500);
      assertThat(answer.body()).contains("urn:sluice:problem:internal");
    }
  }

  @Test
  void faultsAreToldByIncidentAndNothingElse() throws Exception {
    controller.failWith(new IllegalStateException("secret of the inside"));
    transcript.json("GET", "/status", null);
    transcript.json("PUT", "/policies/gold", GOLD);
    transcript.send(
        "POST",
        "/bulk",
        "application/x-ndjson",
        "{\"op\":\"delete\",\"kind\":\"policy\",\"id\":\"a\"}\nx\n");
    controller.failWith(new ControllerException("the store's disk is full"));
    transcript.json("PUT", "/policies/gold", GOLD);
    transcript.send(
        "POST",
        "/bulk",
        "application/x-ndjson",
        "{\"op\":\"delete\",\"kind\":\"policy\",\"id\":\"a\"}\n");
    Golden.check("api-faults.txt", transcript.toString());
    assertThat(transcript.toString()).doesNotContain("secret").doesNotContain("Exception");
  }

  @Test
  void aStoreThatFailedIsToldWithWhenToTryAgain() throws Exception {
    controller.storeIs(
        new StoreHealth.Failed(
            "cannot write the store in /var/lib/sluice: No space left on device",
            Instant.parse("2026-01-02T03:04:05Z"),
            Optional.of(Instant.parse("2026-01-02T03:04:08.400Z"))));
    transcript.json("GET", "/status", null);
    controller.failWith(
        new UnavailableException("the store takes no changes", Duration.ofMillis(3_400)));
    transcript.json("PUT", "/policies/gold", GOLD);
    transcript.json("DELETE", "/policies/gold", null);
    controller.failWith(new StoreException("cannot read the store in /var/lib/sluice: I/O error"));
    transcript.json("GET", "/policies/gold", null);
    Golden.check("api-store-failed.txt", transcript.toString());
  }

  @Test
  void pagesAreCutAtTheirBounds() throws Exception {
    put("/policies/a", GOLD);
    put("/policies/b", GOLD);
    put("/policies/c", GOLD);
    assertThat(ids("/policies")).containsExactly("a", "b", "c");
    assertThat(ids("/policies?limit=1")).containsExactly("a");
    String next = transcript.json("GET", "/policies?limit=1", null).get("next").asText();
    assertThat(ids("/policies?limit=2&cursor=" + next)).containsExactly("b", "c");
    String last = transcript.json("GET", "/policies?limit=2", null).get("next").asText();
    transcript.json("DELETE", "/policies/b", null);
    put("/policies/a.later", GOLD);
    assertThat(ids("/policies?cursor=" + last)).containsExactly("c");
    assertThat(transcript.json("GET", "/policies?limit=3", null).has("next")).isFalse();
  }

  @Test
  void aPlaceInAnotherListIsRefused() throws Exception {
    put("/policies/gold", GOLD);
    for (String id : List.of("a", "b")) {
      put(
          "/subscribers/" + id,
          "{\"policy\":\"gold\",\"sVlan\":7,\"cVlan\":"
              + (int) id.charAt(0)
              + ",\"attachment\":{\"port\":0,\"tree\":3}}");
    }
    String next = transcript.json("GET", "/subscribers?limit=1&port=0", null).get("next").asText();
    JsonNode page = transcript.json("GET", "/subscribers?port=0&cursor=" + next, null);
    assertThat(page.get("items").findValuesAsText("id")).containsExactly("b");
    for (String other : List.of("/subscribers?cursor=", "/subscribers?port=1&cursor=")) {
      assertThat(transcript.json("GET", other + next, null).get("status").asInt()).isEqualTo(422);
    }
    char last = next.charAt(next.length() - 1);
    for (String forged : List.of("", "AAAA", next + "A", next.replace(last, 'Q'), "%00")) {
      JsonNode refusal = transcript.json("GET", "/subscribers?port=0&cursor=" + forged, null);
      assertThat(refusal.get("status").asInt()).as(forged).isEqualTo(422);
      assertThat(refusal.at("/errors/0/field").asText()).isEqualTo("cursor");
    }
  }

  @Test
  void onlyWhatIsAskedForIsListed() throws Exception {
    put("/policies/gold", GOLD);
    put("/policies/other", GOLD);
    put("/subscribers/alice", ALICE);
    put(
        "/subscribers/bob",
        "{\"policy\":\"other\",\"sVlan\":7,\"attachment\":{\"port\":1,\"tree\":3}}");
    put("/rate-limits/tree", "{\"scope\":{\"port\":0,\"tree\":3},\"downBps\":488000}");
    put("/rate-limits/port", "{\"scope\":{\"port\":0},\"downBps\":488000}");
    for (String filter : List.of("policy=gold", "port=0", "address=10.0.0.1", "limit=1")) {
      assertThat(listed("/subscribers?" + filter)).as(filter).containsExactly("alice");
    }
    assertThat(listed("/subscribers?tree=3&state=INSTALLED")).containsExactly("alice", "bob");
    assertThat(listed("/subscribers?tree=3&policy=other")).containsExactly("bob");
    assertThat(listed("/subscribers?state=FAILED")).isEmpty();
    assertThat(listed("/subscribers?address=10.0.0.2")).isEmpty();
    assertThat(listed("/subscribers?address=2001:db8::1")).containsExactly("alice");
    put(
        "/subscribers/carol",
        "{\"policy\":\"other\",\"sVlan\":8,\"attachment\":{\"port\":1,\"tree\":4},"
            + "\"labels\":{\"site\":\"north\",\"tier\":\"fibre\"}}");
    put(
        "/subscribers/bob",
        "{\"policy\":\"other\",\"sVlan\":9,\"attachment\":{\"port\":1,\"tree\":5},"
            + "\"labels\":{\"site\":\"north\"}}");
    assertThat(listed("/subscribers?label=site:north")).containsExactly("bob", "carol");
    assertThat(listed("/subscribers?label=tier:fibre,site:north")).containsExactly("carol");
    assertThat(listed("/subscribers?label=site:north&tree=5")).containsExactly("bob");
    assertThat(listed("/subscribers?label=site:nort")).isEmpty();
    assertThat(listed("/subscribers?text=AR")).containsExactly("carol");
    assertThat(listed("/subscribers?label=tier:fibre&address=10.0.0.1")).isEmpty();
    assertThat(listed("/rate-limits?port=0")).containsExactly("port", "tree");
    assertThat(listed("/rate-limits?tree=3")).containsExactly("tree");
    JsonNode page = transcript.json("GET", "/subscribers?fields=declared,leaving&port=0", null);
    assertThat(page.has("total")).isFalse();
    List<String> fields = new ArrayList<>();
    page.at("/items/0").fieldNames().forEachRemaining(fields::add);
    assertThat(fields).containsExactly("id", "declared");
    assertThat(page.at("/items/0/declared/attachment/tree").asInt()).isEqualTo(3);
    assertThat(transcript.json("GET", "/subscribers/alice?fields=notes", null).toString())
        .matches("\\{\"id\":\"alice\",\"notes\":\\[\"limited by [^\"]*\"]}");
  }

  private List<String> listed(String path) throws IOException, InterruptedException {
    return transcript.json("GET", path, null).get("items").findValuesAsText("id");
  }

  private List<String> ids(String path) throws IOException, InterruptedException {
    JsonNode page = transcript.json("GET", path, null);
    assertThat(page.get("total").asInt()).isEqualTo(3);
    return page.get("items").findValuesAsText("id");
  }

  @Test
  void whatIsReadBackCanBePutAgain() throws Exception {
    put("/policies/gold", POINTS);
    put("/subscribers/alice", ALICE);
    put("/rate-limits/t", "{\"scope\":{\"port\":0,\"tree\":3},\"downBps\":1,\"upBps\":2}");
    String before = everything();
    for (String path : List.of("/policies/gold", "/subscribers/alice", "/rate-limits/t")) {
      JsonNode declared = transcript.json("GET", path, null).get("declared");
      HttpResponse<String> again = server.send("PUT", path, declared.toString());
      assertThat(again.statusCode()).isEqualTo(200);
    }
    assertThat(everything()).isEqualTo(before);
  }

  @Test
  void countersAreThoseOfTheDirection() throws Exception {
    put("/policies/gold", GOLD);
    put("/subscribers/alice", ALICE);
    JsonNode counters = transcript.json("GET", "/subscribers/alice/counters", null);
    for (Direction direction : Direction.values()) {
      assertThat(counters.get(direction.text()).get("bytesOut").asLong())
          .isEqualTo(MemoryController.COUNTERS.of(direction).out().bytes());
    }
  }

  @Test
  void headAndOptionsAreAnswered() throws Exception {
    put("/policies/gold", GOLD);
    put("/policies/points", POINTS);
    for (String path :
        List.of("/status", "/policies", "/policies/gold", "/openapi.json", "/targets", "/none")) {
      HttpResponse<String> head = server.send("HEAD", path, null);
      HttpResponse<String> get = server.send("GET", path, null);
      assertThat(head.statusCode()).as(path).isEqualTo(get.statusCode());
      assertThat(head.body()).isEmpty();
      assertThat(head.headers().firstValueAsLong("Content-Length"))
          .as(path)
          .hasValue(get.body().getBytes(StandardCharsets.UTF_8).length);
      assertThat(head.headers().firstValue("ETag")).isEqualTo(get.headers().firstValue("ETag"));
    }
    HttpResponse<String> options = server.send("OPTIONS", "/policies/gold", null);
    assertThat(options.statusCode()).isEqualTo(200);
    assertThat(options.headers().firstValue("Allow").orElse("").split(","))
        .contains("PUT", "GET", "DELETE");
  }

  /** RFC 3986 section 6.2.2.2. */
  @Test
  void percentEncodingThatIsNotNeededChangesNothing() throws Exception {
    put("/policies/%67old%2D1", GOLD);
    assertThat(server.send("GET", "/policies/gold-1", null).statusCode()).isEqualTo(200);
    assertThat(server.send("GET", "/%73tatus", null).body())
        .isEqualTo(server.send("GET", "/status", null).body());
    assertThat(server.send("GET", "/policies%3flimit=0", null).statusCode()).isEqualTo(404);
    assertThat(server.send("GET", "/policies/gold%2F1", null).statusCode()).isEqualTo(404);
  }

  @Test
  void anAnswerInATypeThatIsNotExcludedIsGiven() throws Exception {
    for (String accept :
        List.of(
            "*/*;q=0, application/json",
            "application/*;q=0, application/json;q=0.1",
            "application/json;q=1, */*;q=0")) {
      HttpResponse<String> answer = server.send("GET", "/status", null, null, "Accept", accept);
      assertThat(answer.statusCode()).as(accept).isEqualTo(200);
    }
  }

  @Test
  void whereAnswersAreNotJsonItIsEnoughToAcceptJson() throws Exception {
    HttpResponse<String> export =
        server.send("GET", "/export", null, null, "Accept", "application/problem+json");
    assertThat(contentType(export)).isEqualTo("application/x-ndjson");
    HttpResponse<String> metrics =
        server.send("GET", "/metrics", null, null, "Accept", "application/problem+json");
    assertThat(contentType(metrics)).startsWith("text/plain");
    HttpResponse<String> bulk =
        server.send("POST", "/bulk", "application/x-ndjson", "", "Accept", "application/json");
    assertThat(contentType(bulk)).isEqualTo("application/x-ndjson");
  }

  @Test
  void aTypeThatIsExcludedIsNotSentBecauseJsonWouldBeTaken() throws Exception {
    for (String accept :
        List.of(
            "application/x-ndjson;q=0, */*",
            "application/x-ndjson;q=0, application/*",
            "application/x-ndjson;q=0.000, text/html")) {
      HttpResponse<String> export = server.send("GET", "/export", null, null, "Accept", accept);
      assertThat(export.statusCode()).as(accept).isEqualTo(406);
      HttpResponse<String> bulk =
          server.send("POST", "/bulk", "application/x-ndjson", "", "Accept", accept);
      assertThat(bulk.statusCode()).as(accept).isEqualTo(406);
    }
  }

  private static String contentType(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.headers().firstValue("Content-Type").orElseThrow();
  }
}
