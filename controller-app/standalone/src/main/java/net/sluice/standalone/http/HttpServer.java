package net.sluice.standalone.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import net.sluice.cli.StartFailure;
import net.sluice.rest.SluiceApplication;
import net.sluice.rest.edge.ApiServlet;
import net.sluice.rest.host.Callers;
import net.sluice.rest.host.HostServices;
import net.sluice.rest.idempotency.IdempotencyFilter;
import net.sluice.rest.request.RequestBody;
import net.sluice.web.PageServlet;
import org.eclipse.jetty.ee8.servlet.ServletContextHandler;
import org.eclipse.jetty.ee8.servlet.ServletHolder;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** The API of a controller and the web page over it on a TCP port, until closed. */
public final class HttpServer implements AutoCloseable {
  private static final HttpListener.Purpose PURPOSE =
      new HttpListener.Purpose("sluice-http", "HTTP", "--http", 64);

  private final HttpListener listener;

  private HttpServer(HttpListener listener) {
    this.listener = listener;
  }

  /**
   * Starts serving.
   *
   * @throws StartFailure if it cannot listen there
   */
  public static HttpServer start(HostServices services, HttpSettings settings) throws StartFailure {
    HttpRefusals refusals = new HttpRefusals(services.incidents(), SluiceApplication.BASE_PATH);
    ServletContextHandler context =
        new ServletContextHandler(null, SluiceApplication.BASE_PATH, false, false);
    context.setErrorHandler(refusals);
    ServletHolder servlet =
        new ServletHolder(new ApiServlet(services, Set.of(new DocsResource()), DocsResource.PATHS));
    servlet.setAsyncSupported(true);
    context.addServlet(servlet, "/*");
    HttpLimits limits = settings.limits();
    return new HttpServer(
        new HttpListener(
            PURPOSE,
            settings.address(),
            settings.tls(),
            limits,
            new BulkPauses(
                new Handler.Sequence(context.get(), page(refusals, services).get()),
                limits.bulkPause()),
            refusals));
  }

  /** The web page, beside which every other path is refused. */
  private static ServletContextHandler page(HttpRefusals refusals, HostServices services) {
    ServletContextHandler context = new ServletContextHandler(null, "/", false, false);
    context.setErrorHandler(refusals);
    ServletHolder servlet = new ServletHolder(new PageServlet());
    servlet.setInitParameter(PageServlet.API, SluiceApplication.BASE_PATH.substring(1) + "/");
    servlet.setInitParameter(
        PageServlet.LOGIN, services.edge().callers() == Callers.ANYBODY ? "none" : "Bearer");
    for (String path : PageServlet.PATHS) {
      context.addServlet(servlet, path);
    }
    return context;
  }

  /** Lets a stream of bulk changes pause longer than other requests. */
  private static final class BulkPauses extends Handler.Wrapper {
    private final Duration longest;

    BulkPauses(Handler handler, Duration longest) {
      super(handler);
      this.longest = longest;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      if (RequestBody.isStream(
          request.getMethod(),
          request.getHttpURI().getPath(),
          request.getHeaders().contains(IdempotencyFilter.HEADER))) {
        EndPoint client = request.getConnectionMetaData().getConnection().getEndPoint();
        long idle = client.getIdleTimeout();
        client.setIdleTimeout(longest.toMillis());
        Request.addCompletionListener(request, failure -> client.setIdleTimeout(idle));
      }
      return super.handle(request, response, callback);
    }
  }

  /**
   * Checks that {@link #start} could listen, before anything else is started.
   *
   * @throws StartFailure if it could not
   */
  public static void requireFree(HttpSettings settings) throws StartFailure {
    requireFree(PURPOSE, settings.address());
    if (settings.health().isPresent()) {
      requireFree(HealthServer.PURPOSE, settings.health().get());
    }
  }

  private static void requireFree(HttpListener.Purpose purpose, InetSocketAddress address)
      throws StartFailure {
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(address);
    } catch (IOException e) {
      throw HttpListener.cannotListen(purpose, address, e);
    }
  }

  /** TCP port it listens on. */
  public int port() {
    return listener.port();
  }

  /** Where the API is, without a slash at the end. */
  public URI base() {
    return listener.uri(SluiceApplication.BASE_PATH);
  }

  /** Takes no more requests, and gives those under way a moment. */
  @Override
  public void close() {
    listener.close();
  }
}
