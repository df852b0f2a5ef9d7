package net.sluice.it.p4;

import java.util.List;
import net.sluice.intents.marker.csaqm.tables.RateBins;
import net.sluice.intents.plan.entry.queue.MirrorEntry;

/** The threshold of the program for Tofino at a queue that really builds. */
class TofinoQueueingTest implements QueueingContract {
  @Override
  public EmulatedSwitch start() {
    EmulatedSwitch dut = EmulatedSwitch.start(TofinoModel.load(), 1);
    dut.control().insert(List.of(new MirrorEntry(TofinoModel.RECIRCULATION_PORT)));
    return dut;
  }

  @Override
  public RateBins bins(double maxRateBps) {
    return TofinoModel.bins(maxRateBps);
  }
}
