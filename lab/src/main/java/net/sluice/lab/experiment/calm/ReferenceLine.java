package net.sluice.lab.experiment.calm;

import net.sluice.emulator.netsim.FrameReceiver;
import net.sluice.emulator.netsim.Simulation;

/** A queue of an RFC before a line of the limit's rate, which marks what is ECN-capable. */
final class ReferenceLine {
  private ReferenceLine() {}

  /** FlowQueue-CoDel (RFC 8290). */
  static FrameReceiver flowQueues(Simulation simulation, long limitBps, long seed, CalmExit exit) {
    return new FqCodelQueue(simulation, limitBps, seed, true, waits(exit), exit);
  }

  /** One queue with CoDel (RFC 8289). */
  static FrameReceiver oneQueue(Simulation simulation, long limitBps, CalmExit exit) {
    return new CodelQueue(simulation, limitBps, FqCodelQueue.MOST_PACKETS, true, waits(exit), exit);
  }

  private static QueuedLine.Observer waits(CalmExit exit) {
    return new QueuedLine.Observer() {
      @Override
      public void sent(long tag, int bytes, long waitNanos, boolean marked, long nowNanos) {
        exit.sent(tag, bytes, waitNanos);
      }

      @Override
      public void dropped(long tag, int bytes, long nowNanos) {}
    };
  }
}
