package net.sluice.lab.experiment.fpga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import net.sluice.emulator.netsim.Simulation;
import org.junit.jupiter.api.Test;

class CodelReferenceTest {
  private static final int SECONDS = 2;
  private static final int BYTES = 1_000;
  private static final long SPACING_NANOS = 500_000;

  /** 1,000 bytes a millisecond. */
  private static final double BPS = 8e6;

  private final Simulation simulation = new Simulation(1);
  private long left;

  private CodelRun.Result run(long spacingNanos) {
    CodelRun.Delays delays = new CodelRun(SECONDS, 1).new Delays();
    CodelReference queue =
        new CodelReference(simulation, BPS, delays, (bytes, offset, length, tag, now) -> left++);
    for (long nanos = 0; nanos < SECONDS * 1_000_000_000L; nanos += spacingNanos) {
      simulation.schedule(
          nanos, (now, argument) -> queue.receive(new byte[BYTES], 0, BYTES, 0, now), 0);
    }
    simulation.runUntil(SECONDS * 1_000_000_000L);
    return delays.result(0);
  }

  @Test
  void aQueueBelowItsRateDropsNothing() {
    CodelRun.Result result = run(2_000_000);
    assertThat(result.dropsPerSecond()).isZero();
    assertThat(result.belowTarget()).isEqualTo(1);
    assertThat(left).isEqualTo(SECONDS * 500);
  }

  /**
   * Twice its rate: the first drop comes an interval after the delay has passed the target, the
   * n-th one interval / sqrt(n) after that before it. By 2 s, 1.89 s later, that is the sum of 1 /
   * sqrt(n) up to 18.9, which it reaches at n = 104; by 0.4 s, 2.9, at n = 4.
   */
  @Test
  void dropsComeCloserTogetherAsTheControlLawHasIt() {
    CodelRun.Result result = run(SPACING_NANOS);
    assertThat(result.dropsPerSecond() * SECONDS * 0.8).isCloseTo(100, within(3.0));
    assertThat(result.bps()).isCloseTo(BPS, within(0.01 * BPS));
  }
}
