package net.sluice.rest.problem;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Faults of the controller. The client gets an incident id and nothing of the inside; the log gets
 * the same id and everything.
 */
public final class Incidents {
  private static final Logger LOG = LoggerFactory.getLogger(Incidents.class);

  private final String prefix;
  private final AtomicLong last = new AtomicLong();

  /** {@code prefix} tells the ids of this process from those of others in the same log. */
  public Incidents(String prefix) {
    this.prefix = prefix;
  }

  /** Logs {@code fault} under a new incident id and returns the problem that names the id. */
  public ProblemDetail report(String doing, Throwable fault) {
    String id = prefix + "-" + last.incrementAndGet();
    LOG.error("incident {}: {}", id, doing, fault);
    return new ProblemDetail(
        ProblemType.INTERNAL,
        ProblemType.INTERNAL.status(),
        "The controller failed; its log has the reason under incident " + id + ".",
        List.of(),
        Optional.of(id));
  }
}
