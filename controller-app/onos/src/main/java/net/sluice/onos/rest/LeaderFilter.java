package net.sluice.onos.rest;

import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.servlet.AsyncContext;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import net.sluice.core.ControllerException;
import net.sluice.core.time.ThreadScheduler;
import net.sluice.onos.Services;
import net.sluice.onos.SluiceService;
import net.sluice.onos.cluster.ClusterMember.Role;
import net.sluice.onos.cluster.ClusterMember.Standing;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.problem.ProblemDetail;
import net.sluice.rest.problem.ProblemType;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands requests that reach an instance that does not lead to the one that does, by messages of the
 * cluster, and its answer back. The client has logged in here by then.
 */
public final class LeaderFilter implements Filter {
  /** Most bulk requests that are forwarded at a time. */
  static final int MOST_STREAMS = 64;

  private static final int THREADS = 32;
  private static final Logger LOG = LoggerFactory.getLogger(LeaderFilter.class);

  private ThreadPoolExecutor answers;
  private ThreadPoolExecutor streams;
  private RequestServer server;

  @Override
  public void init(FilterConfig config) {
    answers = threads("sluice-forward", THREADS, new LinkedBlockingQueue<>());
    streams = threads("sluice-forward-bulk", MOST_STREAMS, new SynchronousQueue<>());
    server =
        new RequestServer(
            Services.get(ClusterCommunicationService.class),
            new SluiceWebApplication(),
            threads("sluice-forwarded", THREADS, new LinkedBlockingQueue<>()),
            new ThreadScheduler("sluice-forwarded-late"));
  }

  @Override
  public void destroy() {
    server.close();
    answers.shutdownNow();
    streams.shutdownNow();
    SluiceWebApplication.forget();
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
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    HttpServletResponse to = (HttpServletResponse) response;
    try {
      Standing standing = Services.get(SluiceService.class).standing();
      if (standing.role() != Role.FOLLOWER) {
        chain.doFilter(request, response);
        return;
      }
      ForwardedRequest forwarded =
          new ForwardedRequest(
              Services.get(ClusterCommunicationService.class),
              standing.leader().orElseThrow(),
              (HttpServletRequest) request,
              to,
              answers);
      AsyncContext async = request.startAsync();
      async.setTimeout(0);
      var unused =
          forwarded
              .send(streams)
              .whenCompleteAsync((done, failure) -> end(failure, to, async), answers);
    } catch (ControllerException e) {
      problem(to, e.getMessage() + ".");
    }
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
