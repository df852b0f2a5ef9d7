package net.sluice.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import net.sluice.core.ControllerEvent;
import net.sluice.core.TargetState;
import net.sluice.intents.model.Kind;
import net.sluice.rest.testing.TellingController;
import net.sluice.rest.testing.TestServer;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What clients have beside declarations, on every host alike. */
public class NorthboundApiTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String GOLD = "{\"throughputValue\":{\"builtIn\":\"gold\"}}";
  private static final String SILVER = "{\"throughputValue\":{\"builtIn\":\"silver\"}}";

  private final TellingController controller = new TellingController();
  private TestServer server;

  @BeforeEach
  void start() {
    server = new TestServer(controller);
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private static ControllerEvent installed(String id) {
    return new ControllerEvent.StatusChanged(
        Kind.SUBSCRIBER, id, "switch", TargetState.INSTALLED, Optional.empty());
  }

  /** The lines of an answer as they come. */
  private final class Followed implements AutoCloseable {
    private final Stream<String> answer;
    private final Iterator<String> lines;
    private String lastId;

    Followed(String seen) throws Exception {
      HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.base() + "/events"));
      if (seen != null) {
        request.header("Last-Event-ID", seen);
      }
      HttpResponse<Stream<String>> response =
          HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofLines());
      assertThat(response.statusCode()).isEqualTo(200);
      answer = response.body();
      lines = answer.iterator();
      assertThat(lines.next()).isEqualTo("retry: 2000");
    }

    JsonNode next() throws IOException {
      while (true) {
        String line = lines.next();
        if (line.startsWith("id: ")) {
          lastId = line.substring(4);
        } else if (line.startsWith("data: ")) {
          return MAPPER.readTree(line.substring(6));
        }
      }
    }

    @Override
    public void close() {
      answer.close();
    }
  }

  @Test
  void eventsAreFollowedAndAClientThatComesBackMissesNone() throws Exception {
    String seen;
    try (Followed events = new Followed(null)) {
      controller.tell(installed("alice"));
      JsonNode alice = events.next();
      assertThat(alice.get("type").asText()).isEqualTo("net.sluice.declaration.installed");
      assertThat(alice.get("subject").asText()).isEqualTo("subscribers/alice");
      seen = events.lastId;
    }
    controller.tell(installed("bob"));
    try (Followed events = new Followed(seen)) {
      assertThat(events.next().get("subject").asText()).isEqualTo("subscribers/bob");
      controller.tell(installed("carol"));
      assertThat(events.next().get("subject").asText()).isEqualTo("subscribers/carol");
    }
  }

  @Test
  void aRequestWithAKeyIsMadeOnce() throws Exception {
    String line = "{\"op\":\"put\",\"kind\":\"policy\",\"id\":\"gold\",\"value\":" + GOLD + "}\n";
    HttpResponse<String> first =
        server.send("POST", "/bulk", "application/x-ndjson", line, "Idempotency-Key", "k1");
    assertThat(first.statusCode()).as(first.body()).isEqualTo(200);
    assertThat(server.send("DELETE", "/policies/gold", null).statusCode()).isEqualTo(204);
    HttpResponse<String> again =
        server.send("POST", "/bulk", "application/x-ndjson", line, "Idempotency-Key", "k1");
    assertThat(again.headers().firstValue("Idempotency-Replayed")).contains("true");
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(server.send("GET", "/policies/gold", null).statusCode()).isEqualTo(404);
    HttpResponse<String> other =
        server.send("POST", "/bulk", "application/x-ndjson", "\n" + line, "Idempotency-Key", "k1");
    assertThat(other.statusCode()).isEqualTo(422);
  }

  @Test
  void whoAskedForAChangeAndWhatCameOfItIsTold() throws Exception {
    assertThat(server.send("PUT", "/policies/gold", GOLD).statusCode()).isEqualTo(201);
    HttpResponse<String> put =
        server.send(
            "PUT", "/policies/gold", "application/json", SILVER, "X-Request-Id", "our-request");
    assertThat(put.statusCode()).isEqualTo(200);
    JsonNode items =
        MAPPER.readTree(server.send("GET", "/audit?since=2", null).body()).get("items");
    assertThat(items).hasSize(2);
    JsonNode asked = items.get(0);
    assertThat(asked.get("role").asText()).isEqualTo("admin");
    assertThat(asked.get("from").asText()).isEqualTo("127.0.0.1");
    assertThat(asked.get("method").asText()).isEqualTo("PUT");
    assertThat(asked.get("path").asText()).endsWith("/v1/policies/gold");
    assertThat(asked.get("before")).isEqualTo(MAPPER.readTree(GOLD));
    assertThat(asked.get("after")).isEqualTo(MAPPER.readTree(SILVER));
    assertThat(items.get(1).get("of").asLong()).isEqualTo(asked.get("seq").asLong());
    assertThat(items.get(1).get("outcome").asText()).isEqualTo("made");
    assertThat(put.headers().firstValue("X-Request-Id")).contains("our-request");
    assertThat(asked.get("request").asText()).isEqualTo("our-request");
  }

  @Test
  void eventsAreSentToWebhooks() throws Exception {
    LinkedBlockingQueue<String> got = new LinkedBlockingQueue<>();
    HttpServer receiver =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receiver.createContext(
        "/",
        exchange -> {
          try (InputStream body = exchange.getRequestBody()) {
            got.add(new String(body.readAllBytes(), StandardCharsets.UTF_8));
          }
          assertThat(exchange.getRequestHeaders().getFirst("webhook-signature")).startsWith("v1,");
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    receiver.start();
    try {
      HttpResponse<String> put =
          server.send(
              "PUT",
              "/webhooks/oss",
              ("{\"url\":\"http://127.0.0.1:%d/in\","
                      + "\"secret\":\"whsec_YSBrZXkgb2YgdHdlbnR5LWZvdXIgYnl0ZXM=\"}")
                  .formatted(receiver.getAddress().getPort()));
      assertThat(put.statusCode()).as(put.body()).isEqualTo(201);
      controller.tell(installed("alice"));
      String body = got.poll(Patience.SECONDS, TimeUnit.SECONDS);
      assertThat(body).isNotNull();
      assertThat(MAPPER.readTree(body).get("subject").asText()).isEqualTo("subscribers/alice");
      assertThat(server.send("DELETE", "/webhooks/oss", null).statusCode()).isEqualTo(204);
    } finally {
      receiver.stop(0);
    }
  }

  @Test
  void whatTheHostLacksIsToldWithTheReasonThatRefusalsQuote() throws Exception {
    JsonNode capabilities =
        MAPPER.readTree(server.send("GET", "/version", null).body()).get("capabilities");
    assertThat(capabilities.fieldNames())
        .toIterable()
        .containsExactly(
            "gate-agents", "log-levels", "measurements", "restore", "switch-declarations");
    JsonNode levels = capabilities.get("log-levels");
    assertThat(levels.get("present").asBoolean()).isFalse();
    HttpResponse<String> refused = server.send("GET", "/log-levels", null);
    assertThat(refused.statusCode()).isEqualTo(409);
    assertThat(refused.body())
        .contains("This controller has no log-levels: " + levels.get("reason").asText() + ".");
  }
}
