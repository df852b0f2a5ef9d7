package net.sluice.intents.marker.csaqm.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Percentage.withPercentage;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.sluice.intents.plan.entry.marker.RateBinEntry;
import org.junit.jupiter.api.Test;

class MarkerTablesTest {
  private static final double UNIT_BPS = 42.306;
  private static final double TNA_UNIT_BPS = 84.612;

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

  /** What a ternary table can say: a value and a mask of leading ones. */
  @Property(tries = 100, seed = "1")
  void inBlocksEveryKeyIsInTheBinOfEdgesThatAreOffByOneInAThousand(
      @ForAll @DoubleRange(min = 1e3, max = 100e9) double maxRateBps,
      @ForAll @IntRange(min = 8, max = 12) int edgeBits) {
    List<RateBinEntry> exact = new RateBins(maxRateBps, TNA_UNIT_BPS, 32).entries().toList();
    long next = 0;
    Map<Integer, Long> firstKeys = new HashMap<>();
    for (RateBinEntry block : blocks(maxRateBps, edgeBits)) {
      long keys = block.high() - block.low() + 1;
      assertThat(block.low()).isEqualTo(next);
      assertThat(Long.bitCount(keys)).isOne();
      assertThat(block.low() % keys).isZero();
      firstKeys.putIfAbsent(block.bin(), block.low());
      next = block.high() + 1;
    }
    assertThat(next).isEqualTo(1L << 32);
    assertThat(firstKeys.keySet())
        .containsExactlyInAnyOrderElementsOf(exact.stream().map(RateBinEntry::bin).toList());
    for (RateBinEntry bin : exact) {
      double off = Math.abs((double) firstKeys.get(bin.bin()) - bin.low());
      assertThat(off).isLessThanOrEqualTo(bin.low() / (double) (1 << edgeBits));
    }
  }

  @Test
  void tenLeadingBitsTakeFewerThanFourThousandBlocks() {
    assertThat(blocks(100e9, 10)).hasSize(3_225);
    for (double maxRateBps = 1e3; maxRateBps <= 363e9; maxRateBps *= 1.07) {
      assertThat(blocks(maxRateBps, 10)).hasSizeLessThanOrEqualTo(4_096);
    }
    assertThat(blocks(100e9, 12)).hasSizeGreaterThan(4_096);
  }

  @Test
  void edgesOfTooFewBitsAreRefused() {
    assertThatThrownBy(() -> blocks(100e9, 7)).hasMessage("edgeBits is 7; allowed: 8 to 62");
  }

  private static List<RateBinEntry> blocks(double maxRateBps, int edgeBits) {
    return new RateBins(maxRateBps, TNA_UNIT_BPS, 32, OptionalInt.of(edgeBits)).entries().toList();
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
