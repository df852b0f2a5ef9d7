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
 * or another agent has it. It runs until it is closed or an {@link Error} ends it, which is for the
 * owner of its thread to tell. Packets go on at their limits without it.
 */
public final class AgentRun implements Runnable, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AgentRun.class);
  private static final long AGAIN_SECONDS = 1;

  /** Time between steps while no packet waits: the host has its processor for others then. */
  private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** The same once none has for that long. */
  private static final long LONG_IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long TELL_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** Where an agent's switch is, and how it is told from other agents. */
  public record Place(InetSocketAddress address, long deviceId, long electionId) {}

  /** Connects to a switch, as the agent that is primary there. */
  @FunctionalInterface
  public interface Connecting {
    P4RuntimeSwitch connect(Place place) throws InterruptedException;
  }

  private final Place place;
  private final LoopSettings settings;
  private final Connecting connecting;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean begun;
  private String lastReason = "";
  private boolean moved;

  /** An agent that does not run yet. */
  public AgentRun(Place place, LoopSettings settings) {
    this(
        place,
        settings,
        at -> P4RuntimeSwitch.connect(at.address(), at.deviceId(), at.electionId()));
  }

  /** The same with another way to the switch. */
  public AgentRun(Place place, LoopSettings settings, Connecting connecting) {
    this.place = place;
    this.settings = settings;
    this.connecting = connecting;
  }

  private boolean isStopped() {
    return stopped.getCount() == 0;
  }

  @Override
  public void run() {
    begun = true;
    try {
      while (!isStopped()) {
        try (P4RuntimeSwitch device = connecting.connect(place)) {
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
    long idleSince = due;
    while (!isStopped()) {
      boolean idle = !agent.step();
      long now = System.nanoTime();
      idleSince = idle ? idleSince : now;
      pace.step(now);
      if (now - tellAt > 0) {
        LOG.info("{}", pace.text());
        pace.begin(now);
        tellAt = now + TELL_NANOS;
      }
      due = Math.max(due + settings.periodNanos(), now);
      long idleNanos = now - idleSince < LONG_NANOS ? IDLE_NANOS : LONG_IDLE_NANOS;
      LockSupport.parkNanos(idle ? Math.max(idleNanos, due - now) : due - now);
    }
    LOG.info("stops: {}", pace.text());
  }

  /** Stops it, and waits for its end; the gates stay as they are. */
  @Override
  public void close() {
    stopped.countDown();
    try {
      if (begun) {
        ended.await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
