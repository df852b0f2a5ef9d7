package net.sluice.it.p4;

import net.sluice.intents.marker.csaqm.tables.RateBins;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.V1ModelPipeline;

/** The v1model program's threshold at a queue that really builds. */
class QueueingTest implements QueueingContract {
  private static final SwitchPipeline PROGRAM = V1ModelPipeline.load();

  @Override
  public EmulatedSwitch start() {
    return EmulatedSwitch.start(PROGRAM);
  }

  @Override
  public RateBins bins(double maxRateBps) {
    return new RateBins(
        maxRateBps, PROGRAM.profile().rateUnitBps(), PROGRAM.profile().rateKeyBits());
  }
}
