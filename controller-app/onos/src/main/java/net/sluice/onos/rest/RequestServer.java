package net.sluice.onos.rest;

import java.security.Principal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.function.UnaryOperator;
import javax.ws.rs.core.SecurityContext;
import net.sluice.core.time.Scheduler;
import net.sluice.core.trace.CurrentTrace;
import net.sluice.northbound.caller.Caller;
import net.sluice.onos.rest.RequestMessage.Part;
import net.sluice.rest.edge.MeasuredRequests;
import net.sluice.rest.edge.MeasuredRequests.Measured;
import org.glassfish.jersey.internal.MapPropertiesDelegate;
import org.glassfish.jersey.server.ApplicationHandler;
import org.glassfish.jersey.server.ContainerRequest;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;

/** Answers requests that other instances forward, with the same resources as this one's own. */
final class RequestServer implements AutoCloseable {
  /** Longest time without an answer, to one who asks for more of it. */
  static final Duration LONGEST_SILENCE = Duration.ofSeconds(10);

  /** After which a request ends whose answer nobody asks for. */
  static final Duration EXPIRY = Duration.ofSeconds(60);

  private final ClusterCommunicationService cluster;
  private final ApplicationHandler application;
  private final MeasuredRequests requests;
  private final ExecutorService threads;
  private final Scheduler scheduler;
  private final Map<UUID, RequestExchange> exchanges = new ConcurrentHashMap<>();

  /**
   * Answers from now on.
   *
   * @param application has the resources
   * @param requests measures them
   * @param threads where requests are made; closed with this
   * @param scheduler ends requests whose answers are not fetched
   */
  RequestServer(
      ClusterCommunicationService cluster,
      ApplicationHandler application,
      MeasuredRequests requests,
      ExecutorService threads,
      Scheduler scheduler) {
    this.cluster = cluster;
    this.application = application;
    this.requests = requests;
    this.threads = threads;
    this.scheduler = scheduler;
    cluster.<byte[], byte[]>addSubscriber(
        RequestMessage.SUBJECT,
        UnaryOperator.identity(),
        message -> answered(RequestMessage.decode(message)).thenApply(Part::encode),
        UnaryOperator.identity());
  }

  private CompletableFuture<Part> answered(RequestMessage message) {
    if (message instanceof RequestMessage.Open open) {
      return CompletableFuture.completedFuture(open(open));
    }
    RequestExchange exchange = exchanges.get(message.request());
    if (exchange == null) {
      return CompletableFuture.completedFuture(Part.failed("the request is not known any more"));
    }
    if (message instanceof RequestMessage.Abandon) {
      exchange.abandon();
      exchanges.remove(message.request());
      return CompletableFuture.completedFuture(Part.EMPTY);
    }
    if (message instanceof RequestMessage.Body body) {
      return exchange.take(body.bytes(), body.isLast());
    }
    CompletableFuture<Part> asked = exchange.fetch();
    if (!asked.isDone()) {
      var unused = scheduler.schedule(LONGEST_SILENCE, () -> exchange.tellNothing(asked));
    }
    return asked.whenComplete(
        (part, failure) -> {
          if (part != null && part.isLast()) {
            exchanges.remove(message.request());
          }
        });
  }

  private Part open(RequestMessage.Open open) {
    RequestExchange exchange = new RequestExchange(threads);
    ContainerRequest request =
        new ContainerRequest(
            open.base(),
            open.uri(),
            open.method(),
            new LoggedIn(open.caller()),
            new MapPropertiesDelegate());
    open.headers().forEach((name, values) -> values.forEach(value -> request.header(name, value)));
    request.setProperty(Caller.ATTRIBUTE, open.caller());
    request.setProperty(Caller.REQUEST_ID, open.requestId());
    request.setEntityStream(exchange.body());
    request.setWriter(exchange);
    Measured measured = requests.begin(name -> open.headers().getOrDefault(name, List.of()));
    exchange.begin(request, measured);
    exchanges.put(open.request(), exchange);
    threads.execute(
        () -> CurrentTrace.during(measured.trace().orElse(null), () -> handle(request, exchange)));
    expireLater(open.request(), exchange);
    return Part.EMPTY;
  }

  private void handle(ContainerRequest request, RequestExchange exchange) {
    try {
      application.handle(request);
    } catch (RuntimeException | Error e) {
      // What Jersey does not answer itself.
      exchange.failure(e);
    }
  }

  private void expireLater(UUID request, RequestExchange exchange) {
    var unused =
        scheduler.schedule(
            EXPIRY,
            () -> {
              if (exchanges.get(request) != exchange) {
                return;
              }
              if (exchange.expire()) {
                exchanges.remove(request);
              } else {
                expireLater(request, exchange);
              }
            });
  }

  @Override
  public void close() {
    cluster.removeSubscriber(RequestMessage.SUBJECT);
    // Streams without an end would wait for threads that are about to stop.
    exchanges.values().forEach(RequestExchange::abandon);
    threads.shutdownNow();
  }

  /** A client that has logged in at the instance that forwards. */
  private record LoggedIn(Caller caller) implements SecurityContext {
    @Override
    public Principal getUserPrincipal() {
      return caller::name;
    }

    @Override
    public boolean isUserInRole(String role) {
      return caller.role().text().equals(role);
    }

    @Override
    public boolean isSecure() {
      return false;
    }

    @Override
    public String getAuthenticationScheme() {
      return null;
    }
  }
}
