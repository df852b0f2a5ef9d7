package net.sluice.lab.experiment.calm;

import java.util.ArrayDeque;
import java.util.Deque;
import net.sluice.emulator.netsim.FrameReceiver;
import net.sluice.emulator.netsim.FrameStore;
import net.sluice.emulator.netsim.Simulation;

/**
 * FlowQueue-CoDel, RFC 8290, before a line: flows are hashed into queues with CoDel each, which
 * take turns by deficit round robin; one that had nothing to send goes before those that had. The
 * figures are those of section 5.2.
 */
final class FqCodelQueue extends QueuedLine {
  static final int QUEUES = 1_024;
  static final int QUANTUM_BYTES = 1_514;
  static final int MOST_PACKETS = 10_240;
  private static final int MOST_DROPPED_AT_ONCE = 64;

  private static final class Flow {
    final CodelFifo fifo;
    int creditBytes;
    boolean active;

    Flow(CodelFifo fifo) {
      this.fifo = fifo;
    }
  }

  private final long seed;
  private final Flow[] flows = new Flow[QUEUES];
  private final Deque<Flow> fresh = new ArrayDeque<>();
  private final Deque<Flow> old = new ArrayDeque<>();

  /**
   * Empty queues.
   *
   * @param rateBps of the line, bit/s
   * @param seed of the hash
   * @param ecn whether ECN-capable frames are marked instead of dropped
   * @param next receives each frame when it has been sent
   */
  FqCodelQueue(
      Simulation simulation,
      long rateBps,
      long seed,
      boolean ecn,
      Observer observer,
      FrameReceiver next) {
    super(simulation, rateBps, observer, next);
    this.seed = seed;
    for (int i = 0; i < QUEUES; i++) {
      flows[i] = new Flow(new CodelFifo(this, ecn));
    }
  }

  /** Section 4.1. */
  @Override
  void enqueue(int slot, long nowNanos) {
    long hash = IpFrame.flowHash(frames().bytes(slot), frames().length(slot), seed);
    Flow flow = flows[(int) Long.remainderUnsigned(hash, QUEUES)];
    flow.fifo.add(slot);
    if (!flow.active) {
      flow.active = true;
      flow.creditBytes = QUANTUM_BYTES;
      fresh.add(flow);
    }
    if (packets() > MOST_PACKETS) {
      dropFromLongest(nowNanos);
    }
  }

  /** Half of the queue with the most bytes, from its head, at most 64. */
  private void dropFromLongest(long nowNanos) {
    Flow longest = flows[0];
    for (Flow flow : flows) {
      longest = flow.fifo.bytes() > longest.fifo.bytes() ? flow : longest;
    }
    int count = Math.min(MOST_DROPPED_AT_ONCE, (longest.fifo.packets() + 1) / 2);
    for (int i = 0; i < count; i++) {
      longest.fifo.dropFirst(nowNanos);
    }
  }

  /** Section 4.2. */
  @Override
  int dequeue(long nowNanos) {
    while (true) {
      Deque<Flow> list = fresh.isEmpty() ? old : fresh;
      if (list.isEmpty()) {
        return FrameStore.NONE;
      }
      Flow flow = list.peek();
      if (flow.creditBytes <= 0) {
        flow.creditBytes += QUANTUM_BYTES;
        list.remove();
        old.add(flow);
        continue;
      }
      int slot = flow.fifo.take(nowNanos);
      if (slot != FrameStore.NONE) {
        flow.creditBytes -= frames().length(slot);
        return slot;
      }
      list.remove();
      if (list == fresh) {
        // It waits behind the others: an empty queue that came back would never let them send.
        old.add(flow);
      } else {
        flow.active = false;
      }
    }
  }
}
