package net.sluice.lab.experiment.calm;

import java.util.Arrays;
import net.sluice.emulator.netsim.EventHandler;
import net.sluice.emulator.netsim.FrameReceiver;
import net.sluice.emulator.netsim.FrameStore;
import net.sluice.emulator.netsim.LineClock;
import net.sluice.emulator.netsim.Simulation;

/**
 * A line of a given rate behind a queue, which decides what to send next and what to drop. The rate
 * is that of the frames, without what Ethernet adds.
 */
abstract class QueuedLine implements FrameReceiver, EventHandler {

  /** Learns the end of each frame's wait. */
  interface Observer {

    /** It begins to be sent, marked or not, after a wait. */
    void sent(long tag, int bytes, long waitNanos, boolean marked, long nowNanos);

    /** It is dropped. */
    void dropped(long tag, int bytes, long nowNanos);
  }

  private static final int BITS = 8;

  private final Simulation simulation;
  private final LineClock line;
  private final Observer observer;
  private final FrameReceiver next;
  private final FrameStore frames = new FrameStore();
  private long[] sinceNanos = new long[16];
  private boolean[] marked = new boolean[16];
  private boolean busy;

  /**
   * A line that is free.
   *
   * @param rateBps bit/s
   * @param next receives each frame when it has been sent
   */
  QueuedLine(Simulation simulation, long rateBps, Observer observer, FrameReceiver next) {
    this.simulation = simulation;
    this.line = new LineClock(rateBps);
    this.observer = observer;
    this.next = next;
  }

  /** A frame has come. */
  abstract void enqueue(int slot, long nowNanos);

  /** Takes out the frame to be sent next; {@link FrameStore#NONE} if there is none. */
  abstract int dequeue(long nowNanos);

  /** The frames in the queue, which may be chained. */
  final FrameStore frames() {
    return frames;
  }

  /** Frames in the queue, a newly come one with them. */
  final int packets() {
    return frames.count() - (busy ? 1 : 0);
  }

  /** How long a frame has waited, nanoseconds. */
  final long waitNanos(int slot, long nowNanos) {
    return nowNanos - sinceNanos[slot];
  }

  /** Sets CE, if the frame is ECN-capable; false if it is not. */
  final boolean mark(int slot) {
    byte[] bytes = frames.bytes(slot);
    int length = frames.length(slot);
    switch (IpFrame.ecn(bytes, length)) {
      case NOT_ECT -> {
        return false;
      }
      case ECT_0, ECT_1, CE -> IpFrame.mark(bytes, length);
    }
    marked[slot] = true;
    return true;
  }

  /** Forgets a frame that has been taken out. */
  final void drop(int slot, long nowNanos) {
    observer.dropped(frames.tag(slot), frames.length(slot), nowNanos);
    frames.release(slot);
  }

  @Override
  public final void receive(byte[] bytes, int offset, int length, long tag, long nowNanos) {
    int slot = frames.put(bytes, offset, length, tag);
    if (slot >= sinceNanos.length) {
      sinceNanos = Arrays.copyOf(sinceNanos, 2 * sinceNanos.length);
      marked = Arrays.copyOf(marked, 2 * marked.length);
    }
    sinceNanos[slot] = nowNanos;
    marked[slot] = false;
    enqueue(slot, nowNanos);
    if (!busy) {
      send(nowNanos);
    }
  }

  @Override
  public final void onEvent(long nowNanos, long argument) {
    int slot = (int) argument;
    next.receive(frames.bytes(slot), 0, frames.length(slot), frames.tag(slot), nowNanos);
    frames.release(slot);
    send(nowNanos);
  }

  private void send(long nowNanos) {
    int slot = dequeue(nowNanos);
    busy = slot != FrameStore.NONE;
    if (busy) {
      int bytes = frames.length(slot);
      observer.sent(frames.tag(slot), bytes, waitNanos(slot, nowNanos), marked[slot], nowNanos);
      simulation.schedule(line.send(nowNanos, (long) bytes * BITS), this, slot);
    }
  }
}
