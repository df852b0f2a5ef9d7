package net.sluice.lab.experiment.calm;

import net.sluice.emulator.netsim.FrameReceiver;
import net.sluice.emulator.netsim.Simulation;

/** One queue with CoDel, RFC 8289, before a line. */
final class CodelQueue extends QueuedLine {
  private final CodelFifo fifo;
  private final int mostPackets;

  /**
   * An empty queue.
   *
   * @param rateBps of the line, bit/s
   * @param mostPackets as many fit, at least 1; more are dropped as they come
   * @param ecn whether ECN-capable frames are marked instead of dropped
   * @param next receives each frame when it has been sent
   */
  CodelQueue(
      Simulation simulation,
      long rateBps,
      int mostPackets,
      boolean ecn,
      Observer observer,
      FrameReceiver next) {
    super(simulation, rateBps, observer, next);
    this.fifo = new CodelFifo(this, ecn);
    this.mostPackets = mostPackets;
  }

  @Override
  void enqueue(int slot, long nowNanos) {
    if (packets() > mostPackets) {
      drop(slot, nowNanos);
    } else {
      fifo.add(slot);
    }
  }

  @Override
  int dequeue(long nowNanos) {
    return fifo.take(nowNanos);
  }
}
