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
 * taken from the kernel, and what is to happen at a time happens then, or as soon as the machine
 * gets to it.
 *
 * <p>One thread does everything, in {@link #run}: it waits in the kernel until a frame arrives or
 * the next event is due, takes up to {@value ReceiveBatch#FRAMES} frames at a time from a port,
 * passes them on, and hands what leaves to the kernel in batches. It sleeps when there is nothing
 * to do.
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
  private Poller poller;
  private boolean ran;

  /**
   * A network without ports.
   *
   * @param longestSleepNanos how far virtual time may lag behind while nothing happens; for others
   *     that look at the simulation in between. Long.MAX_VALUE if there are none
   */
  RealTimeNetwork(Simulation simulation, long longestSleepNanos) {
    this.simulation = simulation;
    this.longestSleepNanos = longestSleepNanos;
  }

  /** Who hears when the machine takes no frames for a while. */
  @FunctionalInterface
  interface HeldBack {
    void heldBack(boolean held);
  }

  /** Who is told what frames come in next, as {@link PacketPipeline#expect} has it. */
  @FunctionalInterface
  interface Expecting {
    void expect(byte[] bytes, int[] offsets, int[] lengths, int count);
  }

  /** A port of the machine, the line to it, and what is at the line's inner end. */
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

    /** Says who hears when the machine takes no frames, and when it does again. */
    void onHeldBack(HeldBack listener) {
      holder = listener;
    }

    /** Says who is told of frames before they come in; on a line with delay nobody is. */
    void onExpected(Expecting listener) {
      expecting = delayNanos == 0 ? listener : null;
    }

    /** Hands over what is kept; who sends hears of it if that makes a difference. */
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

    /** Says who gets the frames that come in; before the network runs. */
    void connect(FrameReceiver inside) {
      inwards = delayed(inside);
    }

    NetworkPort outside() {
      return outside;
    }

    /** Takes a frame from inside. */
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
   * @param delayNanos how long each frame is under way on the line, in either direction, at least 0
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
      // Who wanted attention before there was a poller could not wake it up.
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

  /** Others schedule events too, by writing registers. */
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
    simulation.runUntil(nowNanos);
    for (int i = 0; i < cables.size(); i++) {
      cables.get(i).flush(nowNanos);
    }
  }

  /** How late the machine got to what was due. Any thread. */
  SchedulingDelay schedulingDelay() {
    return simulation.query(schedulingDelay::read);
  }

  /** Nanoseconds since {@link #run} began, 0 before. Any thread. */
  long nowNanos() {
    return started ? System.nanoTime() - origin : 0;
  }

  /**
   * Makes the simulation run up to the present, soon, which begins with what takes part in it
   * looking for something to do. Any thread.
   */
  synchronized void wakeUp() {
    woken = true;
    if (poller != null) {
      poller.wakeUp();
    }
  }

  /** How often it has gone to sleep, however shortly. */
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
