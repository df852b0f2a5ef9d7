package net.sluice.rest.testing;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import net.sluice.core.Controller;

/** The API of a controller on a free local port, and a client of it. */
public final class TestServer implements AutoCloseable {
  private final TestHost host;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /** Starts serving; incidents are numbered from {@code test-1}. */
  public TestServer(Controller controller) {
    host = ServiceLoader.load(TestHost.class).findFirst().orElseGet(ServletHost::new);
    host.start(controller);
  }

  /** Where the API is, without a slash at the end. */
  public URI base() {
    return host.base();
  }

  /** Sends a request with a JSON body, or none if {@code body} is null. */
  public HttpResponse<String> send(String method, String path, String body)
      throws IOException, InterruptedException {
    return send(method, path, "application/json", body);
  }

  /** Sends a request with a JSON body, and does not wait for the answer. */
  public CompletableFuture<HttpResponse<String>> begin(String method, String path, String body) {
    return client.sendAsync(
        request(method, path, "application/json", body), HttpResponse.BodyHandlers.ofString());
  }

  /** Sends a request; headers are pairs of name and value. */
  public HttpResponse<String> send(
      String method, String path, String contentType, String body, String... headers)
      throws IOException, InterruptedException {
    return client.send(
        request(method, path, contentType, body, headers), HttpResponse.BodyHandlers.ofString());
  }

  private HttpRequest request(
      String method, String path, String contentType, String body, String... headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base() + path));
    if (body == null) {
      request.method(method, HttpRequest.BodyPublishers.noBody());
    } else {
      request.method(method, HttpRequest.BodyPublishers.ofString(body));
      if (contentType != null) {
        request.header("Content-Type", contentType);
      }
    }
    if (headers.length > 0) {
      request.headers(headers);
    }
    return request.build();
  }

  @Override
  public void close() throws Exception {
    host.close();
  }
}
