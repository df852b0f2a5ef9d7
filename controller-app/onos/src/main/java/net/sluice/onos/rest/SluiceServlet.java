package net.sluice.onos.rest;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.servlet.AsyncContext;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import net.sluice.core.Controller;
import net.sluice.core.ControllerException;
import net.sluice.core.time.Scheduler;
import net.sluice.core.time.ThreadScheduler;
import net.sluice.northbound.caller.Caller;
import net.sluice.onos.Leading;
import net.sluice.onos.OnosHost;
import net.sluice.onos.Services;
import net.sluice.onos.SluiceService;
import net.sluice.onos.SluiceSettings;
import net.sluice.onos.cluster.ClusterMember.Role;
import net.sluice.onos.cluster.ClusterMember.Standing;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.edge.ApiServlet;
import net.sluice.rest.host.AllowedCallers;
import net.sluice.rest.host.Capability.Absent;
import net.sluice.rest.host.Capability.Present;
import net.sluice.rest.host.Edge;
import net.sluice.rest.host.HostServices;
import net.sluice.rest.host.SwitchDeclarations;
import net.sluice.rest.problem.Incidents;
import net.sluice.rest.problem.ProblemDetail;
import net.sluice.rest.problem.ProblemType;
import net.sluice.rest.settings.EdgeSettings;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The API in ONOS's web container. Where another instance leads, that one answers, by messages of
 * the cluster; the client has logged in here by then. The same resources answer what others hand to
 * this instance.
 */
public final class SluiceServlet extends ApiServlet {
  /** Most bulk requests that are forwarded at a time. */
  static final int MOST_STREAMS = 64;

  private static final long serialVersionUID = 1L;
  private static final int THREADS = 32;
  private static final Duration BODY_DEADLINE = Duration.ofSeconds(30);
  private static final Logger LOG = LoggerFactory.getLogger(SluiceServlet.class);

  private final transient Scheduler scheduler;
  private transient ThreadPoolExecutor answers;
  private transient ThreadPoolExecutor streams;
  private transient RequestServer server;

  /** Made by the web container. */
  public SluiceServlet() {
    this(new ThreadScheduler("sluice-requests"));
  }

  private SluiceServlet(Scheduler scheduler) {
    super(services(scheduler), Set.of(), Set.of());
    this.scheduler = scheduler;
  }

  private static HostServices services(Scheduler scheduler) {
    return new HostServices(
        LeadersOwn.over(Controller.class, () -> leading().controller()),
        () -> leading().northbound(),
        () -> leading().operations(),
        () -> Services.get(SluiceService.class).notes(),
        new Edge(
            new OnosCallers(),
            () -> AllowedCallers.ofShared(settings().hosts(), settings().origins()),
            BODY_DEADLINE,
            () -> settings().closed(),
            () -> settings().needsConditions(),
            () -> settings().traces(),
            scheduler),
        new Present<>(LeadersOwn.over(SwitchDeclarations.class, () -> leading().switches())),
        new Absent<>("ONOS has levels of its own, set by log:set in its shell"),
        new Absent<>("ONOS's own applications measure its process"),
        new Present<>(
            (backup, replace, who) -> leading().restoring().restore(backup, replace, who)),
        new Absent<>("ONOS's client of P4Runtime asks a switch for no role but its own"),
        new Present<>(true),
        new Absent<>(OnosHost.NO_DEVICE_CONFIGS),
        new Absent<>(OnosHost.NO_MAPPED_REGISTERS),
        new Incidents(Long.toString(Clock.systemUTC().millis(), Character.MAX_RADIX)));
  }

  private static Leading leading() {
    return Services.get(SluiceService.class).leading();
  }

  /** Those of the defaults while Sluice is not active, which is said to each request later on. */
  private static EdgeSettings settings() {
    try {
      return Services.get(SluiceService.class).edge();
    } catch (ControllerException e) {
      return SluiceSettings.EDGE_DEFAULT;
    }
  }

  @Override
  public void init() throws ServletException {
    super.init();
    answers = threads("sluice-forward", THREADS, new LinkedBlockingQueue<>());
    streams = threads("sluice-forward-bulk", MOST_STREAMS, new SynchronousQueue<>());
    server =
        new RequestServer(
            Services.get(ClusterCommunicationService.class),
            getApplicationHandler(),
            measured(),
            threads("sluice-forwarded", THREADS, new LinkedBlockingQueue<>()),
            scheduler);
  }

  @Override
  public void destroy() {
    server.close();
    answers.shutdownNow();
    streams.shutdownNow();
    scheduler.close();
    super.destroy();
  }

  private static ThreadPoolExecutor threads(
      String name, int most, BlockingQueue<Runnable> waiting) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            most,
            most,
            10,
            TimeUnit.SECONDS,
            waiting,
            task -> {
              Thread thread = new Thread(task, name);
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  @Override
  protected void answer(ServletRequest request, ServletResponse response)
      throws ServletException, IOException {
    HttpServletRequest from = (HttpServletRequest) request;
    HttpServletResponse to = (HttpServletResponse) response;
    try {
      Standing standing = Services.get(SluiceService.class).standing();
      // What everybody is told is the same everywhere.
      boolean isOpen = from.getAttribute(Caller.ATTRIBUTE) == null;
      if (standing.role() == Role.FOLLOWER && !isOpen) {
        forward(from, to, standing);
      } else {
        super.answer(from, to);
      }
    } catch (ControllerException e) {
      problem(to, e.getMessage() + ".");
    }
  }

  private void forward(HttpServletRequest from, HttpServletResponse to, Standing standing)
      throws IOException {
    ForwardedRequest forwarded =
        new ForwardedRequest(
            Services.get(ClusterCommunicationService.class),
            standing.leader().orElseThrow(),
            from,
            to,
            answers);
    AsyncContext async = from.startAsync();
    async.setTimeout(0);
    var unused =
        forwarded
            .send(streams)
            .whenCompleteAsync((done, failure) -> end(failure, to, async), answers);
  }

  private static void end(Throwable failure, HttpServletResponse to, AsyncContext async) {
    try {
      if (failure != null) {
        problem(to, String.valueOf(failure.getMessage()));
      }
    } catch (IOException e) {
      // In the midst of an answer nothing can be told any more but that it has no end.
      LOG.debug("an answer has been cut off", e);
      cutOff(to);
    } finally {
      complete(async);
    }
  }

  private static void complete(AsyncContext async) {
    try {
      async.complete();
    } catch (IllegalStateException e) {
      LOG.debug("the connection has been ended", e);
    }
  }

  private static void cutOff(HttpServletResponse to) {
    try {
      // Of an answer that has begun, the web server ends the connection for it.
      to.sendError(-1);
    } catch (IOException | IllegalStateException e) {
      LOG.debug("it could not be told", e);
    }
  }

  private static void problem(HttpServletResponse to, String detail) throws IOException {
    if (to.isCommitted()) {
      throw new IOException(detail);
    }
    // What has come of the leader's answer has not been sent.
    to.reset();
    ProblemDetail problem = ProblemDetail.of(ProblemType.UNAVAILABLE, detail);
    to.setStatus(problem.status());
    to.setContentType(ProblemDetail.MEDIA_TYPE.toString());
    new JsonAnswer(problem::write).write(to.getOutputStream());
  }
}
