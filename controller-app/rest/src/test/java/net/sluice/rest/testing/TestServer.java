package net.sluice.rest.testing;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import net.sluice.core.Controller;
import net.sluice.testing.Http;

/** The API of a controller on a free local port, and a client of it. */
public final class TestServer implements AutoCloseable {
  private final TestHost host =
      ServiceLoader.load(TestHost.class).findFirst().orElseGet(ServletHost::new);

  private Optional<TestServices> services = Optional.empty();

  /** Starts serving; incidents are numbered from {@code test-1}. */
  public TestServer(Controller controller) {
    this(controller, TestEdge.OPEN);
  }

  /** Serves some requests only. */
  public TestServer(Controller controller, TestEdge edge) {
    this(new TestServices(controller).with(edge));
  }

  /** Serves services, until both are closed. */
  public TestServer(TestServices of) {
    services = Optional.of(of);
    host.start(of);
  }

  private TestServer(String document) {
    host.startNetwork(document);
  }

  /** Serves a network as {@link TestHost#startNetwork} does. */
  public static TestServer ofNetwork(String document) {
    return new TestServer(document);
  }

  /** Where the API is, without a slash at the end. */
  public URI base() {
    return host.base();
  }

  /** Sends a request with a JSON body, or none if {@code body} is null. */
  public HttpResponse<String> send(String method, String path, String body)
      throws IOException, InterruptedException {
    return Http.send(method, base() + path, body);
  }

  /** Sends a request with a JSON body, and does not wait for the answer. */
  public CompletableFuture<HttpResponse<String>> begin(String method, String path, String body) {
    return Http.begin(method, base() + path, body);
  }

  /** Sends a request; headers are pairs of name and value. */
  public HttpResponse<String> send(
      String method, String path, String contentType, String body, String... headers)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of(headers));
    all.addAll(Arrays.asList("Content-Type", contentType));
    return Http.send(method, base() + path, body, all.toArray(String[]::new));
  }

  @Override
  public void close() throws Exception {
    services.ifPresent(each -> each.northbound().events().endAnswers());
    host.close();
    services.ifPresent(TestServices::close);
  }
}
