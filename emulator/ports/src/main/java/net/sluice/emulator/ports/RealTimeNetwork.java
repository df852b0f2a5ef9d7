package net.sluice.emulator.ports;

import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.netsim.EventHandler;
import net.sluice.emulator.netsim.FrameReceiver;
import net.sluice.emulator.netsim.Link;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.switching.PacketPipeline;

/**
 * A simulation that runs in real time between ports of this machine. Time is nanoseconds since
 * {@link #run} began, by the machine's monotonic clock: a frame's arrival is stamped when it is
 * taken from the kernel, and an event runs at its time, or as soon after as the machine can.
 *
 * <p>One thread does everything, in {@link #run}: it waits in the kernel until a frame arrives or
 * the next event is due, receives up to {@value ReceiveBatch#FRAMES} frames at a time from a port,
 * and sends in batches. It sleeps when there is nothing to do.
 */
final class RealTimeNetwork implements AutoCloseable {
  private static final int PR_SET_TIMERSLACK = 29;
  private static final long TIMER_SLACK_NANOS = 1_000;

  private final Simulation simulation;
  private final long longestSleepNanos;
  private final List<Cable> cables = new ArrayList<>();
  private final ReceiveBatch batch = new ReceiveBatch();
  private final FramePrefixes heads = new FramePrefixes();
  private final SchedulingDelay.Recorder schedulingDelay = new SchedulingDelay.Recorder();
  private volatile boolean stopping;
  private volatile boolean woken;
  private volatile boolean started;
  private volatile long origin;
  private volatile long waits;
  private long advancingTo;
  private Poller poller;
  private boolean ran;

  /**
   * A network without ports.
   *
   * @param longestSleepNanos most that virtual time may lag while nothing happens, for other
   *     threads that use the simulation; Long.MAX_VALUE if there are none
   */
  RealTimeNetwork(Simulation simulation, long longestSleepNanos) {
    this.simulation = simulation;
    this.longestSleepNanos = longestSleepNanos;
  }

  /** Notified when the machine takes no frames, and when it does again. */
  @FunctionalInterface
  interface HeldBack {
    void heldBack(boolean held);
  }

  /** Receives the next frames in advance, as {@link PacketPipeline#expect} does. */
  @FunctionalInterface
  interface Expecting {
    void expect(byte[] bytes, int[] offsets, int[] lengths, int count);
  }

  /** A port of the machine, the line to it, and the receiver at the line's inner end. */
  final class Cable implements FrameReceiver, EventHandler {
    private final NetworkPort outside;
    private final long delayNanos;
    private FrameReceiver outwards;
    private FrameReceiver inwards;
    private HeldBack holder = held -> {};
    private Expecting expecting;
    private boolean held;

    private Cable(NetworkPort outside, long delayNanos) {
      this.outside = outside;
      this.delayNanos = delayNanos;
      this.outwards =
          delayed(
              (bytes, offset, length, tag, now) -> {
                outside.send(bytes, offset, length);
                if (!held && outside.blockedDescriptor() >= 0) {
                  held = true;
                  holder.heldBack(true);
                }
              });
    }

    /** Sets who is notified when the machine takes no frames, and when it does again. */
    void onHeldBack(HeldBack listener) {
      holder = listener;
    }

    /** Sets who receives frames in advance; not used on a line with delay. */
    void onExpected(Expecting listener) {
      expecting = delayNanos == 0 ? listener : null;
    }

    /**
     * Sends the kept frames; the sender is notified if that changes whether the port takes more.
     */
    private void flush(long nowNanos) {
      outside.flush();
      boolean blocked = outside.blockedDescriptor() >= 0;
      if (blocked != held) {
        held = blocked;
        simulation.execute(
            () -> simulation.schedule(nowNanos, (now, none) -> holder.heldBack(held), 0));
      }
    }

    private FrameReceiver delayed(FrameReceiver to) {
      return delayNanos == 0 ? to : Link.in(simulation).propagationNanos(delayNanos).to(to);
    }

    /** Sets the receiver of incoming frames; before the network runs. */
    void connect(FrameReceiver inside) {
      inwards = delayed(inside);
    }

    NetworkPort outside() {
      return outside;
    }

