package net.sluice.lab.experiment.calm;

import net.sluice.emulator.netsim.FrameReceiver;

/** Where a subscriber's packets go on when they have passed the limit. */
interface CalmExit extends FrameReceiver {
  /** A packet begins to be sent; it is received when it has been sent. */
  void sent(long tag, int bytes, long waitNanos);
}
