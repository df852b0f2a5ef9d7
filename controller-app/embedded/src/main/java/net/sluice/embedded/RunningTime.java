package net.sluice.embedded;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.sluice.core.time.WatchedThread;
import net.sluice.gates.AgentRun;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Threads that have the time of emulated switches pass, and move their gates, until closed. */
final class RunningTime implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RunningTime.class);

  private static final long STOP_MILLIS = 5_000;

  private final List<AgentRun> agents;
  private final List<WatchedThread> gates = new ArrayList<>();
  private final WatchedThread pacing;
  private final Runnable stop;

  /** Has time pass until it is interrupted, or stopped. */
  interface Pacing {
    void run() throws InterruptedException;
  }

  /**
   * Begins.
   *
   * @param agents those that move the gates, by the ends of their threads' names
   * @param stop stops time where an interrupt does not
   */
  RunningTime(Map<String, AgentRun> agents, Pacing time, Runnable stop) {
    this.stop = stop;
    this.agents = List.copyOf(agents.values());
    agents.forEach((name, agent) -> gates.add(WatchedThread.of("sluice-gates" + name, agent)));
    gates.forEach(WatchedThread::start);
    pacing = WatchedThread.of("sluice-virtual-time", () -> pace(time));
    pacing.start();
  }

  private static void pace(Pacing time) {
    try {
      time.run();
    } catch (InterruptedException e) {
      LOG.debug("virtual time stops", e);
    }
  }

  @Override
  public void close() {
    gates.forEach(WatchedThread::over);
    agents.forEach(AgentRun::close);
    pacing.over();
    stop.run();
    try {
      pacing.end(STOP_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
