package net.sluice.rest.edge;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.servlet.DispatcherType;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import net.sluice.core.trace.CurrentTrace;
import net.sluice.rest.SluiceApplication;
import net.sluice.rest.VersionResource;
import net.sluice.rest.host.Edge;
import net.sluice.rest.host.HostServices;
import net.sluice.rest.traces.RequestTraces;
import org.glassfish.jersey.servlet.ServletContainer;

/**
 * The API in a servlet container that supports asynchronous requests: the steps that each request
 * takes, and the resources behind them. Neither a request that waits nor a client that is slow to
 * send or to read holds one of the container's threads.
 */
public class ApiServlet extends ServletContainer {
  private static final long serialVersionUID = 1L;

  private final transient RequestTraces traces;
  private final transient MeasuredRequests measured;
  private final transient FilterChain way;

  /** The way of a request whose body has come since it was first here. */
  private final transient FilterChain wayWithBody;

  /**
   * The API over the services of a host.
   *
   * @param more resources that only this host has
   * @param open their paths that are told to everybody, relative to the API's
   */
  public ApiServlet(HostServices host, Set<Object> more, Set<String> open) {
    this(host, more, open, new RequestMetrics());
  }

  private ApiServlet(
      HostServices host, Set<Object> more, Set<String> open, RequestMetrics metrics) {
    super(application(host, more, metrics));
    Edge edge = host.edge();
    traces = new RequestTraces(edge.traces(), VersionResource.version());
    measured = new MeasuredRequests(metrics, traces);
    wayWithBody =
        Step.way(List.of(new WholeBodies(edge.bodyDeadline()), new WholeAnswers()), this::traced);
    way =
        Step.way(
            List.of(
                measured,
                new AllowedRequests(edge.allowed()),
                new Guard(edge.callers(), open, edge.scheduler())),
            wayWithBody);
  }

  private static SluiceApplication application(
      HostServices host, Set<Object> more, RequestMetrics metrics) {
    Set<Object> all = new HashSet<>(more);
    all.add(new MeasuredRequests.Route());
    return new SluiceApplication(host, metrics::snapshots, all);
  }

  @Override
  public final void service(ServletRequest request, ServletResponse response)
      throws ServletException, IOException {
    boolean isBack = request.getDispatcherType() == DispatcherType.ASYNC;
    (isBack ? wayWithBody : way).doFilter(request, response);
  }

  /** Has what is done on this thread for a request done for its trace. */
  private void traced(ServletRequest request, ServletResponse response)
      throws ServletException, IOException {
    CurrentTrace.Scope scope = CurrentTrace.enter(MeasuredRequests.trace(request).orElse(null));
    try {
      answer(request, response);
    } finally {
      scope.close();
    }
  }

  /** Has the resources answer; a host may have another instance's do so. */
  protected void answer(ServletRequest request, ServletResponse response)
      throws ServletException, IOException {
    super.service(request, response);
  }

  /** Measures requests, also those that come to the resources otherwise. */
  protected final MeasuredRequests measured() {
    return measured;
  }

  @Override
  public void destroy() {
    super.destroy();
    traces.close();
  }
}
