package net.sluice.rest.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import net.sluice.core.store.InMemoryNetworkStore;
import net.sluice.northbound.webhooks.AllowedTargets;
import net.sluice.northbound.webhooks.WebhookSettings;
import net.sluice.northbound.webhooks.WebhookTiming;
import net.sluice.rest.testing.TellingController;
import net.sluice.rest.testing.TestServer;
import net.sluice.rest.testing.TestServices;
import net.sluice.testing.Http;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Webhooks over real connections; only the waits between attempts are not waited for. */
final class WebhooksContract {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final byte[] KEY = "a key of twenty-four bytes".getBytes(StandardCharsets.UTF_8);
  private static final String SECRET = "whsec_" + Base64.getEncoder().encodeToString(KEY);

  /** 64 KiB are read; the other bytes are in the buffers of two sockets, of megabytes each. */
  private static final long ANSWER_BOUND = 16 << 20;

  private static final int MOST_DEAD_LETTERS = 1000;

  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-01-02T03:04:05Z"), ZoneOffset.UTC);

  /** A request that the receiver got. */
  private record Got(
      String path, String id, String time, String signature, String type, String body) {
    private List<String> subjects() throws IOException {
      JsonNode json = MAPPER.readTree(body);
      List<String> subjects = new ArrayList<>();
      if (json.isArray()) {
        json.forEach(each -> subjects.add(each.get("subject").asText()));
      } else {
        subjects.add(json.get("subject").asText());
      }
      return subjects;
    }
  }

  private final TellingController controller = new TellingController();
  private final BlockingQueue<Got> got = new LinkedBlockingQueue<>();
  private final List<Duration> waited = new CopyOnWriteArrayList<>();
  private volatile Function<Got, Integer> answer = each -> 204;
  private com.sun.net.httpserver.HttpServer receiver;
  private InMemoryNetworkStore store = new InMemoryNetworkStore();
  private TestServer server;

  /** Why no caller may do anything; empty if each may. */
  private volatile Optional<String> whyNot = Optional.empty();

  @BeforeEach
  void receive() throws IOException {
    receiver = receiver(0);
  }