    /** Sends a frame. */
    @Override
    public void receive(byte[] bytes, int offset, int length, long tag, long nowNanos) {
      outwards.receive(bytes, offset, length, tag, nowNanos);
    }

    /** Frames have come in. */
    @Override
    public void onEvent(long nowNanos, long count) {
      for (int first = 0; first < count; first += PacketPipeline.MAX_EXPECTED) {
        int next = (int) Math.min(count - first, PacketPipeline.MAX_EXPECTED);
        if (expecting != null) {
          heads.copy(batch, outside, first, next);
          expecting.expect(heads.bytes, heads.offsets, heads.lengths, next);
        }
        outside.deliver(batch, first, next, inwards, nowNanos);
      }
    }
  }

  /**
   * Adds a port, which is closed with the network; before it runs.
   *
   * @param delayNanos delay of the line, in either direction, at least 0
   */
  Cable cable(NetworkPort outside, long delayNanos) {
    Cable cable = new Cable(outside, delayNanos);
    cables.add(cable);
    return cable;
  }

  /** Runs until {@link #stop} is called; once, on a thread of its own. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // Only this thread writes.
  void run() {
    synchronized (this) {
      if (ran) {
        throw new IllegalStateException("the network has run already");
      }
      ran = true;
      poller = new Poller(2 * cables.size());
    }
    // Lines of some 100 Mbit/s need better than the usual 50 us; a refusal only costs accuracy.
    Libc.prctl(PR_SET_TIMERSLACK, TIMER_SLACK_NANOS, 0, 0, 0);
    origin = System.nanoTime();
    started = true;
    while (!stopping) {
      for (int i = 0; i < cables.size(); i++) {
        cables.get(i).outside.renew();
        poller.set(i, cables.get(i).outside.descriptor());
        poller.setWritable(cables.size() + i, cables.get(i).outside.blockedDescriptor());
      }
      waits++;
      long next = nextEventNanos();
      long sleep = next == Long.MAX_VALUE ? next : next - nowNanos();
      // Requests made before there was a poller could not wake it up.
      poller.await(woken ? 0 : Math.min(sleep, longestSleepNanos));
      for (int i = 0; i < cables.size(); i++) {
        if (poller.isReady(i)) {
          receive(cables.get(i));
        }
        if (poller.isReady(cables.size() + i)) {
          cables.get(i).flush(nowNanos());
        }
      }
      long now = nowNanos();
      if (woken || nextEventNanos() <= now || longestSleepNanos != Long.MAX_VALUE) {
        woken = false;
        advance(now);
      }
    }
  }

  /** Other threads schedule events too, by writing registers. */
  private long nextEventNanos() {
    return simulation.query(simulation::nextEventNanos);
  }

  private void receive(Cable cable) {
    int count = cable.outside.receive(batch);
    if (count > 0) {
      long now = nowNanos();
      simulation.execute(() -> simulation.schedule(now, cable, count));
      advance(now);
    }
  }

  private void advance(long nowNanos) {
    long due = nextEventNanos();
    if (due < nowNanos) {
      simulation.execute(() -> schedulingDelay.add(nowNanos - due));
    }
    advancingTo = nowNanos;
    simulation.runUntil(nowNanos);
    for (int i = 0; i < cables.size(); i++) {
      cables.get(i).flush(nowNanos);
    }
  }

  /** Up to when virtual time goes before frames are received again; for events. */
  long advancingTo() {
    return advancingTo;
  }

  /** The scheduling delay so far. Any thread. */
  SchedulingDelay schedulingDelay() {
    return simulation.query(schedulingDelay::read);
  }

  /** Nanoseconds since {@link #run} began, 0 before. Any thread. */
  long nowNanos() {
    return started ? System.nanoTime() - origin : 0;
  }

  /**
   * Makes the simulation run up to the present, soon, beginning with its participants. Any thread.
   */
  synchronized void wakeUp() {
    woken = true;
    if (poller != null) {
      poller.wakeUp();
    }
  }

  /** Number of times it has slept. */
  long waits() {
    return waits;
  }

  /** Makes {@link #run} return, soon. Any thread. */
  synchronized void stop() {
    stopping = true;
    if (poller != null) {
      poller.wakeUp();
    }
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
