package net.sluice.core.ports;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.PortSummary;
import net.sluice.core.target.NotReadyException;
import net.sluice.core.target.PortMonitor;
import net.sluice.core.target.Target.SessionListener;
import net.sluice.core.time.Backoff;
import net.sluice.core.time.Scheduler;
import net.sluice.intents.profile.Topology;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a session with a switch's gNMI server, which tells how its ports are. When the session
 * ends, for whatever reason, the states are unknown, and it is tried again, after a wait that
 * doubles.
 */
public final class GnmiPorts implements PortMonitor {
  private static final Logger LOG = LoggerFactory.getLogger(GnmiPorts.class);
  private static final double MILLIS_PER_SECOND = 1000;

  private final GnmiConnection.Access access;
  private final Topology topology;
  private final boolean setsPorts;
  private final Scheduler scheduler;
  private final Clock clock;
  private final Backoff backoff;
  private final PortTable table;

  private GnmiSession session;
  private SessionState state = SessionState.CONNECTING;
  private Optional<String> detail = Optional.of("not yet connected");
  private String lastReason = "";
  private volatile boolean hasSource = true;

  /**
   * A monitor that does nothing until {@link #start}; it closes its scheduler.
   *
   * @param access the way to the server
   * @param setsPorts whether ports are set to the topology's rates, by speed or by shaping
   * @param backoff the waits between attempts
   */
  public GnmiPorts(
      GnmiConnection.Access access,
      Topology topology,
      boolean setsPorts,
      Scheduler scheduler,
      Clock clock,
      Backoff backoff) {
    this.access = access;
    this.topology = topology;
    this.setsPorts = setsPorts;
    this.scheduler = scheduler;
    this.clock = clock;
    this.backoff = backoff;
    this.table = new PortTable(topology, clock);
  }

  @Override
  public void start() {
    scheduler.execute(this::connect);
  }

  @Override
  public boolean hasSource() {
    return hasSource;
  }

  @Override
  public synchronized PortSummary ports() {
    return new PortSummary(state, detail, table.statuses());
  }

  @Override
  public void close() {
    synchronized (this) {
      state = SessionState.CLOSED;
      if (session != null) {
        session.end();
      }
    }
    scheduler.close();
  }

  private synchronized void connect() {
    if (state == SessionState.CLOSED) {
      return;
    }
    hasSource = access.hasServer();
    if (!hasSource) {
      // It may be given one: then there is a session within that time.
      scheduler.schedule(backoff.longest(), this::connect);
      return;
    }
    GnmiSession begun;
    try {
      begun =
          new GnmiSession(access, topology, setsPorts, table, this, this::tellMissing, scheduler);
    } catch (NotReadyException e) {
      down(e.getMessage());
      return;
    }
    session = begun;
    begun.start(
        new SessionListener() {
          @Override
          public void up() {
            ready(begun);
          }

          @Override
          public void down(String reason) {
            GnmiPorts.this.down(reason);
          }
        });
  }

  private synchronized void tellMissing() {
    List<String> missing = table.unnamed();
    detail =
        missing.isEmpty()
            ? Optional.empty()
            : Optional.of("the switch has no interface for port " + String.join(", ", missing));
    detail.ifPresent(problem -> LOG.warn("ports: {}", problem));
  }

  private synchronized void ready(GnmiSession standing) {
    backoff.reset();
    lastReason = "";
    state = SessionState.READY;
    LOG.info("ports: the gNMI server {} tells of the ports", standing.server());
  }

  private synchronized void down(String reason) {
    if (state == SessionState.CLOSED) {
      return;
    }
    state = SessionState.CONNECTING;
    table.forget();
    Duration wait = backoff.next();
    detail = Optional.of(reason + "; next attempt at " + clock.instant().plus(wait));
    double seconds = wait.toMillis() / MILLIS_PER_SECOND;
    if (reason.equals(lastReason)) {
      LOG.debug("ports: still no gNMI session: {}; next attempt in {} s", reason, seconds);
    } else {
      LOG.warn("ports: no gNMI session: {}; next attempt in {} s", reason, seconds);
    }
    lastReason = reason;
    scheduler.schedule(wait, this::connect);
  }
}
