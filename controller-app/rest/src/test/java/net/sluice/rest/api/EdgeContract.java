package net.sluice.rest.api;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import net.sluice.intents.model.Kind;
import net.sluice.rest.testing.MemoryController;
import net.sluice.rest.testing.TestEdge;
import net.sluice.rest.testing.TestServer;
import net.sluice.rest.traces.TraceSettings;
import net.sluice.testing.Http;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The way of requests to the resources, on every host alike. */
public class EdgeContract {
  private static final String GOLD = "{\"throughputValue\":{\"builtIn\":\"gold\"}}";
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

  private final MemoryController controller = new MemoryController(10);
  private TestServer server;

  private void start(TestEdge edge) {
    server = new TestServer(controller, edge);
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private HttpResponse<String> send(String method, String path, String login, String body)
      throws Exception {
    return Http.send(
        method,
        server.base() + path,
        body,
        "Authorization",
        login == null ? null : Http.basic(login));
  }

  /**
   * The answer to a request with these lines below the first. The connection may stay open for a
   * while, for a body that the server does not wait for.
   */
  private String raw(String first, String... lines) throws IOException {
    URI base = server.base();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), base.getPort())) {
      String request =
          first.replace("API", base.getPath())
              + " HTTP/1.1\r\nConnection: close\r\n"
              + String.join("\r\n", lines)
              + "\r\n\r\n"
              // Jetty 9 waits for the first byte of a body itself.
              + (first.startsWith("PUT") ? "2\r\n{}\r\n" : "");
      socket.getOutputStream().write(request.getBytes(ISO_8859_1));
      StringBuilder answer = new StringBuilder();
      for (int c = socket.getInputStream().read(); c >= 0; c = socket.getInputStream().read()) {
        answer.append((char) c);
        if (answer.indexOf("}\n") >= 0) {
          break;
        }
      }
      return answer.toString();
    }
  }

  @Test
  void withoutALoginNothingIsServedButTheDocumentOfTheApi() throws Exception {
    start(new TestEdge(true, false, List.of(), Optional.empty()));
    HttpResponse<String> none = send("GET", "/status", null, null);
    assertThat(none.statusCode()).isEqualTo(401);
    assertThat(none.headers().firstValue("WWW-Authenticate").orElse("")).startsWith("Basic ");
    assertThat(none.headers().firstValue("Content-Type")).contains("application/problem+json");
    assertThat(none.headers().firstValue("X-Request-Id")).isPresent();
    assertThat(none.body()).contains("urn:sluice:problem:unauthorized", "Authorization is absent");
    HttpResponse<String> wrong = send("PUT", "/policies/gold", "onos:wrong", GOLD);
    assertThat(wrong.statusCode()).isEqualTo(401);
    assertThat(wrong.body()).contains("is not known");
    assertThat(controller.find(Kind.POLICY, "gold")).isEmpty();
    assertThat(send("GET", "/openapi.json", null, null).statusCode()).isEqualTo(200);
  }

  @Test
  void aRoleMayDoWhatItIsFor() throws Exception {
    start(new TestEdge(true, false, List.of(), Optional.empty()));
    String reader = TestEdge.USERS.get(0);
    String operator = TestEdge.USERS.get(1);
    String admin = TestEdge.USERS.get(2);
    assertThat(send("GET", "/status", reader, null).statusCode()).isEqualTo(200);
    assertThat(send("GET", "/version", operator, null).body())
        .contains("\"caller\":{\"name\":\"clerk\",\"role\":\"operate\"}");
    HttpResponse<String> refused = send("PUT", "/policies/gold", reader, GOLD);
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).contains("guest has role read; this needs operate.");
    assertThat(send("PUT", "/policies/gold", operator, GOLD).statusCode()).isEqualTo(201);
    assertThat(send("POST", "/targets/none/adopt", operator, null).statusCode()).isEqualTo(403);
    assertThat(send("POST", "/targets/none/adopt", admin, null).statusCode()).isEqualTo(404);
  }

  /** Each failure waits longer than the one before, so that too many soon wait. */
  @Test
  void failuresAreSlowedDownAndTheRightLoginIsNot() throws Exception {
    start(new TestEdge(true, false, List.of(), Optional.empty()));
    String url = server.base() + "/status";
    List<CompletableFuture<HttpResponse<String>>> guesses = new ArrayList<>();
    CompletableFuture<HttpResponse<String>> refused = new CompletableFuture<>();
    while (!refused.isDone()) {
      CompletableFuture<HttpResponse<String>> guess =
          Http.begin("GET", url, null, "Authorization", Http.basic("onos:guess"));
      guesses.add(guess);
      guess.thenAccept(
          answer -> {
            if (answer.statusCode() == 429) {
              refused.complete(answer);
            }
          });
      if (guesses.size() % 8 == 0) {
        guess.join();
      }
    }
    assertThat(refused.get().headers().firstValue("Retry-After")).contains("1");
    assertThat(refused.get().body()).contains("have not proved who sends them");
    assertThat(send("GET", "/status", "onos:rocks", null).statusCode()).isEqualTo(200);
    for (CompletableFuture<HttpResponse<String>> guess : guesses) {
      assertThat(guess.get().statusCode()).isIn(401, 429);
    }
  }

  @Test
  void aBodyThatIsTooLongIsRefusedBeforeItIsAskedFor() throws Exception {
    start(TestEdge.OPEN);
    assertThat(
            raw(
                "PUT API/policies/gold",
                "Host: localhost",
                "Content-Type: application/json",
                "Content-Length: 1048577",
                "Expect: 100-continue"))
        .startsWith("HTTP/1.1 413 ")
        .contains("application/problem+json", "body is more than 1048576 bytes");
  }

  /** Otherwise the client would send its next request on a connection that is being closed. */
  @Test
  void aStreamThatIsRefusedBeforeItsEndSaysThatTheConnectionEnds() throws Exception {
    start(TestEdge.OPEN);
    URI base = server.base();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), base.getPort())) {
      String request =
          "POST %s/bulk HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/x-ndjson\r\nIf-Match: \"x\"\r\nContent-Length: 100\r\n\r\n{"
              .formatted(base.getPath(), base.getPort());
      socket.getOutputStream().write(request.getBytes(ISO_8859_1));
      StringBuilder head = new StringBuilder();
      while (head.indexOf("\r\n\r\n") < 0) {
        head.append((char) socket.getInputStream().read());
      }
      assertThat(head.toString())
          .startsWith("HTTP/1.1 400 ")
          .containsIgnoringCase("Connection: close");
    }
  }

  /** An answer of 200 would be taken for an acknowledgement. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
        "Content-Length: 100\r\n\r\n{}"
      })
  void aBodyThatBreaksOffIsRefusedAndNothingIsMade(String broken) throws Exception {
    start(TestEdge.OPEN);
    URI base = server.base();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), base.getPort())) {
      String request =
          "PUT %s/policies/gold HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\n%s"
              .formatted(base.getPath(), base.getPort(), broken);
      socket.getOutputStream().write(request.getBytes(ISO_8859_1));
      socket.shutdownOutput();
      String answer = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
      assertThat(answer).startsWith("HTTP/1.1 400 ");
    }
    assertThat(controller.find(Kind.POLICY, "gold")).isEmpty();
  }

  @Test
  void aBodyOfNoMediaTypeIsRefused() throws Exception {
    start(TestEdge.OPEN);
    HttpResponse<String> refused = server.send("PUT", "/policies/gold", "json", GOLD);
    assertThat(refused.statusCode()).isEqualTo(415);
    assertThat(refused.body()).contains("Content-Type is 'json'; allowed: application/json.");
    assertThat(server.send("POST", "/bulk", "lines", GOLD).body())
        .contains("allowed: application/x-ndjson.");
  }

  @Test
  void otherCodingsThanChunkedAreRefused() throws Exception {
    start(TestEdge.OPEN);
    assertThat(
            raw(
                "PUT API/policies/gold",
                "Host: localhost",
                "Content-Type: application/json",
                "Transfer-Encoding: gzip, chunked"))
        .startsWith("HTTP/1.1 501 ")
        .contains("Transfer-Encoding is 'gzip, chunked'; allowed: chunked.");
  }

  @Test
  void aSecondHostIsRefused() throws Exception {
    start(TestEdge.OPEN);
    assertThat(raw("GET API/status", "Host: localhost", "Host: evil.example"))
        .startsWith("HTTP/1.1 400 ");
  }

  @Test
  void pagesOfOthersAndOtherNamesAreRefused() throws Exception {
    start(new TestEdge(false, false, List.of("sluice.example"), Optional.empty()));
    String get = "GET API/status";
    assertThat(raw(get, "Host: other.example"))
        .startsWith("HTTP/1.1 421 ")
        .contains("Host is other.example; allowed: localhost, 127.0.0.1, [::1], sluice.example");
    assertThat(raw(get, "Host: sluice.example:80")).startsWith("HTTP/1.1 200 ");
    assertThat(raw(get, "Host: sluice.example", "Origin: https://other.example"))
        .startsWith("HTTP/1.1 403 ")
        .contains("Web pages of Origin https://other.example may not call the API");
    assertThat(raw(get, "Host: sluice.example", "Origin: http://sluice.example"))
        .startsWith("HTTP/1.1 200 ");
    assertThat(raw(get, "Host: sluice.example", "Origin: null")).startsWith("HTTP/1.1 403 ");
  }

  @Test
  void requestsAreCountedByTheirRoutes() throws Exception {
    start(TestEdge.OPEN);
    assertThat(send("PUT", "/policies/gold", null, GOLD).statusCode()).isEqualTo(201);
    assertThat(send("DELETE", "/policies/none", null, null).statusCode()).isEqualTo(404);
    assertThat(send("GET", "/nothing", null, null).statusCode()).isEqualTo(404);
    assertThat(send("GET", "/metrics", null, null).body())
        .contains(
            "sluice_http_requests_seconds_count{method=\"PUT\",route=\"/policies/{id}\",status=\"201\"}"
                + " 1\n")
        .contains("{method=\"DELETE\",route=\"/policies/{id}\",status=\"404\"} 1\n")
        .contains("{method=\"GET\",route=\"none\",status=\"404\"} 1\n");
  }

  @Test
  void aTraceGoesOn() throws Exception {
    List<byte[]> posted = new CopyOnWriteArrayList<>();
    HttpServer collector =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    collector.createContext(
        "/v1/traces",
        exchange -> {
          posted.add(exchange.getRequestBody().readAllBytes());
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    collector.start();
    try {
      URI endpoint =
          URI.create("http://127.0.0.1:" + collector.getAddress().getPort() + "/v1/traces");
      // Only those are traced whose callers say so.
      start(new TestEdge(false, false, List.of(), Optional.of(new TraceSettings(endpoint, 0))));
      for (String id : List.of("gold", "silver")) {
        String parent = id.equals("gold") ? "00-" + TRACE + "-00f067aa0ba902b7-01" : null;
        HttpResponse<String> put =
            Http.send("PUT", server.base() + "/policies/" + id, GOLD, "traceparent", parent);
        assertThat(put.statusCode()).isEqualTo(201);
      }
      server.close();
      assertThat(posted).hasSize(1);
      assertThat(HexFormat.of().formatHex(posted.get(0))).contains(TRACE);
      assertThat(new String(posted.get(0), ISO_8859_1)).contains("PUT /policies/{id}");
    } finally {
      collector.stop(0);
    }
  }

  @Test
  void changesNeedAConditionWhereTheHostSaysSo() throws Exception {
    start(new TestEdge(false, true, List.of(), Optional.empty()));
    HttpResponse<String> refused = send("PUT", "/policies/gold", null, GOLD);
    assertThat(refused.statusCode()).isEqualTo(428);
    assertThat(refused.body()).contains("If-Match is absent");
    assertThat(send("PUT", "/policies/gold?dryRun=true", null, GOLD).statusCode()).isEqualTo(200);
    assertThat(
            Http.send("PUT", server.base() + "/policies/gold", GOLD, "If-None-Match", "*")
                .statusCode())
        .isEqualTo(201);
    assertThat(send("DELETE", "/policies/gold", null, null).statusCode()).isEqualTo(428);
    assertThat(
            server
                .send(
                    "POST",
                    "/bulk",
                    "application/x-ndjson",
                    "{\"op\":\"delete\",\"kind\":\"policy\",\"id\":\"gold\"}")
                .body())
        .contains("\"status\":428");
  }
}
