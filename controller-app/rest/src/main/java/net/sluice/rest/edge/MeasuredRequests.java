package net.sluice.rest.edge;

import java.io.IOException;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import javax.servlet.AsyncEvent;
import javax.servlet.AsyncListener;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.ws.rs.HttpMethod;
import javax.ws.rs.Path;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.container.ContainerRequestFilter;
import javax.ws.rs.container.ResourceInfo;
import javax.ws.rs.core.Context;
import net.sluice.rest.traces.RequestTraces;
import net.sluice.rest.traces.RequestTraces.RequestTrace;

/** Times and traces requests, by the template of their path: paths themselves have no end. */
public final class MeasuredRequests implements Step {
  /** The attribute of a request that has the template of its path, once a resource is found. */
  public static final String ROUTE = "net.sluice.route";

  /** The attribute of a request that another instance answers, and measures. */
  public static final String ELSEWHERE = "net.sluice.elsewhere";

  /** The attribute of a request that is measured: how. */
  private static final String MEASURED = "net.sluice.measured";

  private static final String NONE = "none";
  private static final String EVENTS = "/events";
  private static final Set<String> METHODS =
      Set.of(
          HttpMethod.GET,
          HttpMethod.HEAD,
          HttpMethod.PUT,
          HttpMethod.PATCH,
          HttpMethod.POST,
          HttpMethod.DELETE,
          HttpMethod.OPTIONS);

  private final RequestMetrics metrics;
  private final RequestTraces traces;

  MeasuredRequests(RequestMetrics metrics, RequestTraces traces) {
    this.metrics = metrics;
    this.traces = traces;
  }

  /** A request that has come, until it is answered. */
  public final class Measured {
    private final long begun = System.nanoTime();
    private final AtomicBoolean isEnded = new AtomicBoolean();
    private final Optional<RequestTrace> trace;

    private Measured(RequestTraces.Headers headers) {
      trace = traces.begin(headers, begun);
    }

    /** Its trace; empty if it is not traced. */
    public Optional<RequestTrace> trace() {
      return trace;
    }

    /**
     * It is answered, or cannot be.
     *
     * @param attributes of the request, by name
     */
    public void ended(String method, Function<String, Object> attributes, int status) {
      Optional<String> route =
          attributes.apply(ROUTE) instanceof String found ? Optional.of(found) : Optional.empty();
      // How long a client follows the events says nothing of the controller.
      if (!isEnded.compareAndSet(false, true) || route.equals(Optional.of(EVENTS))) {
        return;
      }
      String known = METHODS.contains(method) ? method : NONE;
      if (attributes.apply(ELSEWHERE) == null) {
        metrics.answered(known, route.orElse(NONE), status, System.nanoTime() - begun);
      }
      trace.ifPresent(each -> each.answered(known, route, status));
    }
  }

  /** A request has come, whose trace goes on if its headers name one. */
  public Measured begin(RequestTraces.Headers headers) {
    return new Measured(headers);
  }

  /** The trace of a request; empty if it is not traced. */
  public static Optional<RequestTrace> trace(ServletRequest request) {
    return request.getAttribute(MEASURED) instanceof Measured measured
        ? measured.trace()
        : Optional.empty();
  }

  @Override
  public void take(HttpServletRequest from, HttpServletResponse to, FilterChain next)
      throws IOException, ServletException {
    Measured measured = begin(name -> Collections.list(from.getHeaders(name)));
    from.setAttribute(MEASURED, measured);
    End end = new End(from, to, measured);
    try {
      next.doFilter(from, to);
    } finally {
      if (from.isAsyncStarted()) {
        from.getAsyncContext().addListener(end);
      } else {
        end.come();
      }
    }
  }

  /** The end of a request, however often it is begun again. */
  private record End(HttpServletRequest from, HttpServletResponse to, Measured measured)
      implements AsyncListener {
    void come() {
      measured.ended(from.getMethod(), name -> from.getAttribute(name), to.getStatus());
    }

    @Override
    public void onComplete(AsyncEvent event) {
      come();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
      event.getAsyncContext().addListener(this);
    }

    @Override
    public void onTimeout(AsyncEvent event) {}

    @Override
    public void onError(AsyncEvent event) {}
  }

  /** Notes the template of the resource that a request has come to. */
  static final class Route implements ContainerRequestFilter {
    @Context private ResourceInfo resource;

    @Override
    public void filter(ContainerRequestContext request) {
      // Jersey answers OPTIONS by itself, with a method of its own or none.
      if (resource.getResourceMethod() != null
          && resource.getResourceClass().isAnnotationPresent(Path.class)) {
        request.setProperty(ROUTE, template());
      }
    }

    private String template() {
      Path method = resource.getResourceMethod().getAnnotation(Path.class);
      String of = "/" + resource.getResourceClass().getAnnotation(Path.class).value();
      return method == null ? of : of + "/" + method.value();
    }
  }
}
