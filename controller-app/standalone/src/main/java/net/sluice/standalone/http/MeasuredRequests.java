package net.sluice.standalone.http;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import javax.ws.rs.Path;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.container.ContainerRequestFilter;
import javax.ws.rs.container.ResourceInfo;
import javax.ws.rs.core.Context;
import net.sluice.core.trace.CurrentTrace;
import net.sluice.core.trace.Trace;
import net.sluice.standalone.metrics.Measurements;
import net.sluice.standalone.traces.RequestTraces;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Times and traces requests, by the template of their path: paths themselves have no end. */
final class MeasuredRequests extends Handler.Wrapper {
  private static final String ROUTE = "net.sluice.route";
  private static final String TRACE = "net.sluice.trace";
  private static final String NONE = "none";
  private static final String EVENTS = "/events";

  private final Measurements measurements;
  private final Optional<RequestTraces> traces;

  MeasuredRequests(Handler handler, Measurements measurements, Optional<RequestTraces> traces) {
    super(handler);
    this.measurements = measurements;
    this.traces = traces;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    AtomicReference<String> route = new AtomicReference<>(NONE);
    request.setAttribute(ROUTE, route);
    String method = HttpMethod.fromString(request.getMethod()) == null ? NONE : request.getMethod();
    Optional<RequestTraces.RequestTrace> trace =
        traces.flatMap(
            all -> all.begin(request.getHeaders()::getValuesList, request.getHeadersNanoTime()));
    trace.ifPresent(each -> request.setAttribute(TRACE, each));
    Request.addCompletionListener(
        request,
        failure -> {
          // How long a client follows the events says nothing of the controller.
          if (!route.get().equals(EVENTS)) {
            measurements.answered(
                method,
                route.get(),
                response.getStatus(),
                System.nanoTime() - request.getHeadersNanoTime());
            trace.ifPresent(
                each ->
                    each.answered(
                        method,
                        Optional.of(route.get()).filter(path -> !path.equals(NONE)),
                        response.getStatus()));
          }
        });
    return super.handle(request, response, callback);
  }

  /** Has what is done on its thread for a request done for the request's trace. */
  static final class Traced extends Handler.Wrapper {
    Traced(Handler handler) {
      super(handler);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      CurrentTrace.Scope scope = CurrentTrace.enter((Trace) request.getAttribute(TRACE));
      try {
        return super.handle(request, response, callback);
      } finally {
        scope.close();
      }
    }
  }

  /** Notes the template of the resource that a request has come to. */
  static final class Route implements ContainerRequestFilter {
    @Context private ResourceInfo resource;

    @Override
    public void filter(ContainerRequestContext request) {
      // Jersey answers OPTIONS by itself, with a method of its own or none.
      if (request.getProperty(ROUTE) instanceof AtomicReference<?>
          && resource.getResourceMethod() != null
          && resource.getResourceClass().isAnnotationPresent(Path.class)) {
        @SuppressWarnings("unchecked")
        AtomicReference<String> route = (AtomicReference<String>) request.getProperty(ROUTE);
        route.set(template());
      }
    }

    private String template() {
      Path method = resource.getResourceMethod().getAnnotation(Path.class);
      String of = "/" + resource.getResourceClass().getAnnotation(Path.class).value();
      return method == null ? of : of + "/" + method.value();
    }
  }
}
