package net.sluice.it.p4;

import net.sluice.pipeconf.V1ModelPipeline;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The program's behaviours on the emulated switch. */
class EmulatedPipelineTest
    implements ClassificationContract,
        ForwardingContract,
        SidecarContract,
        PacketValueContract,
        ThresholdContract {
  private static SwitchUnderTest dut;
  private static SwitchUnderTest next;

  @BeforeAll
  static void start() {
    dut = EmulatedSwitch.start(V1ModelPipeline.load());
    next = EmulatedSwitch.start(V1ModelPipeline.load());
  }

  @AfterAll
  static void stop() {
    dut.close();
    next.close();
  }

  @Override
  public SwitchUnderTest dut() {
    return dut;
  }

  @Override
  public SwitchUnderTest next() {
    return next;
  }
}
