package net.sluice.lab.support;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * A client of the controller's REST interface, as an OSS would be one: everything goes over HTTP.
 */
public final class ControllerApi {
  /**
   * Lines of one bulk request. Their results fit into the socket buffers between client and server:
   * this client reads them only after sending the request.
   */
  private static final int BULK_LINES = 2_000;

  private static final String NDJSON = "application/x-ndjson";
  private static final String JSON = "application/json";
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final HttpClient http;
  private final String base;
  private final Optional<String> token;

  /** The controller refused a request; the message holds its words. */
  public static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private RefusedException(String what, int status, JsonNode problem) {
      super(
          "the controller refused %s (%s %s): %s"
              .formatted(
                  what, status, problem.path("title").asText(), problem.path("detail").asText()));
    }
  }

  /**
   * A client.
   *
   * @param base URL of the interface, e.g. {@code http://127.0.0.1:8181/sluice/v1}
   */
  public ControllerApi(URI base) {
    this(base, Optional.empty());
  }

  /** A client with a token, if there is one. */
  public ControllerApi(URI base, Optional<String> token) {
    this.token = token;
    this.base = base.toString().replaceAll("/+$", "");
    this.http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();
  }

  /** Puts a declaration; {@code path} begins after the base, e.g. {@code /policies/gold}. */
  public JsonNode put(String path, String body)
      throws RefusedException, IOException, InterruptedException {
    return send(
        "PUT " + path, request(path, JSON).PUT(HttpRequest.BodyPublishers.ofString(body)).build());
  }

  /** Gets a resource. */
  public JsonNode get(String path) throws RefusedException, IOException, InterruptedException {
    return send("GET " + path, request(path, JSON).GET().build());
  }

  /** Gets a resource as it comes. */
  public byte[] bytes(String path) throws RefusedException, IOException, InterruptedException {
    return received("GET " + path, request(path, JSON).GET().build());
  }

  /** Gets lines of JSON as they come. */
  public byte[] lines(String path) throws RefusedException, IOException, InterruptedException {
    return received("GET " + path, request(path, NDJSON).GET().build());
  }

  private byte[] received(String what, HttpRequest request)
      throws RefusedException, IOException, InterruptedException {
    HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
    if (response.statusCode() / 100 != 2) {
      String body = new String(response.body(), StandardCharsets.UTF_8);
      throw new RefusedException(what, response.statusCode(), parse(body));
    }
    return response.body();
  }

  /**
   * Sends lines through {@code POST /bulk}, in requests of some thousand lines.
   *
   * @param lines the lines, without line feeds
   * @param inFlight most requests at a time; with more than one, lines must not depend on the order
   * @return number of lines, all of them accepted
   * @throws RefusedException for the first line refused; others may have been accepted
   */
  public long bulk(Iterator<String> lines, int inFlight)
      throws RefusedException, IOException, InterruptedException {
    Deque<CompletableFuture<HttpResponse<String>>> pending = new ArrayDeque<>();
    long accepted = 0;
    while (lines.hasNext()) {
      StringBuilder body = new StringBuilder();
      for (int i = 0; i < BULK_LINES && lines.hasNext(); i++) {
        body.append(lines.next()).append('\n');
      }
      HttpRequest request =
          request("/bulk", NDJSON)
              .POST(
                  HttpRequest.BodyPublishers.ofByteArray(
                      body.toString().getBytes(StandardCharsets.UTF_8)))
              .build();
      if (pending.size() == inFlight) {
        accepted += results(pending.remove());
      }
      pending.add(http.sendAsync(request, HttpResponse.BodyHandlers.ofString()));
    }
    while (!pending.isEmpty()) {
      accepted += results(pending.remove());
    }
    return accepted;
  }

  /** URL of the interface. */
  public String base() {
    return base;
  }

  private static long results(CompletableFuture<HttpResponse<String>> future)
      throws RefusedException, IOException {
    HttpResponse<String> response;
    try {
      response = future.join();
    } catch (CompletionException e) {
      throw new IOException("bulk request failed: " + e.getCause(), e);
    }
    if (response.statusCode() != 200) {
      throw new RefusedException("POST /bulk", response.statusCode(), parse(response.body()));
    }
    long accepted = 0;
    for (String line : (Iterable<String>) response.body().lines()::iterator) {
      // Most results are plain successes, which need no parsing.
      if (!line.contains("\"status\":200")) {
        JsonNode result = parse(line);
        throw new RefusedException(
            "bulk line for '" + result.path("id").asText() + "'",
            result.path("status").asInt(),
            result.path("problem"));
      }
      accepted++;
    }
    return accepted;
  }

  private JsonNode send(String what, HttpRequest request)
      throws RefusedException, IOException, InterruptedException {
    HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
    JsonNode body = parse(response.body());
    if (response.statusCode() / 100 != 2) {
      throw new RefusedException(what, response.statusCode(), body);
    }
    return body;
  }

  private HttpRequest.Builder request(String path, String type) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base + path))
            .timeout(PATIENCE)
            .header("Content-Type", type)
            .header("Accept", type);
    token.ifPresent(secret -> request.header("Authorization", "Bearer " + secret));
    return request;
  }

  private static JsonNode parse(String body) throws IOException {
    try {
      return MAPPER.readTree(body);
    } catch (JsonProcessingException e) {
      throw new IOException("the controller answered what is not JSON: " + body, e);
    }
  }
}