  private com.sun.net.httpserver.HttpServer receiver(int port) throws IOException {
    com.sun.net.httpserver.HttpServer made =
        com.sun.net.httpserver.HttpServer.create(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    made.createContext("/", this::receive);
    made.start();
    return made;
  }

  private void receive(HttpExchange exchange) throws IOException {
    var headers = exchange.getRequestHeaders();
    Got request =
        new Got(
            exchange.getRequestURI().getPath(),
            headers.getFirst("webhook-id"),
            headers.getFirst("webhook-timestamp"),
            headers.getFirst("webhook-signature"),
            headers.getFirst("Content-Type"),
            new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
    int status = answer.apply(request);
    if (status / 100 == 3) {
      exchange.getResponseHeaders().add("Location", "/elsewhere");
    }
    got.add(request);
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
  }

  private void start(String... allowed) {
    WebhookTiming timing =
        new WebhookTiming(
            Patience.TIME,
            Patience.TIME,
            time -> {
              waited.add(time);
              return Duration.ofMillis(1);
            });
    List<AllowedTargets.Rule> rules = Stream.of(allowed).map(AllowedTargets::parse).toList();
    WebhookSettings webhooks =
        new WebhookSettings(
            AllowedTargets.of("--webhook-allow", rules, List.of()),
            TestServices.anywhere().tls(),
            timing);
    controller.recordIn(store);
    server =
        new TestServer(
            new TestServices(
                controller,
                store,
                TestServices.settings(webhooks, (name, needed) -> whyNot, 1 << 20),
                CLOCK));
  }

  @AfterEach
  void stop() throws Exception {
    end();
    receiver.stop(0);
  }

  private void end() throws Exception {
    if (server != null) {
      server.close();
    }
    server = null;
  }

  private String url() {
    return "http://127.0.0.1:" + receiver.getAddress().getPort() + "/in";
  }

  private String form(String more) {
    return "{\"url\":\"%s\",\"secret\":\"%s\"%s}".formatted(url(), SECRET, more);
  }

  private HttpResponse<String> send(String method, String path, String body) throws Exception {
    return Http.send(method, server.base() + "/webhooks" + path, body);
  }

  private void put(String id, String body, int status) throws Exception {
    HttpResponse<String> answered = send("PUT", "/" + id, body);
    assertThat(answered.statusCode()).as(answered.body()).isEqualTo(status);
  }

  private JsonNode status(String id) throws Exception {
    return MAPPER.readTree(send("GET", "/" + id, null).body());
  }

  /** Waits for a status of the webhook {@code oss}. */
  private JsonNode awaitStatus(Predicate<JsonNode> wanted) {
    return Patience.await("the webhook", () -> status("oss"), wanted);
  }

  /** The subjects of as many events as follow. */
  private List<String> next(int events) throws Exception {
    List<String> subjects = new ArrayList<>();
    while (subjects.size() < events) {
      Got request = Patience.next(got);
      subjects.addAll(request.subjects());
    }
    return subjects;
  }

  @Test
  void eachEventIsSentOnceInItsOrderWithAProofOfWhoSendsIt() throws Exception {
    start();
    controller.tellOfDeleted("before");
    put("oss", form(""), 201);
    controller.tellOfDeleted("a", "b");
    controller.tellOfDeleted("c");
    Got first = Patience.next(got);
    JsonNode event = MAPPER.readTree(first.body());
    assertThat(event.get("subject").asText()).isEqualTo("subscribers/a");
    assertThat(event.get("type").asText()).isEqualTo("net.sluice.declaration.deleted");
    assertThat(first.id()).isEqualTo(event.get("id").asText());
    assertThat(first.type()).startsWith("application/cloudevents+json");
    assertThat(first.time()).isEqualTo("" + CLOCK.instant().getEpochSecond());
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(KEY, "HmacSHA256"));
    byte[] signed =
        (first.id() + "." + first.time() + "." + first.body()).getBytes(StandardCharsets.UTF_8);
    assertThat(first.signature())
        .isEqualTo("v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed)));
    assertThat(next(2)).containsExactly("subscribers/b", "subscribers/c");
    assertThat(got).isEmpty();
  }

  @Test
  void nothingIsSentWhileWhoDeclaredItMayNotAndAllOfItAfterwards() throws Exception {
    start();
    put("oss", form(",\"types\":[\"net.sluice.declaration\"]"), 201);
    controller.tellOfDeleted("a");
    assertThat(next(1)).containsExactly("subscribers/a");
    whyNot = Optional.of("the caller is none any more");
    controller.tellOfDeleted("b");
    JsonNode disabled = status("oss");
    assertThat(disabled.get("state").asText()).isEqualTo("DISABLED");
    assertThat(disabled.get("error").asText()).isEqualTo("the caller is none any more");
    // Nor after a start.
    end();
    start();
    controller.tellOfDeleted("c");
    Patience.await("a look at the caller", () -> waited.contains(Duration.ofSeconds(10)));
    assertThat(got).isEmpty();
    // It goes on where it was.
    whyNot = Optional.empty();
    assertThat(next(2)).containsExactly("subscribers/b", "subscribers/c");
    assertThat(status("oss").get("state").asText()).isEqualTo("DELIVERING");
  }

  @Test
  void onlyWantedEventsAreSentAndSeveralTogetherIfAskedFor() throws Exception {
    start();
    put(
        "oss",
        form(
            ",\"types\":[\"net.sluice.declaration.deleted\"],\"subject\":\"subscribers/a\","
                + "\"maxEvents\":3"),
        201);
    controller.tellOfDeleted("a1", "b1", "a2", "a3", "b2", "a4");
    List<Got> requests = new ArrayList<>();
    List<String> subjects = new ArrayList<>();
    while (subjects.size() < 4) {
      Got request = Patience.next(got);
      requests.add(request);
      subjects.addAll(request.subjects());
    }
    assertThat(subjects)
        .containsExactly("subscribers/a1", "subscribers/a2", "subscribers/a3", "subscribers/a4");
    assertThat(requests)
        .allSatisfy(
            each -> assertThat(each.type()).startsWith("application/cloudevents-batch+json"));
    assertThat(requests.get(0).subjects()).hasSizeLessThanOrEqualTo(3);
  }

  @Test
  void eventsWaitForAReceiverThatIsAway() throws Exception {
    start();
    int port = receiver.getAddress().getPort();
    put("oss", form(""), 201);
    receiver.stop(0);
    controller.tellOfDeleted("a", "b");
    Patience.await("twenty attempts", () -> waited.size() >= 20);
    assertThat(status("oss").get("state").asText()).isEqualTo("RETRYING");
    assertThat(status("oss").get("error").asText()).contains("refused");
    List<Duration> until = List.copyOf(waited);
    assertThat(until.subList(0, 4))
        .containsExactly(
            Duration.ofSeconds(1),
            Duration.ofSeconds(2),
            Duration.ofSeconds(4),
            Duration.ofSeconds(8));
    assertThat(until.get(19)).isEqualTo(Duration.ofMinutes(5));
    receiver = receiver(port);
    assertThat(next(2)).containsExactly("subscribers/a", "subscribers/b");
  }

  @Test
  void whatIsNotTakenIsGivenUpAndCanBeSentAgain() throws Exception {
    start();
    answer = each -> each.body().contains("subscribers/bad") ? 422 : 200;
    put("oss", form(""), 201);
    controller.tellOfDeleted("a", "bad", "c");
    assertThat(next(7))
        .containsExactly(
            "subscribers/a",
            "subscribers/bad",
            "subscribers/bad",
            "subscribers/bad",
            "subscribers/bad",
            "subscribers/bad",
            "subscribers/c");
    assertThat(waited)
        .containsExactly(
            Duration.ofSeconds(1),
            Duration.ofSeconds(2),
            Duration.ofSeconds(4),
            Duration.ofSeconds(8));
    JsonNode dead = MAPPER.readTree(send("GET", "/oss/dead-letters", null).body()).get("items");
    assertThat(dead).hasSize(1);
    assertThat(dead.get(0).get("reason").asText()).isEqualTo("status 422");
    assertThat(dead.get(0).get("events").asInt()).isEqualTo(1);
    assertThat(status("oss").get("deadLetters").asInt()).isEqualTo(1);

    // Also by another process.
    end();
    start();
    answer = each -> 200;
    assertThat(send("POST", "/oss/replay", "{}").statusCode()).isEqualTo(200);
    List<String> subjects = next(1);
    while (!subjects.get(0).equals("subscribers/bad")) {
      // The end and the start of the controller are events as well.
      subjects = next(1);
    }
    assertThat(status("oss").get("deadLetters").asInt()).isZero();
  }

  @Test
  void noMoreDeadLettersAreKeptThanAThousandWhateverAFileHas() throws Exception {
    ObjectNode kept =
        MAPPER
            .createObjectNode()
            .put("url", url())
            .put("secret", SECRET)
            .put("subject", "subscribers/")
            .put("maxEvents", 1)
            .put("by", "portal")
            .put("done", "0");
    kept.putArray("types");
    ArrayNode letters = kept.putArray("deadLetters");
    for (int i = 0; i <= MOST_DEAD_LETTERS; i++) {
      letters
          .addObject()
          .put("first", "5eed0001-" + i)
          .put("last", "5eed0001-" + i)
          .put("events", 1)
          .put("at", CLOCK.instant().toString())
          .put("reason", "status 404");
    }
    store.documents("webhooks").put("oss", MAPPER.writeValueAsBytes(kept));
    answer = each -> 404;
    start();
    controller.tellOfDeleted("last");
    JsonNode dead =
        Patience.await(
            "one more is given up",
            () -> MAPPER.readTree(send("GET", "/oss/dead-letters", null).body()).get("items"),
            items -> !items.get(items.size() - 1).get("first").asText().startsWith("5eed0001"));
    assertThat(dead).hasSize(MOST_DEAD_LETTERS);
  }

  /** Answers whatever comes with {@code begin}, and then with {@code more} until it is cut off. */
  private long answeredEndlessly(String begin, String more) throws Exception {
    try (ServerSocket endless = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      put(
          "oss",
          "{\"url\":\"http://127.0.0.1:%d/\",\"secret\":\"%s\"}"
              .formatted(endless.getLocalPort(), SECRET),
          201);
      controller.tellOfDeleted("a");
      long sent = 0;
      try (Socket client = endless.accept()) {
        // What comes before the request is no answer to it.
        assertThat(client.getInputStream().read()).isEqualTo('P');
        client.getOutputStream().write(begin.getBytes(StandardCharsets.US_ASCII));
        byte[] block = more.repeat(1000).getBytes(StandardCharsets.US_ASCII);
        while (sent < Integer.MAX_VALUE) {
          client.getOutputStream().write(block);
          sent += block.length;
        }
      } catch (IOException e) {
        // Cut off.
      }
      return sent;
    }
  }

  @Test
  void headersWithoutAnEndAreNoAnswer() throws Exception {
    start();
    assertThat(answeredEndlessly("HTTP/1.1 200 OK\r\n", "X-A: " + "a".repeat(1000) + "\r\n"))
        .isLessThan(ANSWER_BOUND);
    JsonNode retried = awaitStatus(oss -> oss.get("state").asText().equals("RETRYING"));
    assertThat(retried.get("deadLetters").asInt()).isZero();
  }

  @Test
  void interimAnswersWithoutAnEndAreNoAnswer() throws Exception {
    start();
    assertThat(answeredEndlessly("", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"))
        .isLessThan(ANSWER_BOUND);
    JsonNode retried = awaitStatus(oss -> oss.get("state").asText().equals("RETRYING"));
    assertThat(retried.get("deadLetters").asInt()).isZero();
  }

  /** The body, or the extension of a chunk, which is no part of the body. */
  @ParameterizedTest
  @ValueSource(
      strings = {"Content-Length: 9999999999\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n1;"})
  void ofAnAnswerWithoutAnEndTheStatusCounts(String rest) throws Exception {
    start();
    assertThat(answeredEndlessly("HTTP/1.1 200 OK\r\n" + rest, "a".repeat(1000)))
        .isLessThan(ANSWER_BOUND);
    JsonNode taken = awaitStatus(oss -> oss.has("lastEvent"));
    assertThat(taken.get("state").asText()).as("%s", taken).isEqualTo("DELIVERING");
    assertThat(taken.get("deadLetters").asInt()).isZero();
    assertThat(waited).isEmpty();
  }

  @Test
  void aReceiverThatFailsForLongIsGivenUpToo() throws Exception {
    start();
    answer = each -> each.body().contains("subscribers/bad") ? 503 : 200;
    put("oss", form(""), 201);
    controller.tellOfDeleted("bad", "c");
    assertThat(next(14)).endsWith("subscribers/bad", "subscribers/c");
    assertThat(waited).hasSize(12);
  }

  @Test
  void aNewStartGoesOnWhereTheLastOneEnded() throws Exception {
    start();
    put("oss", form(",\"types\":[\"net.sluice.declaration.\"]"), 201);
    controller.tellOfDeleted("a");
    assertThat(next(1)).containsExactly("subscribers/a");
    end();
    controller.tellOfDeleted("b");
    start();
    controller.tellOfDeleted("c");
    assertThat(next(2)).containsExactly("subscribers/b", "subscribers/c");
    assertThat(got).isEmpty();
  }

  @Test
  void allEventsAreSentAgainIfAskedFor() throws Exception {
    start();
    put("oss", form(""), 201);
    controller.tellOfDeleted("a", "b");
    assertThat(next(2)).containsExactly("subscribers/a", "subscribers/b");
    String first = MAPPER.readTree(send("GET", "/oss", null).body()).get("lastEvent").asText();
    controller.tellOfDeleted("c");
    assertThat(next(1)).containsExactly("subscribers/c");
    assertThat(send("POST", "/oss/replay", "{\"after\":\"" + first + "\"}").statusCode())
        .isEqualTo(200);
    assertThat(next(1)).containsAnyOf("subscribers/b", "subscribers/c");
    HttpResponse<String> refused = send("POST", "/oss/replay", "{\"after\":\"x\"}");
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body()).contains("the id of an event, or 0 for all that are kept");
    assertThat(send("POST", "/none/replay", "{}").statusCode()).isEqualTo(404);
  }

  @Test
  void aUrlThatIsNotAllowedIsRefusedAndANameIsNotFollowedToOne() throws Exception {
    start("192.0.2.0/24");
    HttpResponse<String> refused = send("PUT", "/oss", form(""));
    assertThat(refused.statusCode()).isEqualTo(422);
    assertThat(refused.body()).contains("192.0.2.0/24; others with --webhook-allow");
    put("named", form("").replace("127.0.0.1", "localhost"), 201);
    controller.tellOfDeleted("a");
    Patience.await("an attempt", () -> !waited.isEmpty());
    assertThat(status("named").get("error").asText())
        .isEqualTo(
            "localhost leads nowhere that is allowed: 192.0.2.0/24; others with --webhook-allow");
    assertThat(got).isEmpty();
  }

  @Test
  void aRedirectIsNotFollowed() throws Exception {
    start();
    answer = each -> 302;
    put("oss", form(""), 201);
    controller.tellOfDeleted("a");
    List<String> paths = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      paths.add(Patience.next(got).path());
    }
    assertThat(paths).containsOnly("/in");
    awaitStatus(oss -> oss.get("deadLetters").asInt() > 0);
    assertThat(got).isEmpty();
  }

  @Test
  void theSecretIsInNoAnswerAndInNoLogAndIsKept() throws Exception {
    start();
    put("oss", form(""), 201);
    put("oss", "{\"url\":\"%s\"}".formatted(url()), 200);
    controller.tellOfDeleted("a");
    assertThat(Patience.next(got).signature()).startsWith("v1,");
    String encoded = SECRET.substring(6);
    assertThat(send("GET", "", null).body()).contains("\"oss\"").doesNotContain(encoded);
    assertThat(send("GET", "/oss", null).body()).doesNotContain(encoded);
    put("bad", "{\"url\":\"x\",\"secret\":\"%s\"}".formatted(SECRET), 422);
    HttpResponse<String> tooShort =
        send("PUT", "/bad", "{\"url\":\"%s\",\"secret\":\"hunter2\"}".formatted(url()));
    assertThat(tooShort.statusCode()).isEqualTo(422);
    assertThat(tooShort.body()).doesNotContain("hunter2");
    HttpResponse<String> misspelt =
        send("PUT", "/bad", "{\"url\":\"%s\",\"Secret\":\"hunter2\"}".formatted(url()));
    assertThat(misspelt.statusCode()).isEqualTo(400);
    assertThat(misspelt.body()).contains("Secret", "not shown").doesNotContain("hunter2");
    put("bad", form(",\"url\":\"http://user:hunter2@127.0.0.1/\""), 400);
    put("bad", "{\"url\":\"http://hunter2@127.0.0.1/\",\"secret\":\"%s\"}".formatted(SECRET), 422);
    assertThat(send("POST", "/oss/replay", "{\"after\":\"0\"}").statusCode()).isEqualTo(200);
    String audit = Http.send("GET", server.base() + "/audit", null).body();
    assertThat(audit)
        .contains("/webhooks/oss", url(), "malformedBytes", "\"after\":{\"after\":\"0\"}")
        .doesNotContain(encoded, "hunter2");
    assertThat(send("DELETE", "/oss", null).statusCode()).isEqualTo(204);
    assertThat(send("DELETE", "/oss", null).statusCode()).isEqualTo(404);
    assertThat(store.documents("webhooks").names()).isEmpty();
  }

  @Test
  void thereAreAsManyAsMayBe() throws Exception {
    start();
    for (int i : IntStream.range(0, 64).toArray()) {
      put("w" + i, form(""), 201);
    }
    HttpResponse<String> refused = send("PUT", "/one-more", form(""));
    assertThat(refused.statusCode()).isEqualTo(507);
    assertThat(refused.body()).contains("at most 64");
    put("w1", form(""), 200);
  }

  @Test
  void whatIsWrongWithAFormIsToldAtOnce() throws Exception {
    start();
    HttpResponse<String> refused =
        send(
            "PUT",
            "/oss",
            "{\"url\":\"ftp://user:pw@host/\",\"types\":[\"\"],\"maxEvents\":0,\"more\":1}");
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body())
        .contains(
            "an absolute URL of http or https, without user and fragment, of at most 2048"
                + " characters",
            "types[0]",
            "the beginning of a type, such as net.sluice.declaration.",
            "1 to 1000",
            "only the fields url, secret, types, subject, maxEvents")
        .doesNotContain("user:pw");
    HttpResponse<String> unsigned = send("PUT", "/oss", "{\"url\":\"%s\"}".formatted(url()));
    assertThat(unsigned.statusCode()).isEqualTo(400);
    assertThat(unsigned.body()).contains("one with a webhook that is new");
  }
}
