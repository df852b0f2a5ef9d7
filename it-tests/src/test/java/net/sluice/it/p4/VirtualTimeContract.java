package net.sluice.it.p4;

import static net.sluice.it.p4.PipelineContract.prefix;
import static net.sluice.it.p4.PipelineContract.unshaped;
import static org.assertj.core.api.Assertions.assertThat;

import net.sluice.intents.plan.entry.queue.CongestionThresholdEntry;
import net.sluice.intents.plan.entry.queue.Gain;
import org.junit.jupiter.api.Test;

/** How the threshold moves with the delay that a queue has, which only virtual time can tell. */
interface VirtualTimeContract extends PipelineContract {
  /** Thresholds outlive entries, so each behaviour has a port that no other has used. */
  int FIRST_TIMED_PORT = 60;

  long MILLI = 1_000;
  int TARGET_MICROS = 5_000;

  @Override
  EmulatedSwitch dut();

  private void steer(int port, int targetMicros, long idleMicros) {
    installPorts();
    install(
        prefix("10.0.0.1/32", unshaped(1, 0, port)),
        new CongestionThresholdEntry(
            port, Gain.FAST, targetMicros, 20_000, 1_000, idleMicros, ThresholdContract.NEVER));
  }

  /** Sends a packet, one millisecond after the one before, and tells whether it got through. */
  private boolean passes(int value, int queueMicros) {
    PortFrame frame = TestFrame.from("203.0.113.1", "10.0.0.1").packetValue(value).at(TRUNK);
    return !dut().passAt(dut().nowMicros() + MILLI, queueMicros, frame).isEmpty();
  }

  @Test
  default void thresholdRisesUnderOverloadAndLetsGoWhenNothingWaits() {
    steer(FIRST_TIMED_PORT, TARGET_MICROS, 500_000);
    for (int i = 0; i < 200; i++) {
      assertThat(passes(0xffff, 0)).isTrue();
    }
    assertThat(passes(1, 0)).as("worth least, no queue").isTrue();
    for (int i = 0; i < 200; i++) {
      assertThat(passes(0xffff, 10 * TARGET_MICROS)).isTrue();
    }
    assertThat(passes(10_000, 10 * TARGET_MICROS)).as("worth little, long queue").isFalse();
    for (int i = 0; i < 1_500; i++) {
      assertThat(passes(0xffff, 0)).isTrue();
    }
    assertThat(passes(1, 0)).as("worth least, queue gone").isTrue();
  }

  @Test
  default void thresholdStaysWhereTheDelayIsAtItsTarget() {
    int port = FIRST_TIMED_PORT + 1;
    // What the clock of 1,024 ns makes of it is the target to the tick.
    int onTarget = 1_024 * TARGET_MICROS / 1_000;
    steer(port, TARGET_MICROS, 500_000);
    for (int i = 0; i < 100; i++) {
      passes(0xffff, 2 * onTarget);
    }
    assertThat(passes(200, onTarget)).isFalse();
    for (int i = 0; i < 1_000; i++) {
      passes(0xffff, onTarget);
    }
    assertThat(passes(200, onTarget)).isFalse();
    assertThat(passes(60_000, onTarget)).isTrue();
  }

  /** A threshold above all that is offered would otherwise keep the port shut for good. */
  @Test
  default void portThatNothingGetsThroughOpensAgain() {
    int port = FIRST_TIMED_PORT + 2;
    steer(port, TARGET_MICROS, 20 * MILLI);
    for (int i = 0; i < 1_000; i++) {
      passes(0xffff, 20 * TARGET_MICROS);
    }
    assertThat(passes(0xf000, 0)).as("worth much, threshold higher").isFalse();
    int shut = 0;
    while (!passes(0xf000, 0)) {
      assertThat(++shut).as("milliseconds shut").isLessThan(2_000);
    }
    int open = 0;
    for (int sent = 0; open < 100; sent++) {
      assertThat(sent).as("packets until 100 in a row got through").isLessThan(20_000);
      open = passes(0xf000, 0) ? open + 1 : 0;
    }
  }
}
