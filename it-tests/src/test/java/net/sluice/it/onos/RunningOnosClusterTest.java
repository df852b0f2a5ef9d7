package net.sluice.it.onos;

import static net.sluice.it.onos.OnosRest.ok;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import p4.v1.P4RuntimeOuterClass.Entity;

/**
 * The archive in two running instances of ONOS with two switches, through what happens to a
 * cluster. The tests are the steps of one story and run in its order. The upgrade precedes the
 * outages: an instance that has lost its session with the storage hears of no installation.
 */
@TestMethodOrder(OrderAnnotation.class)
class RunningOnosClusterTest {
  private static final String API = "/onos/sluice/v1";
  private static final String PUT = "net.sluice.declaration.put";
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Path UPGRADE =
      Path.of("").toAbsolutePath().resolveSibling("docker/onos/upgrade.sh");

  /** Lines of one request, whose answers are read when all have been sent. */
  private static final int BULK_LINES = 2_000;

  /** Far below the 15 s for which a change waits for the storage. */
  private static final Duration STATUS_BOUND = Duration.ofSeconds(5);

  /** Longer than a session with the storage lasts. */
  private static final Duration FROZEN = Duration.ofSeconds(35);

  /** One and a half of the times after which ONOS polls a switch. */
  private static final Duration POLLS = Duration.ofSeconds(45);

  private static final Duration RECOVERY_BOUND = Duration.ofSeconds(90);
  private static final Duration INSTALLATION_BOUND = Duration.ofSeconds(180);

  @TempDir static Path work;
  private static ExecutorService clients;
  private static OnosCluster cluster;
  private static int nextNumber = 100_000;

  /** A third switch, which is taken over. */
  private static ServingSwitch serving;

  /** A line of a bulk that puts a subscriber, whose number makes its id and prefix, at a switch. */
  private record Line(int number, String leaf) {
    String id() {
      return "s" + number;
    }

    String prefix() {
      return "20.%d.%d.%d/32".formatted(number >> 16 & 255, number >> 8 & 255, number & 255);
    }

    String value() {
      return "{\"policy\":\"gold\",\"prefixes\":[\"%s\"],\"attachment\":{\"switch\":\"%s\",\"port\":0,\"tree\":0}}"
          .formatted(prefix(), leaf);
    }

    String subject() {
      return "subscribers/" + id();
    }

    String json() {
      return "{\"op\":\"put\",\"kind\":\"subscriber\",\"id\":\"%s\",\"value\":%s}\n"
          .formatted(id(), value());
    }
  }

  @BeforeAll
  static void start() throws Exception {
    Path installed = OnosProcess.assumeInstalled();
    clients = Executors.newCachedThreadPool();
    cluster = new OnosCluster(installed, work);
    cluster.install();
    cluster.drive();
    serving = new ServingSwitch();
  }

  @AfterAll
  static void stop() throws InterruptedException {
    if (cluster != null) {
      cluster.close();
    }
    if (serving != null) {
      serving.close();
    }
    if (clients != null) {
      clients.shutdownNow();
    }
  }

  @Test
  @Order(1)
  void bothSwitchesAreServedThroughEitherInstance() throws Exception {
    everythingIsInstalled();
    ok(
        instance(0)
            .admin()
            .put(API + "/policies/gold", "{\"throughputValue\":{\"builtIn\":\"gold\"}}"));
    List<Line> odd = new ArrayList<>();
    List<Line> even = new ArrayList<>();
    for (int number = 1; number < 10_000; number += 2) {
      odd.add(new Line(number, "leaf1"));
      even.add(new Line(number + 1, "leaf2"));
    }
    Future<Map<String, String>> one = clients.submit(bulk(instance(0), odd, new CountDownLatch(0)));
    Future<Map<String, String>> other =
        clients.submit(bulk(instance(1), even, new CountDownLatch(0)));
    assertThat(one.get()).hasSameSizeAs(odd);
    assertThat(other.get()).hasSameSizeAs(even);
    bothServe();
  }

