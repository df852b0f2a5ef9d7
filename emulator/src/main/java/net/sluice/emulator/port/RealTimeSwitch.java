package net.sluice.emulator.port;

import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.sim.EventHandler;
import net.sluice.emulator.sim.PortStatistics;
import net.sluice.emulator.sim.Simulation;
import net.sluice.emulator.sim.SwitchNode;
import net.sluice.emulator.sim.SwitchPort;
import net.sluice.emulator.switching.SwitchDevice;

/**
 * A switch on real ports in real time. Time is nanoseconds since {@link #run} began, by the
 * machine's monotonic clock: a frame's arrival is stamped when it is taken from the kernel, and a
 * port with a rate sends each frame when its line is free.
 *
 * <p>One thread does everything, in {@link #run}: it waits in the kernel until a frame arrives or a
 * line becomes free, takes up to {@value ReceiveBatch#FRAMES} frames at a time from a port, passes
 * them, and hands what leaves to the kernel in batches. It sleeps when there is nothing to do.
 */
public final class RealTimeSwitch implements AutoCloseable {
  private static final int PR_SET_TIMERSLACK = 29;
  private static final long TIMER_SLACK_NANOS = 1_000;

  private final Simulation simulation;
  private final SwitchNode node;
  private final List<Cable> cables = new ArrayList<>();
  private final ReceiveBatch batch = new ReceiveBatch();
  private volatile boolean stopping;
  private volatile long waits;
  private Poller poller;
  private boolean ran;

  /** A port of the switch and what it is cabled to. */
  private final class Cable implements EventHandler {
    private final NetworkPort outside;
    private final SwitchPort inside;

    Cable(NetworkPort outside, SwitchPort inside) {
      this.outside = outside;
      this.inside = inside;
    }

    @Override
    public void onEvent(long nowNanos, long count) {
      outside.deliver(batch, (int) count, inside, nowNanos);
    }
  }

  /**
   * What a port did.
   *
   * @param number of the switch's port
   * @param name of the interface
   * @param inside what the switch's port counted
   * @param outside what its interface counted
   */
  public record PortReport(
      int number, String name, PortStatistics inside, NetworkPortStatistics outside) {}

  /**
   * A switch without ports.
   *
   * @param seed of what is random in the traffic manager's simulation
   */
  public RealTimeSwitch(SwitchDevice device, long seed) {
    simulation = new Simulation(seed);
    node = new SwitchNode(simulation, device);
  }

  /**
   * Cables a port, which is closed with the switch; before {@link #run}.
   *
   * @param number as {@link SwitchNode#addPort} has it, rate and limit too
   * @param rateBps bit/s, or {@link net.sluice.emulator.sim.LineClock#UNLIMITED_BPS}
   */
  public void addPort(int number, NetworkPort outside, long rateBps, long queueLimitBytes) {
    SwitchPort inside = node.addPort(number, rateBps, queueLimitBytes);
    inside.connect((bytes, offset, length, tag, nowNanos) -> outside.send(bytes, offset, length));
    cables.add(new Cable(outside, inside));
  }

  /** Switches frames until {@link #stop} is called; once, on a thread of its own. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // Only this thread writes.
  public void run() {
    synchronized (this) {
      if (ran) {
        throw new IllegalStateException("the switch has run already");
      }
      ran = true;
      poller = new Poller(cables.size());
    }
    // Lines of some 100 Mbit/s need better than the usual 50 us; a refusal only costs accuracy.
    Libc.prctl(PR_SET_TIMERSLACK, TIMER_SLACK_NANOS, 0, 0, 0);
    long origin = System.nanoTime();
    while (!stopping) {
      for (int i = 0; i < cables.size(); i++) {
        poller.set(i, cables.get(i).outside.descriptor());
      }
      waits++;
      long next = simulation.nextEventNanos();
      poller.await(next == Long.MAX_VALUE ? next : next - (System.nanoTime() - origin));
      for (int i = 0; i < cables.size(); i++) {
        if (poller.isReady(i)) {
          receive(cables.get(i), origin);
        }
      }
      long now = System.nanoTime() - origin;
      if (simulation.nextEventNanos() <= now) {
        advance(now);
      }
    }
  }

  private void receive(Cable cable, long origin) {
    int count = cable.outside.receive(batch);
    if (count > 0) {
      long now = System.nanoTime() - origin;
      simulation.execute(() -> simulation.schedule(now, cable, count));
      advance(now);
    }
  }

  private void advance(long nowNanos) {
    simulation.runUntil(nowNanos);
    for (int i = 0; i < cables.size(); i++) {
      cables.get(i).outside.flush();
    }
  }

  /** How often it has gone to sleep, however shortly. */
  long waits() {
    return waits;
  }

  /** Makes {@link #run} return, soon. Any thread. */
  public synchronized void stop() {
    stopping = true;
    if (poller != null) {
      poller.wakeUp();
    }
  }

  /** What each port has done so far, in the order in which they were added. Any thread. */
  public List<PortReport> reports() {
    return simulation.query(
        () ->
            cables.stream()
                .map(
                    cable ->
                        new PortReport(
                            cable.inside.number(),
                            cable.outside.name(),
                            cable.inside.statistics(),
                            cable.outside.statistics()))
                .toList());
  }

  /** Frames lost because the program sent them to a port that does not exist. Any thread. */
  public long unknownEgressPortDrops() {
    return simulation.query(node::unknownEgressPortDrops);
  }

  /** Closes all ports; after {@link #run} has returned. */
  @Override
  public synchronized void close() {
    for (Cable cable : cables) {
      cable.outside.close();
    }
    if (poller != null) {
      poller.close();
    }
  }
}
