package net.sluice.intents.marker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Percentage.withPercentage;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.sluice.intents.plan.SwitchEntry.RateBinEntry;
import org.junit.jupiter.api.Test;

class MarkerTablesTest {
  private static final double UNIT_BPS = 42.306;

  @Test
  void exactBasePutsFifteenMegabitInBin241() {
    assertThat(RateBins.BASE).isCloseTo(1.01131765, within(1e-8));
    RateBins bins = new RateBins(100e9, UNIT_BPS, 32);
    assertThat(bins.binOfBps(15e6)).isEqualTo(241);
    assertThat(bins.binOfBps(0)).isZero();
    assertThat(bins.binOfBps(999_999)).isZero();
    assertThat(bins.binOfBps(1_000_000)).isEqualTo(1);
    assertThat(bins.binOfBps(99.9e9)).isEqualTo(1023);
    assertThat(bins.binOfBps(500e9)).isEqualTo(1023);
    assertThat(bins.upperBps(1023)).isCloseTo(100e9, withPercentage(1e-9));
  }

  @Test
  void paperRoundsTheBaseAndGets242ButEndsBelowItsHighestRate() {
    assertThat(RateBins.binOf(15, 1.0113)).isEqualTo(242);
    assertThat(Math.pow(1.0113, 241)).isCloseTo(14.999, within(0.001));
    assertThat(Math.pow(1.0113, 242)).isCloseTo(15.169, within(0.001));
    assertThat(Math.pow(1.0113, 1023)).isCloseTo(98_230, within(10.0));
    assertThat(RateBins.binOf(15, RateBins.BASE)).isEqualTo(241);
  }

  @Property(tries = 200, seed = "1")
  void everyKeyIsInExactlyOneBin(
      @ForAll @DoubleRange(min = 1e3, max = 181e9) double maxRateBps,
      @ForAll @LongRange(max = (1L << 32) - 1) long key) {
    RateBins bins = new RateBins(maxRateBps, UNIT_BPS, 32);
    List<RateBinEntry> entries = bins.entries().toList();
    long next = 0;
    int lastBin = -1;
    int covering = -1;
    for (RateBinEntry entry : entries) {
      assertThat(entry.low()).isEqualTo(next);
      assertThat(entry.high()).isGreaterThanOrEqualTo(entry.low());
      assertThat(entry.bin()).isGreaterThan(lastBin);
      if (key >= entry.low() && key <= entry.high()) {
        covering = entry.bin();
      }
      next = entry.high() + 1;
      lastBin = entry.bin();
    }
    assertThat(next).isEqualTo(1L << 32);
    assertThat(covering).isEqualTo(bins.binOfBps(key * UNIT_BPS));
  }

  @Test
  void binsNarrowerThanAUnitHaveNoKeysAndNoEntry() {
    RateBins bins = new RateBins(1e6, UNIT_BPS, 32);
    long empty = java.util.stream.IntStream.range(0, RateBins.BINS).filter(bins::isEmpty).count();
    assertThat(empty).isPositive();
    assertThat(bins.entries()).hasSize((int) (RateBins.BINS - empty));
    assertThat(new RateBins(1e9, UNIT_BPS, 32).entries()).hasSize(RateBins.BINS);
  }

  @Test
  void highestRateMustBeMeasurable() {
    assertThatThrownBy(() -> new RateBins(1e6, 100, 8))
        .hasMessage("maxRateBps is 1000000.0; allowed: more than 0, at most 25500.0");
  }

  @Test
  void valueCodesSpanSixteenBits() {
    assertThat(ValueCode.encode(1)).isZero();
    assertThat(ValueCode.encode(1e9)).isEqualTo(65_535);
    assertThat(ValueCode.encode(0.5)).isZero();
    assertThat(ValueCode.encode(1e12)).isEqualTo(65_535);
    assertThat(ValueCode.encode(Math.sqrt(1e9))).isEqualTo(32_768);
  }

  @Property(seed = "1")
  void valueCodeIsWithinHalfAStep(@ForAll @DoubleRange(min = 1, max = 1e9) double value) {
    double halfStep = Math.pow(10, 9.0 / 65_535 / 2) + 1e-12;
    assertThat(ValueCode.decode(ValueCode.encode(value)) / value).isBetween(1 / halfStep, halfStep);
  }

  @Property(seed = "1")
  void valueCodeReadsBack(@ForAll @IntRange(max = 65_535) int code) {
    assertThat(ValueCode.encode(ValueCode.decode(code))).isEqualTo(code);
  }
}
