package net.sluice.standalone.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import javax.servlet.DispatcherType;
import javax.ws.rs.core.MediaType;
import net.sluice.cli.StartFailure;
import net.sluice.rest.BulkResource;
import net.sluice.rest.RequestBody;
import net.sluice.rest.SluiceApplication;
import net.sluice.rest.VersionResource;
import net.sluice.rest.host.HostServices;
import net.sluice.rest.http.WholeAnswers;
import net.sluice.rest.idempotency.IdempotencyFilter;
import net.sluice.rest.json.MergePatch;
import net.sluice.rest.problem.ProblemDetail;
import net.sluice.rest.problem.ProblemType;
import net.sluice.standalone.metrics.Measurements;
import net.sluice.standalone.traces.RequestTraces;
import org.eclipse.jetty.ee8.servlet.FilterHolder;
import org.eclipse.jetty.ee8.servlet.ServletContextHandler;
import org.eclipse.jetty.ee8.servlet.ServletHolder;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;

/**
 * The API of a controller on a TCP port, until closed. Neither a request that waits nor a client
 * that is slow to send or to read holds one of its threads.
 */
public final class HttpServer implements AutoCloseable {
  private static final HttpListener.Purpose PURPOSE =
      new HttpListener.Purpose("sluice-http", "HTTP", "--http", 64);
  private static final String BULK = SluiceApplication.BASE_PATH + "/bulk";
  private static final Pattern MEDIA_TYPE = Pattern.compile("[^\\s/;,\"]+/[^\\s/;,\"]+\\s*(;|$)");

  private final HttpListener listener;
  private final Optional<RequestTraces> traces;

  private HttpServer(HttpListener listener, Optional<RequestTraces> traces) {
    this.listener = listener;
    this.traces = traces;
  }

  /**
   * Starts serving.
   *
   * @param measurements to which requests are added
   * @throws StartFailure if it cannot listen there
   */
  public static HttpServer start(
      HostServices services, Measurements measurements, HttpSettings settings) throws StartFailure {
    HttpRefusals refusals = new HttpRefusals(services.incidents(), SluiceApplication.BASE_PATH);
    ServletContextHandler context =
        new ServletContextHandler(null, SluiceApplication.BASE_PATH, false, false);
    context.setErrorHandler(refusals);
    SluiceApplication application =
        new SluiceApplication(services, Set.of(new MeasuredRequests.Route(), new DocsResource()));
    ServletHolder servlet =
        new ServletHolder(new ServletContainer(ResourceConfig.forApplication(application)));
    servlet.setAsyncSupported(true);
    context.addServlet(servlet, "/*");
    FilterHolder wholeAnswers = new FilterHolder(new WholeAnswers());
    wholeAnswers.setAsyncSupported(true);
    context.addFilter(wholeAnswers, "/*", EnumSet.of(DispatcherType.REQUEST));
    HttpLimits limits = settings.limits();
    Optional<RequestTraces> traces =
        settings.traces().map(each -> new RequestTraces(each, VersionResource.version()));
    Handler inner = traces.isEmpty() ? context.get() : new MeasuredRequests.Traced(context.get());
    Handler byLength =
        new ByLength(
            new BodyFirst(inner, RequestBody.MAX_BYTES, limits.request()),
            inner,
            limits.bulkPause());
    Handler guarded = new Guard(byLength, settings.authentication());
    Handler checked = new Checked(guarded, settings.callers());
    Handler measured = new MeasuredRequests(checked, measurements, traces);
    try {
      return new HttpServer(
          new HttpListener(
              PURPOSE, settings.address(), settings.tls(), limits, measured, refusals::handle),
          traces);
    } catch (StartFailure e) {
      traces.ifPresent(RequestTraces::close);
      throw e;
    }
  }

  /** Refuses requests of those who are not allowed to make any, and bodies of no media type. */
  private static final class Checked extends Handler.Wrapper {
    private final AllowedCallers callers;

    Checked(Handler handler, AllowedCallers callers) {
      super(handler);
      this.callers = callers;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      Optional<ProblemDetail> refusal =
          callers.refusal(
              request.getHeaders().get(HttpHeader.HOST),
              request.getHeaders().get(HttpHeader.ORIGIN));
      if (refusal.isEmpty()) {
        refusal = ofMediaType(request);
      }
      Optional<ProblemDetail> framing = ofFraming(request);
      if (framing.isPresent()) {
        // Where its body ends is not known.
        response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE);
        refusal = framing;
      }
      if (refusal.isPresent()) {
        HttpRefusals.refuse(request, response, callback, refusal.get());
        return true;
      }
      return super.handle(request, response, callback);
    }

    /** Jetty reads a body whose last coding is chunked, whatever others it has. */
    private static Optional<ProblemDetail> ofFraming(Request request) {
      List<String> codings = request.getHeaders().getCSV(HttpHeader.TRANSFER_ENCODING, false);
      String named = String.join(", ", codings);
      if (codings.isEmpty()) {
        return Optional.empty();
      } else if (request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_1_0) {
        // RFC 9112 section 6.1.
        return Optional.of(
            ofTransferEncoding(HttpStatus.BAD_REQUEST_400, named, "absent in HTTP/1.0"));
      }
      return named.equalsIgnoreCase(HttpHeaderValue.CHUNKED.asString())
          ? Optional.empty()
          : Optional.of(ofTransferEncoding(HttpStatus.NOT_IMPLEMENTED_501, named, "chunked"));
    }

    private static ProblemDetail ofTransferEncoding(int status, String value, String allowed) {
      String field = HttpHeader.TRANSFER_ENCODING.asString();
      return new ProblemDetail(
          ProblemType.HTTP,
          status,
          field + " is '" + value + "'; allowed: " + allowed + ".",
          List.of(new ProblemDetail.FieldError(field, value, allowed)),
          Optional.empty());
    }

    /** JAX-RS would refuse a type without a form (RFC 9110 section 8.3.1) without saying why. */
    private static Optional<ProblemDetail> ofMediaType(Request request) {
      String type = request.getHeaders().get(HttpHeader.CONTENT_TYPE);
      if (type == null || MEDIA_TYPE.matcher(type).lookingAt()) {
        return Optional.empty();
      }
      String allowed =
          isBulk(request)
              ? BulkResource.MEDIA_TYPE
              : HttpMethod.PATCH.is(request.getMethod())
                  ? MergePatch.MEDIA_TYPE
                  : MediaType.APPLICATION_JSON;
      return Optional.of(ProblemDetail.ofMediaType(type, allowed));
    }
  }

  private static boolean isBulk(Request request) {
    return Request.getPathInContext(request).equals(BULK);
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
      // Under a key a request is known by its whole body.
      if (!isBulk(request)
          || !HttpMethod.POST.is(request.getMethod())
          || request.getHeaders().contains(IdempotencyFilter.HEADER)) {
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
    traces.ifPresent(RequestTraces::close);
  }
}