  @Test
  @Order(2)
  void anUpgradeWritesNothingAndHidesNoDevice() throws Exception {
    everythingIsInstalled();
    Map<String, Set<String>> before = cluster.served();
    cluster.instances().forEach(each -> each.process().forgetLines());
    List<String> command = new ArrayList<>(List.of("sh", UPGRADE.toString()));
    command.add(OnosProcess.archive().toString());
    cluster.instances().forEach(each -> command.add(each.address()));
    try (LoggedProcess upgrade = new LoggedProcess("upgrade", new ProcessBuilder(command))) {
      OptionalInt status =
          Patience.awaitAnswer(
              "the upgrade ends",
              Duration.ofSeconds(Patience.PROCESS_SECONDS),
              () -> {
                for (OnosProcess each : cluster.instances()) {
                  assertThat(devices(each)).as("devices at %s", each.address()).isEqualTo(2);
                }
                assertThat(cluster.served().equals(before)).as("switches hold the same").isTrue();
                return upgrade.status();
              },
              OptionalInt::isPresent);
      assertThat(status).as(upgrade.tail()).hasValue(0);
    }
    everythingIsInstalled();
    assertThat(cluster.served().equals(before)).as("switches hold the same").isTrue();
    OnosProcess leader = cluster.leader();
    for (String leaf : OnosCluster.SWITCHES) {
      assertThat(
              leader.process().lastLine(line -> line.contains(leaf + ": read back in ")).orElse(""))
          .contains("of which 0 were wrong and 0 unknown; 0 written");
    }
    bothServe();
  }

  @Test
  @Order(3)
  void storageThatStoodStillIsUsedAgain() throws Exception {
    everythingIsInstalled();
    cluster.storage().signal("STOP");
    try {
      statusIsToldFor(Duration.ofSeconds(25), cluster.instances());
    } finally {
      cluster.storage().signal("CONT");
    }
    bothServe();
  }

  @Test
  @Order(4)
  void storageThatWasKilledIsUsedAgainOnceItRuns() throws Exception {
    everythingIsInstalled();
    cluster.storage().close();
    statusIsToldFor(Duration.ofSeconds(6), cluster.instances());
    cluster.startStorage();
    bothServe();
  }

