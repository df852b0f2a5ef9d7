package net.sluice.testing;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;

/** Requests by HTTP/1.1 with bodies of JSON. */
public final class Http {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private Http() {}

  /**
   * Sends a request and waits for the answer.
   *
   * @param uri a URI, or its text
   * @param body null for none
   * @param headers pairs of name and value, null for none; {@code Content-Type} is JSON's unless it
   *     is among them
   */
  public static HttpResponse<String> send(String method, Object uri, String body, String... headers)
      throws IOException, InterruptedException {
    return AnswerCheck.checked(
        CLIENT.send(
            request(method, uri, body, headers),
            HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8)));
  }

  /** Sends the same request and does not wait. */
  public static CompletableFuture<HttpResponse<String>> begin(
      String method, Object uri, String body, String... headers) {
    return CLIENT
        .sendAsync(
            request(method, uri, body, headers),
            HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8))
        .thenApply(AnswerCheck::checked);
  }

  private static HttpRequest request(String method, Object uri, String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(uri.toString()))
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    if (body != null && !Arrays.asList(headers).contains("Content-Type")) {
      request.setHeader("Content-Type", "application/json");
    }
    for (int i = 0; i < headers.length; i += 2) {
      if (headers[i + 1] != null) {
        request.setHeader(headers[i], headers[i + 1]);
      }
    }
    return request.build();
  }

  /** The value of {@code Authorization} for a user and a password, {@code USER:PASSWORD}. */
  public static String basic(String login) {
    return "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.US_ASCII));
  }
}
