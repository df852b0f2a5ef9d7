package net.sluice.it.p4;

import java.util.List;
import net.sluice.intents.marker.RateBins;

/** The threshold of the program for Tofino at a queue that really builds. */
class TofinoQueueingTest implements QueueingContract {
  @Override
  public EmulatedSwitch start() {
    EmulatedSwitch dut = EmulatedSwitch.start(TofinoModel.load(), 1);
    dut.control().write(List.of(MirrorSession.insert(TofinoModel.RECIRCULATION_PORT)));
    return dut;
  }

  @Override
  public RateBins bins(double maxRateBps) {
    return new RateBins(maxRateBps, TofinoModel.RATE_UNIT_BPS, TofinoModel.RATE_KEY_BITS);
  }
}
