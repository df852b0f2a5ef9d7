package net.sluice.emulator.netsim.host.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class RtoEstimatorTest {

  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000_000_000L;

  /** The RFC's own constants: 1 s first, 1 s least, a clock of a millisecond. */
  private static RtoEstimator byTheBook() {
    return new RtoEstimator(SECOND, MILLI, SECOND, 60 * SECOND);
  }

  @Test
  void startsWithOneSecondAndDoubles() {
    RtoEstimator rto = byTheBook();
    assertThat(rto.rtoNanos()).isEqualTo(SECOND);
    for (long expected : new long[] {2, 4, 8, 16, 32, 60, 60}) {
      rto.backOff();
      assertThat(rto.rtoNanos()).isEqualTo(expected * SECOND);
    }
    rto.sample(100 * MILLI, 1);
    assertThat(rto.rtoNanos()).isEqualTo(SECOND);
  }

  /** Worked by hand: 800 ms, then 1200 ms, then 400 ms. */
  @Test
  void followsTheEquations() {
    RtoEstimator rto = byTheBook();
    rto.sample(800 * MILLI, 1);
    assertThat(rto.srttNanos()).isEqualTo(800 * MILLI);
    assertThat(rto.rttvarNanos()).isEqualTo(400 * MILLI);
    assertThat(rto.rtoNanos()).isEqualTo(2_400 * MILLI);
    rto.sample(1_200 * MILLI, 1);
    // RTTVAR = 3/4 * 400 + 1/4 * 400; SRTT = 7/8 * 800 + 1/8 * 1200.
    assertThat(rto.rttvarNanos()).isEqualTo(400 * MILLI);
    assertThat(rto.srttNanos()).isEqualTo(850 * MILLI);
    assertThat(rto.rtoNanos()).isEqualTo(2_450 * MILLI);
    rto.sample(400 * MILLI, 1);
    assertThat(rto.rttvarNanos()).isEqualTo(412_500_000L);
    assertThat(rto.srttNanos()).isEqualTo(793_750_000L);
    assertThat(rto.rtoNanos()).isEqualTo(2_443_750_000L);
  }

  @Test
  void variationIsAtLeastTheGranularity() {
    RtoEstimator rto = new RtoEstimator(SECOND, 200 * MILLI, 200 * MILLI, 60 * SECOND);
    for (int i = 0; i < 100; i++) {
      rto.sample(300 * MILLI, 1);
    }
    assertThat(rto.rttvarNanos()).isLessThan(MILLI);
    assertThat(rto.rtoNanos()).isEqualTo(500 * MILLI);
  }

  @Test
  void aLostSynMeansAtLeastThreeSeconds() {
    RtoEstimator rto = byTheBook();
    rto.backOff();
    rto.afterSynLoss();
    assertThat(rto.rtoNanos()).isEqualTo(3 * SECOND);
    rto.backOff();
    rto.afterSynLoss();
    assertThat(rto.rtoNanos()).isEqualTo(6 * SECOND);
  }

  @Property(tries = 200, seed = "1")
  void agreesWithTheEquationsInPlainFloatingPoint(
      @ForAll @Size(min = 1, max = 60) List<@LongRange(min = 0, max = 5_000_000_000L) Long> samples,
      @ForAll @IntRange(min = 1, max = 50) int perRound) {
    RtoEstimator rto = new RtoEstimator(SECOND, MILLI, 200 * MILLI, 8 * SECOND);
    double srtt = -1;
    double rttvar = -1;
    for (long sample : samples) {
      double r = sample / 1e9;
      if (srtt < 0) {
        srtt = r;
        rttvar = r / 2;
      } else {
        double alpha = 0.125 / perRound;
        double beta = 0.25 / perRound;
        rttvar = (1 - beta) * rttvar + beta * Math.abs(srtt - r);
        srtt = (1 - alpha) * srtt + alpha * r;
      }
      rto.sample(sample, perRound);
      double expected = Math.min(8, Math.max(0.2, srtt + Math.max(0.001, 4 * rttvar)));
      assertThat(rto.rtoNanos() / 1e9).isCloseTo(expected, within(1e-8));
      assertThat(rto.srttNanos() / 1e9).isCloseTo(srtt, within(1e-8));
      assertThat(rto.rttvarNanos() / 1e9).isCloseTo(rttvar, within(1e-8));
    }
  }
}
