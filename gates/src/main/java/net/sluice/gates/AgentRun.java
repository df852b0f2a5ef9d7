package net.sluice.gates;

import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import net.sluice.gates.loop.GateLoop;
import net.sluice.gates.loop.LoopSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * An agent beside a switch in real time: it makes itself the one that writes the gates, moves them
 * a period after the other or as fast as the host allows, and begins anew when it loses the switch
 * or another agent has it. Whatever happens to it, packets go on at their limits.
 */
public final class AgentRun implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AgentRun.class);
  private static final long AGAIN_SECONDS = 1;

  /** Time between steps while no packet waits: the host has its processor for others then. */
  private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final long TELL_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** Where an agent's switch is, and how it is told from other agents. */
  public record Place(InetSocketAddress address, long deviceId, long electionId) {}

  private final Place place;
  private final LoopSettings settings;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "sluice-gates");
  private String lastReason = "";
  private boolean moved;

  private AgentRun(Place place, LoopSettings settings) {
    this.place = place;
    this.settings = settings;
    thread.setDaemon(true);
  }

  /** Starts an agent in a thread of its own. */
  public static AgentRun start(Place place, LoopSettings settings) {
    AgentRun run = new AgentRun(place, settings);
    run.thread.start();
    return run;
  }

  /** Whether it was told to stop. */
  public boolean isStopped() {
    return stopped.getCount() == 0;
  }

  private void run() {
    try {
      while (!isStopped()) {
        try (P4RuntimeSwitch device =
            P4RuntimeSwitch.connect(place.address(), place.deviceId(), place.electionId())) {
          move(device);
        } catch (LocalSwitch.SwitchException | IllegalArgumentException e) {
          say(e.getMessage());
        } catch (RuntimeException e) {
          LOG.error("a fault of the agent; it begins anew", e);
          say(e.toString());
        }
        if (stopped.await(AGAIN_SECONDS, TimeUnit.SECONDS)) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      ended.countDown();
    }
  }

  /** Returns when it moves no gates any more: stopped, or for an error that it does not survive. */
  public void awaitEnd() throws InterruptedException {
    ended.await();
  }

  /** Not the same sentence every second. */
  private void say(String reason) {
    if (!reason.equals(lastReason)) {
      // A switch that gets its program in a moment is no reason to worry.
      LOG.atLevel(moved ? Level.WARN : Level.INFO)
          .log(
              "the gates of the switch at {} are not moved, and its packets go on at their limits:"
                  + " {}",
              place.address(),
              reason);
      lastReason = reason;
    }
  }

  private void move(P4RuntimeSwitch device) {
    GateAgent agent = new GateAgent(device, device.running(), GateLoop.of(settings));
    LOG.info("moves the gates of the switch at {}", place.address());
    lastReason = "";
    moved = true;
    Pace pace = new Pace();
    pace.begin(System.nanoTime());
    long tellAt = System.nanoTime() + TELL_NANOS;
    long due = System.nanoTime();
    while (!isStopped()) {
      boolean idle = !agent.step();
      long now = System.nanoTime();
      pace.step(now);
      if (now - tellAt > 0) {
        LOG.info("{}", pace.text());
        pace.begin(now);
        tellAt = now + TELL_NANOS;
      }
      due = Math.max(due + settings.periodNanos(), now);
      LockSupport.parkNanos(idle ? Math.max(IDLE_NANOS, due - now) : due - now);
    }
    LOG.info("stops: {}", pace.text());
  }

  /** Stops it; the gates stay as they are. */
  @Override
  public void close() {
    stopped.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
