package net.sluice.lab.experiment.calm;

import net.sluice.emulator.netsim.FrameStore;
import net.sluice.lab.support.Rfc8289Codel;

/** Frames of a {@link QueuedLine} in order, which CoDel drops or marks as they are taken out. */
final class CodelFifo {

  /** RFC 8290 section 5.2.2. */
  static final long TARGET_NANOS = 5_000_000;

  /** RFC 8290 section 5.2.1. */
  static final long INTERVAL_NANOS = 100_000_000;

  private static final int MTU_BYTES = 1_514;

  private final QueuedLine line;
  private final boolean ecn;
  private final Rfc8289Codel codel = new Rfc8289Codel(TARGET_NANOS, INTERVAL_NANOS);
  private int head = FrameStore.NONE;
  private int tail = FrameStore.NONE;
  private int packets;
  private long bytes;

  /**
   * An empty queue.
   *
   * @param ecn whether ECN-capable frames are marked instead of dropped
   */
  CodelFifo(QueuedLine line, boolean ecn) {
    this.line = line;
    this.ecn = ecn;
  }

  int packets() {
    return packets;
  }

  long bytes() {
    return bytes;
  }

  void add(int slot) {
    if (tail == FrameStore.NONE) {
      head = slot;
    } else {
      line.frames().setNext(tail, slot);
    }
    tail = slot;
    packets++;
    bytes += line.frames().length(slot);
  }

  /** Takes out the first frame that CoDel lets pass, or {@link FrameStore#NONE}. */
  int take(long nowNanos) {
    int slot = poll();
    while (slot != FrameStore.NONE
        && codel.drops(nowNanos, line.waitNanos(slot, nowNanos), bytes <= MTU_BYTES)
        && !(ecn && line.mark(slot))) {
      line.drop(slot, nowNanos);
      slot = poll();
    }
    if (slot == FrameStore.NONE) {
      codel.empty();
    }
    return slot;
  }

  /** Drops the first frame; there is one. */
  void dropFirst(long nowNanos) {
    line.drop(poll(), nowNanos);
  }

  private int poll() {
    int slot = head;
    if (slot != FrameStore.NONE) {
      head = line.frames().next(slot);
      tail = head == FrameStore.NONE ? FrameStore.NONE : tail;
      line.frames().setNext(slot, FrameStore.NONE);
      packets--;
      bytes -= line.frames().length(slot);
    }
    return slot;
  }
}