  @Test
  @Order(5)
  void whatALeaderAcknowledgedIsServedByWhoTakesOver() throws Exception {
    everythingIsInstalled();
    OnosProcess leader = cluster.leader();
    OnosProcess follower = instance(1 - cluster.instances().indexOf(leader));
    List<Line> toLeader = interrupted(20_000, 1);
    List<Line> toFollower = interrupted(40_000, 2);
    Map<String, String> expected = declaredAt(follower);
    Stream.of(toLeader, toFollower).flatMap(List::stream).map(Line::id).forEach(expected::remove);
    CountDownLatch byLeader = new CountDownLatch(1_500);
    CountDownLatch byFollower = new CountDownLatch(1_500);
    Future<Map<String, String>> one = clients.submit(bulk(leader, toLeader, byLeader));
    Future<Map<String, String>> other = clients.submit(bulk(follower, toFollower, byFollower));
    assertThat(byLeader.await(Patience.PROCESS_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(byFollower.await(Patience.PROCESS_SECONDS, TimeUnit.SECONDS)).isTrue();
    long killed = System.nanoTime();
    leader.close();
    Patience.awaitAnswer(
        "the other instance leads after the leader was killed",
        RECOVERY_BOUND,
        () -> OnosCluster.leads(follower),
        leads -> leads);
    say("another instance leads %.1f s after the leader was killed", secondsSince(killed));
    assertThat(one.get().size()).as("lines done by the leader").isLessThan(toLeader.size());
    expected.putAll(one.get());
    expected.putAll(other.get());
    say(
        "%d lines were acknowledged, %d of them by the leader",
        one.get().size() + other.get().size(), one.get().size());
    installedAt(follower);
    Map<String, String> declared = declaredAt(follower);
    expected.entrySet().removeAll(declared.entrySet());
    assertThat(expected).as("acknowledged and not declared so").isEmpty();
    switchesHold(declared);
    say("every acknowledged line is served %.1f s after", secondsSince(killed));
    leader.start();
    leader.awaitAnswers();
    bothServe();
  }

  @Test
  @Order(6)
  void eventsAnswersAndAuditGoOnWithTheNextLeader() throws Exception {
    everythingIsInstalled();
    OnosProcess leader = cluster.leader();
    OnosProcess follower = instance(1 - cluster.instances().indexOf(leader));
    FollowedEvents atFollower = FollowedEvents.of(follower.admin(), API + "/events", "");
    FollowedEvents atLeader = FollowedEvents.of(leader.admin(), API + "/events", "");
    Line first = new Line(nextNumber++, "leaf1");
    HttpResponse<String> made = once(leader, first);
    assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
    atFollower.await(PUT, first.subject());
    atLeader.await(PUT, first.subject());
    long killed = System.nanoTime();
    leader.close();
    atFollower.awaitEnd();
    say("the follower's stream ends %.1f s after the leader was killed", secondsSince(killed));

    FollowedEvents goingOn =
        FollowedEvents.of(follower.admin(), API + "/events", atFollower.lastId());
    say("it is told on %.1f s after", secondsSince(killed));
    HttpResponse<String> replayed =
        Patience.awaitAnswer(
            "the new leader answers",
            RECOVERY_BOUND,
            () -> once(follower, first),
            answer -> answer.statusCode() != 503);
    assertThat(replayed.statusCode()).as(replayed.body()).isEqualTo(200);
    assertThat(replayed.headers().firstValue("Idempotency-Replayed")).hasValue("true");
    assertThat(replayed.body()).isEqualTo(made.body());
    Line second = new Line(nextNumber++, "leaf2");
    assertThat(once(follower, second).statusCode()).isEqualTo(200);
    goingOn.await(PUT, second.subject());
    List<JsonNode> told = new ArrayList<>(atFollower.events());
    told.addAll(goingOn.events());
    assertThat(told).noneMatch(each -> each.path("type").asText().equals("net.sluice.events.gap"));
    assertThat(told.stream().map(each -> each.path("sequence").asText()))
        .isSorted()
        .doesNotHaveDuplicates();
    assertThat(told.stream().filter(each -> each.path("type").asText().equals(PUT)))
        .extracting(each -> each.path("subject").asText())
        .containsExactly(first.subject(), second.subject());

    leader.start();
    leader.awaitAnswers();
    bothServe();
    for (OnosProcess each : cluster.instances()) {
      assertThat(audited(each, first)).as("at %s", each.address()).isEqualTo(1);
      assertThat(audited(each, second)).as("at %s", each.address()).isEqualTo(1);
    }
  }

  /** Puts a subscriber under an idempotency key of its own. */
  private static HttpResponse<String> once(OnosProcess through, Line line) throws Exception {
    return through
        .admin()
        .send(
            "POST",
            API + "/bulk",
            Map.of("Content-Type", "application/x-ndjson", "Idempotency-Key", line.id()),
            BodyPublishers.ofString(line.json()),
            BodyHandlers.ofString());
  }

  /** Lines of the audit log about a subscriber. */
  private static int audited(OnosProcess at, Line line) throws Exception {
    int found = 0;
    JsonNode page;
    long since = 0;
    do {
      page = ok(at.admin().get(API + "/audit?limit=1000&since=" + since));
      for (JsonNode each : page.path("items")) {
        found += each.toString().contains("\"" + line.id() + "\"") ? 1 : 0;
        since = each.path("seq").asLong();
      }
    } while (!page.path("items").isEmpty());
    return found;
  }

  /**
   * Until another instance leads, which ONOS decides, the follower has nothing of its own to tell.
   */
  @Test
  @Order(7)
  void aFollowerSaysInTimeThatAFrozenLeaderDoesNotAnswer() throws Exception {
    everythingIsInstalled();
    OnosProcess leader = cluster.leader();
    OnosProcess follower = instance(1 - cluster.instances().indexOf(leader));
    leader.process().signal("STOP");
    try {
      HttpResponse<String> answer = statusInTime(follower);
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(answer.body()).contains("of the cluster leads, and cannot be asked: ");
      statusIsToldFor(FROZEN, List.of(follower));
    } finally {
      leader.process().signal("CONT");
    }
    // It refuses changes as long as it has not noticed that another one leads.
    Line line = new Line(nextNumber++, OnosCluster.SWITCHES.get(0));
    for (OnosProcess each : cluster.instances()) {
      HttpResponse<String> unused =
          Patience.awaitAnswer(
              "changes are taken through " + each.address(),
              RECOVERY_BOUND,
              () -> each.admin().put(API + "/subscribers/" + line.id(), line.value()),
              answer -> answer.statusCode() != 503);
    }
    bothServe();
  }

  @Test
  @Order(8)
  void aSwitchThatServeHasFilledServesItsSubscribersWhileAClusterTakesItOver() throws Exception {
    serving.fillByServe(work);
    takeOverServing();
  }

  @Test
  @Order(9)
  void storageThatIsBegunAnewLeavesFilledSwitchesAsTheyAre() throws Exception {
    Map<String, Set<String>> before = cluster.served();
    cluster.beginAnew();
    cluster.drive();
    takeOverServing();
    assertThat(cluster.served().equals(before)).as("switches hold the same").isTrue();
    String status = instance(1).admin().get(API + "/status").body();
    assertThat(status.split("\"session\":\"REFUSING\"", -1)).as(status).hasSize(3);
  }

  @Test
  @Order(10)
  void switchesOfTheApiLimitEachInItsWayAfterARestoreAndWithTheNextLeader() throws Exception {
    try (LimitingSwitches limiting = new LimitingSwitches()) {
      OnosProcess leader = cluster.leader();
      OnosProcess follower = instance(1 - cluster.instances().indexOf(leader));
      limiting.declare(follower.admin(), API);
      limiting.awaitInstalled(follower.admin(), API);
      for (String subscriber : List.of("police", "shape", "fpga", "contract")) {
        ok(follower.admin().get(API + "/subscribers/" + subscriber + "/counters"));
      }

      byte[] backup =
          follower
              .admin()
              .send(
                  "POST", API + "/backup", "", BodyPublishers.noBody(), BodyHandlers.ofByteArray())
              .body();
      String late = LimitingSwitches.subscriber(9, LimitingSwitches.METERS, "");
      ok(follower.admin().put(API + "/subscribers/late?waitMillis=60000", late));
      ok(
          follower
              .admin()
              .send(
                  "POST",
                  API + "/restore?replace=true",
                  "application/gzip",
                  BodyPublishers.ofByteArray(backup)));
      limiting.awaitInstalled(follower.admin(), API);
      for (OnosProcess each : cluster.instances()) {
        assertThat(each.admin().get(API + "/subscribers/late").statusCode()).isEqualTo(404);
        ok(each.admin().get(API + "/subscribers/contract"));
      }

      leader.close();
      Patience.awaitAnswer(
          "the other instance leads",
          RECOVERY_BOUND,
          () -> OnosCluster.leads(follower),
          leads -> leads);
      limiting.awaitInstalled(follower.admin(), API);
      int known = devices(follower);
      for (String path : List.of("/subscribers/contract", "/switches/" + LimitingSwitches.MARKS)) {
        HttpResponse<String> gone =
            follower.admin().send("DELETE", API + path, "", BodyPublishers.noBody());
        assertThat(gone.statusCode()).as(gone.body()).isEqualTo(204);
      }
      // ONOS lists none of its devices if it finds no driver for one of them.
      Patience.awaitAnswer(
          "the withdrawn device is forgotten",
          RECOVERY_BOUND,
          () -> devices(follower),
          left -> left == known - 1);
    }
  }

  /** Has the cluster drive the third switch, which is left as it is until it is adopted. */
  private static void takeOverServing() throws Exception {
    Set<Entity> before = serving.content();
    cluster.drive("leaf3", serving.port(), ServingSwitch.TOPOLOGY);
    OnosRest follower = instance(1 - cluster.instances().indexOf(cluster.leader())).admin();
    awaitServing(follower, "REFUSING");
    ServingSwitch.declareAll(follower, API, "t", "\"switch\":\"leaf3\",");
    assertThat(serving.content()).isEqualTo(before);
    assertThat(
            follower
                .send("POST", API + "/targets/leaf3/adopt", "", BodyPublishers.noBody())
                .statusCode())
        .isEqualTo(202);
    awaitServing(follower, "READY");
    serving.losesNothingFor(POLLS);
    for (OnosProcess each : cluster.instances()) {
      assertThat(
              each.process()
                  .lines(line -> line.contains("Setting pipeline config for device:leaf3")))
          .isZero();
    }
  }

  /** Waits until the session with the third switch stands so, while that serves. */
  private static void awaitServing(OnosRest follower, String session) {
    Patience.awaitAnswer(
        "leaf3 is " + session,
        INSTALLATION_BOUND,
        () -> {
          int unused = serving.losesNothing();
          HttpResponse<String> answer = follower.get(API + "/status");
          return answer.statusCode() == 200 ? session(answer) : "";
        },
        session::equals);
  }

  private static String session(HttpResponse<String> status) throws IOException {
    for (JsonNode each : ok(status).path("targets")) {
      if (each.path("target").asText().equals("leaf3")) {
        return each.path("session").asText();
      }
    }
    return "";
  }

  /** Lines that put new subscribers at either switch and move every twentieth of the first. */
  private static List<Line> interrupted(int from, int moved) {
    List<Line> lines = new ArrayList<>();
    for (int number = 0; number < 20_000; number++) {
      lines.add(new Line(from + number, OnosCluster.SWITCHES.get(number % 2)));
      if (number % 40 == 0) {
        int old = moved + number / 2;
        lines.add(new Line(old, OnosCluster.SWITCHES.get(old % 2)));
      }
    }
    return lines;
  }

  private static OnosProcess instance(int number) {
    return cluster.instances().get(number);
  }

  /**
   * Sends lines in requests of some thousand, up to one that is not answered to its end.
   *
   * @param left counts the lines that are done
   * @return the switch of each subscriber whose line is answered as done
   */
  private static Callable<Map<String, String>> bulk(
      OnosProcess through, List<Line> lines, CountDownLatch left) {
    return () -> {
      Map<String, String> done = new HashMap<>();
      try {
        for (int from = 0; from < lines.size(); from += BULK_LINES) {
          List<Line> part = lines.subList(from, Math.min(lines.size(), from + BULK_LINES));
          HttpResponse<Stream<String>> answer =
              through
                  .admin()
                  .send(
                      "POST",
                      API + "/bulk",
                      "application/x-ndjson",
                      BodyPublishers.ofString(
                          part.stream().map(Line::json).collect(Collectors.joining())),
                      BodyHandlers.ofLines());
          if (answer.statusCode() != 200) {
            return done;
          }
          for (Iterator<String> results = answer.body().iterator(); results.hasNext(); ) {
            JsonNode result = MAPPER.readTree(results.next());
            if (result.path("status").asInt() == 200) {
              Line line = part.get(result.path("line").asInt() - 1);
              done.put(line.id(), line.leaf());
              left.countDown();
            }
          }
        }
      } catch (IOException | UncheckedIOException theInstanceIsGone) {
        return done;
      }
      return done;
    };
  }

  /** Instances tell their status, or that there is none, in time, again and again for that long. */
  private static void statusIsToldFor(Duration time, List<OnosProcess> instances) {
    Patience.during(
        "the status is told in time",
        time,
        () -> {
          for (OnosProcess each : instances) {
            HttpResponse<String> answer = statusInTime(each);
            assertThat(answer.statusCode()).as(answer.body()).isIn(200, 503);
          }
          return true;
        });
  }

  private static HttpResponse<String> statusInTime(OnosProcess instance) throws Exception {
    long asked = System.nanoTime();
    HttpResponse<String> answer = instance.admin().get(API + "/status");
    assertThat(secondsSince(asked))
        .as("seconds to the status of %s: %s", instance.address(), answer.body())
        .isLessThan(STATUS_BOUND.toSeconds());
    return answer;
  }

  /** Both instances serve by themselves, within a bound, and what they declare is served. */
  private static void bothServe() throws Exception {
    long begin = System.nanoTime();
    for (OnosProcess each : cluster.instances()) {
      Patience.awaitAnswer(
          each.address() + " serves",
          RECOVERY_BOUND,
          () -> each.admin().get(API + "/policies/gold"),
          answer -> answer.statusCode() == 200);
    }
    say("both instances serve after %.1f s", secondsSince(begin));
    everythingIsInstalled();
    say("everything is installed after %.1f s", secondsSince(begin));
    for (OnosProcess each : cluster.instances()) {
      for (String leaf : OnosCluster.SWITCHES) {
        Line line = new Line(nextNumber++, leaf);
        JsonNode put =
            ok(
                each.admin()
                    .put(API + "/subscribers/" + line.id() + "?waitMillis=60000", line.value()));
        assertThat(put.path("targets").path(0).path("state").asText())
            .as("%s through %s", put, each.address())
            .isEqualTo("INSTALLED");
      }
    }
    switchesHold(declaredAt(instance(0)));
  }

  private static void everythingIsInstalled() throws Exception {
    for (OnosProcess each : cluster.instances()) {
      installedAt(each);
    }
  }

  /** Both switches have a session and hold all that is declared; neither store is refused. */
  private static void installedAt(OnosProcess instance) throws Exception {
    Patience.awaitAnswer(
        "everything is installed, says " + instance.address(),
        INSTALLATION_BOUND,
        () -> instance.admin().get(API + "/status").body(),
        status -> {
          assertThat(status).doesNotContain("REFUSING");
          return status.contains("\"allInstalled\":true") && status.split("READY", -1).length == 3;
        });
  }

  /** The switch of each subscriber's id. */
  private static Map<String, String> declaredAt(OnosProcess instance) throws Exception {
    Map<String, String> declared = new HashMap<>();
    JsonNode page;
    String cursor = "";
    do {
      page = ok(instance.admin().get(API + "/subscribers?limit=1000" + cursor));
      for (JsonNode each : page.path("items")) {
        declared.put(each.path("id").asText(), each.at("/declared/attachment/switch").asText());
      }
      cursor = "&cursor=" + page.path("next").asText();
    } while (page.has("next"));
    assertThat(declared).hasSize(page.path("total").asInt(-1));
    return declared;
  }

  /** Each switch holds the prefixes of the subscribers declared for it, and no others. */
  private static void switchesHold(Map<String, String> declared) throws Exception {
    Map<String, Set<String>> served = cluster.served();
    for (String leaf : OnosCluster.SWITCHES) {
      Set<String> wanted =
          declared.entrySet().stream()
              .filter(each -> each.getValue().equals(leaf))
              .map(each -> new Line(Integer.parseInt(each.getKey().substring(1)), leaf).prefix())
              .collect(Collectors.toSet());
      Set<String> lacking = new TreeSet<>(wanted);
      lacking.removeAll(served.get(leaf));
      Set<String> unwanted = new TreeSet<>(served.get(leaf));
      unwanted.removeAll(wanted);
      assertThat(lacking).as("declared and not held by %s", leaf).isEmpty();
      assertThat(unwanted).as("held by %s and not declared", leaf).isEmpty();
    }
  }

  /** Devices that ONOS tells of; none if it does not answer so. */
  private static int devices(OnosProcess instance) throws Exception {
    return MAPPER.readTree(instance.admin().get("/onos/v1/devices").body()).path("devices").size();
  }

  private static double secondsSince(long nanoTime) {
    return (System.nanoTime() - nanoTime) / 1e9;
  }

  private static void say(String format, Object... values) {
    System.out.printf(format + "%n", values);
  }
}
