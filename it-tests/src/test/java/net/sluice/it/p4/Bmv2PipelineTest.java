package net.sluice.it.p4;

import net.sluice.pipeconf.V1ModelPipeline;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The program's behaviours on bmv2, if it is installed. */
class Bmv2PipelineTest implements V1ModelContract, ThresholdContract {
  private static SwitchUnderTest dut;
  private static SwitchUnderTest next;

  @BeforeAll
  static void start() {
    SimpleSwitchGrpc.assumeInstalled();
    dut = SimpleSwitchGrpc.start(V1ModelPipeline.load());
    next = SimpleSwitchGrpc.start(V1ModelPipeline.load());
  }

  @AfterAll
  static void stop() {
    if (dut != null) {
      dut.close();
    }
    if (next != null) {
      next.close();
    }
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
