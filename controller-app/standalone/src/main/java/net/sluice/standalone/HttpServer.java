package net.sluice.standalone;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import net.sluice.core.Controller;
import net.sluice.rest.SluiceApplication;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.problem.Incidents;
import net.sluice.rest.problem.ProblemDetail;
import net.sluice.rest.problem.ProblemDetail.FieldError;
import net.sluice.rest.problem.ProblemType;
import org.glassfish.grizzly.http.server.NetworkListener;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.threadpool.ThreadPoolConfig;
import org.glassfish.jersey.grizzly2.httpserver.GrizzlyHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The API of a controller on a TCP port, until closed. */
public final class HttpServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);

  // A request may wait a minute for its install; that many at once leave threads for others.
  private static final int WORKERS = 64;
  // A bulk client may pause between lines.
  private static final int IDLE_MINUTES = 10;
  private static final int GRACE_SECONDS = 2;

  private final org.glassfish.grizzly.http.server.HttpServer server;
  private final InetSocketAddress address;

  private HttpServer(
      org.glassfish.grizzly.http.server.HttpServer server, InetSocketAddress address) {
    this.server = server;
    this.address = address;
  }

  /**
   * Starts serving.
   *
   * @param address where to listen; port 0 takes a free one
   * @param incidentPrefix tells this process's incidents from others' in the log
   * @throws StartFailure if it cannot listen there
   */
  public static HttpServer start(
      Controller controller, InetSocketAddress address, String incidentPrefix) throws StartFailure {
    SluiceApplication application =
        new SluiceApplication(controller, new Incidents(incidentPrefix));
    URI base = ListenAddress.http(address, address.getPort(), SluiceApplication.BASE_PATH + "/");
    org.glassfish.grizzly.http.server.HttpServer server =
        GrizzlyHttpServerFactory.createHttpServer(
            base, ResourceConfig.forApplication(application), false);
    // What does not get as far as the application is answered in the same form.
    server
        .getServerConfiguration()
        .setDefaultErrorPageGenerator(
            (request, status, reason, description, exception) -> problem(request, status, reason));
    for (NetworkListener listener : server.getListeners()) {
      listener.registerAddOn(new IgnoreUpgrade());
      listener
          .getTransport()
          .setWorkerThreadPoolConfig(
              ThreadPoolConfig.defaultConfig()
                  .setPoolName("sluice-http")
                  .setCorePoolSize(WORKERS)
                  .setMaxPoolSize(WORKERS)
                  .setDaemon(true));
      listener.getTransport().setReadTimeout(IDLE_MINUTES, TimeUnit.MINUTES);
      listener.getTransport().setWriteTimeout(IDLE_MINUTES, TimeUnit.MINUTES);
    }
    try {
      server.start();
    } catch (IOException e) {
      server.shutdownNow();
      throw cannotListen(address, e);
    }
    // An id with an escaped slash is to be refused as an id, not as a bad request line.
    server.getHttpHandler().setAllowEncodedSlash(true);
    return new HttpServer(server, address);
  }

  /**
   * Checks that {@link #start} could listen, before anything else is started.
   *
   * @throws StartFailure if it could not
   */
  public static void requireFree(InetSocketAddress address) throws StartFailure {
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(address);
    } catch (IOException e) {
      throw cannotListen(address, e);
    }
  }

  private static StartFailure cannotListen(InetSocketAddress address, IOException e) {
    return new StartFailure(
        "cannot serve HTTP on "
            + ListenAddress.text(address)
            + ": "
            + ListenAddress.reason(e)
            + "; choose another address with --http",
        e);
  }

  /** TCP port it listens on. */
  public int port() {
    return server.getListeners().iterator().next().getPort();
  }

  /** Where the API is, without a slash at the end. */
  public URI base() {
    return ListenAddress.http(address, port(), SluiceApplication.BASE_PATH);
  }

  /** Takes no more requests, and gives those under way a moment. */
  @Override
  public void close() {
    try {
      server.shutdown(GRACE_SECONDS, TimeUnit.SECONDS).get(2L * GRACE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      LOG.info("requests were cut off");
      server.shutdownNow();
    } catch (ExecutionException e) {
      LOG.warn("the HTTP server did not stop as it should", e);
      server.shutdownNow();
    } catch (InterruptedException e) {
      server.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  private static String problem(Request request, int status, String reason) {
    ProblemDetail problem;
    if (status == ProblemType.NOT_FOUND.status()) {
      String path = request.getRequestURI();
      problem =
          ProblemDetail.of(
              ProblemType.NOT_FOUND,
              "There is no resource "
                  + path
                  + "; the API is under "
                  + SluiceApplication.BASE_PATH
                  + ".",
              new FieldError("path", path, "a path under " + SluiceApplication.BASE_PATH));
    } else {
      ProblemType type =
          status >= ProblemType.INTERNAL.status() ? ProblemType.INTERNAL : ProblemType.HTTP;
      problem =
          new ProblemDetail(
              type,
              status,
              (reason == null ? "HTTP status " + status : reason) + ".",
              List.of(),
              Optional.empty());
    }
    request.getResponse().setContentType(ProblemDetail.MEDIA_TYPE.toString());
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try {
      new JsonAnswer(problem::write).write(text);
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory failed", e);
    }
    return text.toString(StandardCharsets.UTF_8);
  }
}
