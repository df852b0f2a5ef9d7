package net.sluice.rest.edge;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.servlet.AsyncContext;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import net.sluice.core.time.Scheduler;
import net.sluice.northbound.caller.Caller;
import net.sluice.northbound.caller.Standing;
import net.sluice.rest.ContractResource;
import net.sluice.rest.host.Callers;
import net.sluice.rest.host.Callers.Known;
import net.sluice.rest.host.Callers.Refused;
import net.sluice.rest.problem.ProblemDetail;
import net.sluice.rest.problem.ProblemType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets requests in whose sender has proved who it is, with the caller and an id as attributes. The
 * body of one that is refused is not waited for. The documents that tell nothing of the
 * installation are for everybody.
 */
final class Guard implements Step {
  private static final Logger LOG = LoggerFactory.getLogger(Guard.class);
  private static final String REQUEST_ID = "X-Request-Id";
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  private final Callers callers;
  private final Set<String> open;
  private final Scheduler scheduler;
  private final FailureBrake brake = new FailureBrake();

  /**
   * A guard.
   *
   * @param open paths for everybody beside the API's document, relative to the API's
   * @param scheduler for answers that are to be slow
   */
  Guard(Callers callers, Set<String> open, Scheduler scheduler) {
    this.callers = callers;
    this.open =
        Stream.concat(Stream.of(ContractResource.PATH), open.stream())
            .collect(Collectors.toUnmodifiableSet());
    this.scheduler = scheduler;
  }

  @Override
  public void take(HttpServletRequest from, HttpServletResponse to, FilterChain next)
      throws IOException, ServletException {
    String id = id(from.getHeader(REQUEST_ID));
    to.setHeader(REQUEST_ID, id);
    from.setAttribute(Caller.REQUEST_ID, id);
    if (isOpen(from)) {
      next.doFilter(from, to);
      return;
    }
    Callers.Result result = callers.of(from);
    if (result instanceof Known known) {
      from.setAttribute(Caller.ATTRIBUTE, known.caller());
      from.setAttribute(Standing.ATTRIBUTE, known.standing());
      next.doFilter(from, to);
    } else {
      refuse(from, to, (Refused) result);
    }
  }

  /** The path as it is written, so that no other is taken for one of them. */
  private boolean isOpen(HttpServletRequest from) {
    String base = from.getContextPath() + from.getServletPath() + "/";
    String path = from.getRequestURI();
    return path.startsWith(base) && open.contains(path.substring(base.length()));
  }

  private void refuse(HttpServletRequest from, HttpServletResponse to, Refused refused)
      throws IOException {
    ProblemDetail why = refused.problem();
    // A client that has to prove itself first gets nothing more over this connection.
    to.setHeader("Connection", "close");
    if (!refused.isGuess()) {
      Refusals.refuse(from, to, why);
      return;
    }
    InetAddress address = InetAddress.getByName(from.getRemoteAddr());
    Optional<Duration> wait = brake.failed(address, System.nanoTime());
    int failures = brake.failures(address);
    // The first of a client, and then the fewer the more there are.
    if (Integer.bitCount(failures) == 1) {
      LOG.warn(
          "{} has not proved who it is, {} times by now: {}",
          address.getHostAddress(),
          failures,
          why.detail());
    }
    if (wait.isEmpty()) {
      to.setHeader("Retry-After", "1");
      Refusals.refuse(
          from,
          to,
          ProblemDetail.of(
              ProblemType.TOO_MANY,
              "Too many requests from this address have not proved who sends them."));
      return;
    }
    to.setHeader("WWW-Authenticate", callers.challenge());
    if (wait.get().isZero()) {
      Refusals.refuse(from, to, why);
      return;
    }
    AsyncContext waiting = from.startAsync();
    waiting.setTimeout(0);
    var unused =
        scheduler.schedule(
            wait.get(),
            () -> {
              brake.answered(address);
              try {
                Refusals.refuse(from, to, why);
              } catch (IOException e) {
                LOG.debug("the client has gone before it was refused", e);
              } finally {
                waiting.complete();
              }
            });
  }

  /** The client's, if it is one that can be told again in logs and headers. */
  private static String id(String given) {
    return given != null && ID.matcher(given).matches() ? given : UUID.randomUUID().toString();
  }
}
