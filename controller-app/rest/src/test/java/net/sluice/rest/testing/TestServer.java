package net.sluice.rest.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.TimeUnit;
import net.sluice.rest.SluiceApplication;
import net.sluice.rest.problem.Incidents;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.jersey.grizzly2.httpserver.GrizzlyHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** The API of a {@link MemoryController} on a free local port, and a client of it. */
public final class TestServer implements AutoCloseable {
  private final HttpServer server;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI base;

  /** Starts serving; incidents are numbered from {@code test-1}. */
  public TestServer(MemoryController controller) {
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
    SluiceApplication application = new SluiceApplication(controller, new Incidents("test"));
    ResourceConfig config = ResourceConfig.forApplication(application);
    server =
        GrizzlyHttpServerFactory.createHttpServer(
            URI.create("http://127.0.0.1:0" + SluiceApplication.BASE_PATH + "/"), config, false);
    try {
      server.start();
      server.getHttpHandler().setAllowEncodedSlash(true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    int port = server.getListeners().iterator().next().getPort();
    base = URI.create("http://127.0.0.1:" + port + SluiceApplication.BASE_PATH);
  }

  /** Where the API is, without a slash at the end. */
  public URI base() {
    return base;
  }

  /** Sends a request with a JSON body, or none if {@code body} is null. */
  public HttpResponse<String> send(String method, String path, String body)
      throws IOException, InterruptedException {
    return send(method, path, "application/json", body);
  }

  /** Sends a request; headers are pairs of name and value. */
  public HttpResponse<String> send(
      String method, String path, String contentType, String body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path));
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
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Override
  public void close() throws Exception {
    server.shutdown(5, TimeUnit.SECONDS).get();
  }
}
