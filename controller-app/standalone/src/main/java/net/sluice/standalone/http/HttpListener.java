package net.sluice.standalone.http;

import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.sluice.cli.ListenAddress;
import net.sluice.cli.StartFailure;
import net.sluice.endpoints.TlsFiles;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http.UriCompliance.Violation;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** HTTP on a TCP port, on threads of its own, until closed. */
final class HttpListener implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HttpListener.class);
  private static final int MIN_THREADS = 4;
  private static final int SEND_BUFFER_BYTES = 128 << 10;

  private final Server server;
  private final ServerConnector connector;
  private final GracefulHandler ending;
  private final Connections connections;
  private final Duration farewell;
  private final InetSocketAddress address;
  private final String scheme;

  /** The use of a listener: its name in threads and in the log, and the option with its address. */
  record Purpose(String threads, String name, String option, int maxThreads) {}

  /**
   * Starts listening.
   *
   * @param address where; port 0 takes a free one
   * @param tls the server's certificate; empty for plain HTTP
   * @param refusals answers what gets to no handler
   * @throws StartFailure if it cannot listen there
   */
  HttpListener(
      Purpose purpose,
      InetSocketAddress address,
      Optional<TlsFiles> tls,
      HttpLimits limits,
      Handler handler,
      Request.Handler refusals)
      throws StartFailure {
    this.address = address;
    QueuedThreadPool threads = new QueuedThreadPool(purpose.maxThreads, MIN_THREADS);
    threads.setName(purpose.threads);
    threads.setDaemon(true);
    server = new Server(threads);
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    // An id with an escaped slash is to be refused as an id, not as a bad request line.
    http.setUriCompliance(UriCompliance.RFC3986.with("ids", Violation.AMBIGUOUS_PATH_SEPARATOR));
    List<ConnectionFactory> factories = new ArrayList<>();
    if (tls.isPresent()) {
      // Which names it is called by is checked elsewhere, with and without TLS.
      http.addCustomizer(new SecureRequestCustomizer(false));
      factories.add(TlsConnections.by(tls.get()));
    }
    factories.add(new HttpConnectionFactory(http));
    connector = new ServerConnector(server, 1, 1, factories.toArray(ConnectionFactory[]::new));
    scheme = tls.isPresent() ? "https" : "http";
    connector.setHost(address.getAddress().getHostAddress());
    connector.setPort(address.getPort());
    connector.setIdleTimeout(limits.request().toMillis());
    // Of more than 50 that connect at once the kernel otherwise has most try again, for seconds.
    connector.setAcceptQueueSize(Math.max(50, limits.connections()));
    // Left to itself the kernel keeps megabytes for each client that reads slowly.
    connector.setAcceptedSendBufferSize(SEND_BUFFER_BYTES);
    server.addConnector(connector);
    connections = new Connections(purpose.name, connector, limits);
    ending = new GracefulHandler(TlsConnections.before(connections.before(handler)));
    farewell = limits.farewell();
    server.setHandler(ending);
    server.setErrorHandler(refusals);
    server.setStopTimeout(limits.drain().toMillis());
    try {
      server.start();
    } catch (Exception e) {
      close();
      throw cannotListen(purpose, address, e);
    }
  }

  /** The failure to listen on an address. */
  static StartFailure cannotListen(Purpose purpose, InetSocketAddress address, Exception e) {
    return new StartFailure(
        "cannot serve "
            + purpose.name
            + " on "
            + ListenAddress.text(address)
            + ": "
            + ListenAddress.reason(e)
            + "; choose another address with "
            + purpose.option,
        e);
  }

  /** TCP port it listens on. */
  int port() {
    return connector.getLocalPort();
  }

  /** A URI of it. */
  URI uri(String path) {
    return ListenAddress.uri(scheme, address, port(), path);
  }

  /**
   * Takes no more connections, gives requests under way a moment, and refuses others that come over
   * open connections, so that their clients are told. Stopping the server alone would close these.
   */
  @Override
  public void close() {
    try {
      if (server.isStarted()) {
        var unused = ending.shutdown();
        connector.close();
        connections.awaitNone(farewell);
      }
      server.stop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      LOG.info("requests were cut off: {}", e.toString());
    }
  }
}
