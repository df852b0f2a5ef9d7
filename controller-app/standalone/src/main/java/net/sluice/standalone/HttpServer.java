package net.sluice.standalone;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import net.sluice.core.Controller;
import net.sluice.rest.RequestBody;
import net.sluice.rest.SluiceApplication;
import net.sluice.rest.problem.Incidents;
import org.eclipse.jetty.ee8.servlet.ServletContextHandler;
import org.eclipse.jetty.ee8.servlet.ServletHolder;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http.UriCompliance.Violation;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The API of a controller on a TCP port, until closed. Neither a request that waits nor a client
 * that is slow to send holds one of its threads.
 */
public final class HttpServer implements AutoCloseable {
  /** Bounds of what clients may take up. */
  record Limits(int connections, Duration idle, Duration bulkIdle, Duration body) {
    static final Limits DEFAULT =
        new Limits(512, Duration.ofSeconds(30), Duration.ofSeconds(60), Duration.ofSeconds(30));
  }

  private static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);

  private static final int MAX_THREADS = 64;
  private static final int MIN_THREADS = 4;
  private static final Duration IDLE_WHEN_FULL = Duration.ofSeconds(2);
  private static final Duration GRACE = Duration.ofSeconds(2);
  private static final String BULK = SluiceApplication.BASE_PATH + "/bulk";

  private final Server server;
  private final ServerConnector connector;
  private final InetSocketAddress address;

  private HttpServer(Server server, ServerConnector connector, InetSocketAddress address) {
    this.server = server;
    this.connector = connector;
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
    return start(controller, address, incidentPrefix, Limits.DEFAULT);
  }

  /** As {@link #start(Controller, InetSocketAddress, String)} with other bounds. */
  static HttpServer start(
      Controller controller, InetSocketAddress address, String incidentPrefix, Limits limits)
      throws StartFailure {
    QueuedThreadPool threads = new QueuedThreadPool(MAX_THREADS, MIN_THREADS);
    threads.setName("sluice-http");
    threads.setDaemon(true);
    Server server = new Server(threads);
    ServerConnector connector = connector(server, address, limits);
    server.addConnector(connector);
    NetworkConnectionLimit connections = new NetworkConnectionLimit(limits.connections, connector);
    connections.setEndPointIdleTimeout(IDLE_WHEN_FULL.toMillis());
    server.addBean(connections);

    Incidents incidents = new Incidents(incidentPrefix);
    HttpRefusals refusals = new HttpRefusals(incidents);
    ServletContextHandler context =
        new ServletContextHandler(null, SluiceApplication.BASE_PATH, false, false);
    context.setErrorHandler(refusals);
    SluiceApplication application = new SluiceApplication(controller, incidents);
    ServletHolder servlet =
        new ServletHolder(new ServletContainer(ResourceConfig.forApplication(application)));
    servlet.setAsyncSupported(true);
    context.addServlet(servlet, "/*");
    BodyFirst whole = new BodyFirst(context.get(), RequestBody.MAX_BYTES, limits.body);
    server.setHandler(new GracefulHandler(new ByLength(whole, context.get(), limits.bulkIdle)));
    server.setErrorHandler(refusals);
    server.setStopTimeout(GRACE.toMillis());
    try {
      server.start();
    } catch (Exception e) {
      stop(server);
      throw cannotListen(address, e);
    }
    return new HttpServer(server, connector, address);
  }

  private static ServerConnector connector(
      Server server, InetSocketAddress address, Limits limits) {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    // An id with an escaped slash is to be refused as an id, not as a bad request line.
    http.setUriCompliance(UriCompliance.RFC3986.with("ids", Violation.AMBIGUOUS_PATH_SEPARATOR));
    ServerConnector connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
    connector.setHost(address.getAddress().getHostAddress());
    connector.setPort(address.getPort());
    connector.setIdleTimeout(limits.idle.toMillis());
    return connector;
  }

  /** Bulk streams are handled while they come, and may pause; all other bodies are short. */
  private static final class ByLength extends Handler.Wrapper {
    private final Handler streaming;
    private final Duration bulkIdle;

    ByLength(Handler whole, Handler streaming, Duration bulkIdle) {
      super(whole);
      this.streaming = streaming;
      this.bulkIdle = bulkIdle;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      if (!Request.getPathInContext(request).equals(BULK)) {
        return super.handle(request, response, callback);
      }
      EndPoint client = request.getConnectionMetaData().getConnection().getEndPoint();
      long idle = client.getIdleTimeout();
      client.setIdleTimeout(bulkIdle.toMillis());
      Request.addCompletionListener(request, failure -> client.setIdleTimeout(idle));
      return streaming.handle(request, response, callback);
    }
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

  private static StartFailure cannotListen(InetSocketAddress address, Exception e) {
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
    return connector.getLocalPort();
  }

  /** Where the API is, without a slash at the end. */
  public URI base() {
    return ListenAddress.http(address, port(), SluiceApplication.BASE_PATH);
  }

  /** Takes no more requests, and gives those under way a moment. */
  @Override
  public void close() {
    stop(server);
  }

  private static void stop(Server server) {
    try {
      server.stop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      LOG.info("requests were cut off: {}", e.toString());
    }
  }
}
