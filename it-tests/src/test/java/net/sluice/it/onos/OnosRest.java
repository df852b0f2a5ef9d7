package net.sluice.it.onos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;

/** Requests to ONOS's web server, with a login of ONOS. */
final class OnosRest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final String url;
  private final String login;

  /**
   * @param url of the web server
   * @param login user and password as {@code USER:PASSWORD}, empty for none
   */
  OnosRest(String url, String login) {
    this.url = url;
    this.login = login;
  }

  /** The body of an answer that has to say that it was done. */
  static JsonNode ok(HttpResponse<String> response) throws IOException {
    if (response.statusCode() != 200 && response.statusCode() != 201) {
      throw new AssertionError(
          response.request().method()
              + " "
              + response.uri()
              + " is answered "
              + response.statusCode()
              + ": "
              + response.body());
    }
    return MAPPER.readTree(response.body());
  }

  HttpResponse<String> send(String method, String path, String type, BodyPublisher body)
      throws IOException, InterruptedException {
    return send(method, path, type, body, BodyHandlers.ofString());
  }

  /** As above; the answer's body is read by {@code reader} as it comes. */
  <T> HttpResponse<T> send(
      String method, String path, String type, BodyPublisher body, BodyHandler<T> reader)
      throws IOException, InterruptedException {
    return send(
        method, path, type.isEmpty() ? Map.of() : Map.of("Content-Type", type), body, reader);
  }

  /** As above, with headers. */
  <T> HttpResponse<T> send(
      String method,
      String path,
      Map<String, String> headers,
      BodyPublisher body,
      BodyHandler<T> reader)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + path))
            .timeout(Duration.ofSeconds(120))
            .method(method, body);
    if (!login.isEmpty()) {
      String encoded =
          Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.US_ASCII));
      request.header("Authorization", "Basic " + encoded);
    }
    headers.forEach(request::header);
    return CLIENT.send(request.build(), reader);
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return send("GET", path, "", BodyPublishers.noBody());
  }

  HttpResponse<String> put(String path, String json) throws IOException, InterruptedException {
    return send("PUT", path, "application/json", BodyPublishers.ofString(json));
  }

  HttpResponse<String> post(String path, String json) throws IOException, InterruptedException {
    return send("POST", path, "application/json", BodyPublishers.ofString(json));
  }
}
