package net.sluice.it.p4;

import static org.assertj.core.api.Assertions.assertThat;

import net.sluice.pipeconf.V1ModelPipeline;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

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

  /** Only here is the delay known: a mark becomes a drop when it is reached. */
  @Test
  void markBecomesADropAtTheDropDelay() {
    TestFrame frame =
        TestFrame.from("203.0.113.1", "10.0.0.1").ecn(TestFrame.ECT0).packetValue(20_000);
    ThresholdContract.raise(dut, 50, 20_000, EmulatedSwitch.QUEUE_MICROS + 1);
    assertThat(send(frame.at(TRUNK)).out().get(0)).hasSize(1);
    dut.control().deleteAll();
    ThresholdContract.raise(dut, 51, 20_000, EmulatedSwitch.QUEUE_MICROS);
    assertThat(send(frame.at(TRUNK)).out().get(0)).isEmpty();
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
