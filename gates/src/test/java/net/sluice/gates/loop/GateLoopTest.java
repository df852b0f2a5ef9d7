package net.sluice.gates.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The loops against Algorithm 1 and equations 2 to 6 of paper 004, in microseconds and reals. */
class GateLoopTest {
  private static final LoopSettings PAPER = LoopSettings.PAPER;
  private static final double BYTES_A_PERIOD = 100e9 * 5e-6 / 8;

  @Test
  void algorithm1DividesTheSpanByWhatEachPipeHasFree() {
    SplittableRandom random = new SplittableRandom(1);
    for (int run = 0; run < 1_000; run++) {
      double[] used = random.doubles(4).toArray();
      long span = 20_000 + random.nextLong(200_000_000);
      long[] widths = Redistribution.widths(span, used);
      double total = 0;
      for (int j = 0; j < 4; j++) {
        total += 1 - used[j];
      }
      double cumulative = 0;
      long ours = 0;
      for (int i = 0; i < 4; i++) {
        cumulative += span * (1 - used[i]) / total;
        ours += widths[i];
        assertThat((double) ours).isCloseTo(cumulative, within(2.0));
      }
    }
  }

  @Test
  void pipesWithoutAnythingFreeGetTheSame() {
    assertThat(Redistribution.widths(20_000, new double[] {1, 1, 1, 1}))
        .containsExactly(5_000, 5_000, 5_000, 5_000);
  }

  @Test
  void onePipeOffTheMeanIsEnoughForADivision() {
    assertThat(Redistribution.needed(new double[] {0.5, 0.5, 0.5, 0.5}, 0.01)).isFalse();
    // Mean 0.53: 0.12 off is 0.0144.
    assertThat(Redistribution.needed(new double[] {0.49, 0.49, 0.49, 0.65}, 0.01)).isTrue();
    // Mean 0.52: 0.09 off is 0.0081.
    assertThat(Redistribution.needed(new double[] {0.49, 0.49, 0.49, 0.61}, 0.01)).isFalse();
  }

  @Test
  void theFrontWindowFollowsEquations2To6() {
    SplittableRandom random = new SplittableRandom(2);
    int moved = 0;
    for (int run = 0; run < 10_000; run++) {
      double rho = random.nextDouble();
      long now = 1_000_000 + random.nextLong(1_000_000);
      OptionalLong least =
          random.nextInt(10) == 0
              ? OptionalLong.empty()
              : OptionalLong.of(now - 200_000 + random.nextLong(400_000));
      Windows windows = new Windows(now - 5_000, 5_000 + random.nextLong(95_000), 5_000, 5_000);
      long[] bytes = {Math.round(rho * BYTES_A_PERIOD), 0, 0, 0};
      Readings readings = new Readings(now, bytes, least, 100_000);

      // Equation 2, in microseconds.
      double used = Math.min(0.999, bytes[0] / BYTES_A_PERIOD);
      double w0 = 1.0 * used / (1 - used);
      // Equations 3 and 4.
      double td = least.isEmpty() ? 0 : now / 1e3 + 5 - least.getAsLong() / 1e3;
      double d = td > 0 ? td : 0;
      // Equations 5 and 6.
      double beta = w0 - d;
      double t0 = windows.frontNanos() / 1e3;
      double next = Math.abs(beta) > 40 ? t0 + -0.025 * beta : t0;
      double bounded = Math.max(5, Math.min(100, next));

      Windows result = new GateLoop(PAPER, false, true).next(windows, readings);
      assertThat(result.frontNanos() / 1e3).isCloseTo(bounded, within(0.001));
      assertThat(result.beginNanos()).isEqualTo(now);
      moved += result.frontNanos() == windows.frontNanos() ? 0 : 1;
    }
    assertThat(moved).isBetween(2_000, 8_000);
  }

  @Test
  void evenLoadsMoveNoWindowButSlideThem() {
    Windows first = GateLoop.of(PAPER).first(100_000);
    Windows next = GateLoop.of(PAPER).next(first, loads(105_000, 0.3, 0.3, 0.3, 0.3));
    assertThat(next).isEqualTo(Windows.equal(105_000, 5_000));
    assertThat(next.endNanos(0)).isEqualTo(110_000);
    assertThat(next.endNanos(2)).isEqualTo(120_000);
  }

  @Test
  void aLoadedPipeGetsLessTime() {
    Windows first = GateLoop.of(PAPER).first(100_000);
    Readings readings = loads(105_000, 0.0, 0.75, 0.25, 1.0);
    // 1 + 0.25 + 0.75 + 0 are free; T is 20 us. The front window is that of equation 6.
    assertThat(GateLoop.of(PAPER).next(first, readings))
        .isEqualTo(new Windows(105_000, 5_000, 2_500, 7_500));
    assertThat(new GateLoop(PAPER, true, false).next(first, readings))
        .isEqualTo(new Windows(105_000, 10_000, 2_500, 7_500));
    assertThat(new GateLoop(PAPER, false, true).next(first, readings))
        .isEqualTo(Windows.equal(105_000, 5_000));
  }

  @Test
  void aSlowHostsStepCountsAsLongAsItTook() {
    Windows first = GateLoop.of(PAPER).first(0);
    // In 500 us the same bytes are a hundredth of the use, so nothing calls for a division.
    Windows next = GateLoop.of(PAPER).next(first, loads(500_000, 0.0, 0.75, 0.25, 1.0));
    assertThat(next).isEqualTo(new Windows(500_000, 500_000, 5_000, 5_000));
  }

  @Test
  void aTimeBelongsToThePipeThatItsWindowEndsAfter() {
    Windows windows = new Windows(1_000, 10, 20, 30);
    assertThat(windows.pipe(-5)).isZero();
    assertThat(windows.pipe(1_009)).isZero();
    assertThat(windows.pipe(1_010)).isEqualTo(1);
    assertThat(windows.pipe(1_030)).isEqualTo(2);
    assertThat(windows.pipe(1_059)).isEqualTo(2);
    assertThat(windows.pipe(1_060)).isEqualTo(3);
    assertThatThrownBy(() -> windows.endNanos(3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("pipe is 3; allowed: 0..2");
  }

  @Test
  void aSettingOutsideItsRangeIsRefused() {
    assertThatThrownBy(() -> PAPER.with(0.1, 40_000))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("step is 0.1; allowed: between -1 and 0");
  }

  private static Readings loads(long nowNanos, double... used) {
    long[] bytes = new long[4];
    for (int i = 0; i < 4; i++) {
      bytes[i] = Math.round(used[i] * BYTES_A_PERIOD);
    }
    return new Readings(nowNanos, bytes, OptionalLong.empty(), 0);
  }
}
