package net.sluice.standalone.http;

import java.util.concurrent.atomic.AtomicReference;
import javax.ws.rs.Path;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.container.ContainerRequestFilter;
import javax.ws.rs.container.ResourceInfo;
import javax.ws.rs.core.Context;
import net.sluice.standalone.metrics.Measurements;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Times requests, by the template of their path: paths themselves have no end. */
final class MeasuredRequests extends Handler.Wrapper {
  private static final String ROUTE = "net.sluice.route";
  private static final String NONE = "none";
  private static final String EVENTS = "/events";

  private final Measurements measurements;

  MeasuredRequests(Handler handler, Measurements measurements) {
    super(handler);
    this.measurements = measurements;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    AtomicReference<String> route = new AtomicReference<>(NONE);
    request.setAttribute(ROUTE, route);
    String method = HttpMethod.fromString(request.getMethod()) == null ? NONE : request.getMethod();
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
          }
        });
    return super.handle(request, response, callback);
  }

  /** Notes the template of the resource that a request has come to. */
  static final class Route implements ContainerRequestFilter {
    @Context private ResourceInfo resource;

    @Override
    public void filter(ContainerRequestContext request) {
      // Jersey answers OPTIONS by itself.
      if (request.getProperty(ROUTE) instanceof AtomicReference<?>
          && resource.getResourceMethod() != null) {
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
