package net.sluice.intents.marker.csaqm.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.sluice.intents.plan.entry.marker.RandomRateEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a sender gets under a threshold, as an expectation: counted over all 65,536 random numbers,
 * by a model of the marker that has only the entries from the product. Rates are multiples of the
 * upper end of bin 0; a rate's value falls with the rate.
 */
class RandomRatesTest {
  private static final int NUMBERS = 65_536;
  private static final double BASE = Math.pow(100_000, 1.0 / 1_023);

  /** What bins have the value of: their upper ends. */
  private static final double[] VALUED =
      IntStream.range(0, 1_024).mapToDouble(bin -> Math.pow(BASE, bin)).toArray();

  /** Of the random numbers, how many take how many bins off. */
  private static final Map<RandomRates, int[]> DRAWS = new EnumMap<>(RandomRates.class);

  static {
    for (RandomRates rates : RandomRates.values()) {
      int[] draws = new int[1_024];
      rates.entries().forEach(entry -> draws[entry.offset()] += entry.high() - entry.low() + 1);
      DRAWS.put(rates, draws);
    }
  }

  /** Places within a bin that expectations are averaged over. */
  private static final int PLACES = 100;

  private static int binOf(double rate) {
    return rate < 1 ? 0 : Math.min(1_023, 1 + (int) Math.floor(Math.log(rate) / Math.log(BASE)));
  }

  /** Part of the packets of a sender of {@code rate} that are worth at least {@code share}. */
  private static double accepted(int[] draws, double rate, double share) {
    int bin = binOf(rate);
    long accepted = 0;
    for (int offset = 0; offset < draws.length; offset++) {
      if (VALUED[Math.max(0, bin - offset)] <= share) {
        accepted += draws[offset];
      }
    }
    return (double) accepted / NUMBERS;
  }

  /** What {@code times} the share gets of it, on average over where in its bin the share lies. */
  private static double gotOfShare(int[] draws, double times) {
    return IntStream.range(0, PLACES)
        .mapToDouble(
            place -> {
              double share = Math.pow(BASE, 400 + (place + 0.5) / PLACES);
              return times * accepted(draws, times * share, share);
            })
        .average()
        .orElseThrow();
  }

  @ParameterizedTest
  @EnumSource(RandomRates.class)
  void everyNumberIsInExactlyOneEntryAndTakesOffNoFewerThanAHigherOne(RandomRates rates) {
    List<RandomRateEntry> entries = rates.entries().toList();
    int next = 0;
    int last = 1_024;
    for (RandomRateEntry entry : entries) {
      assertThat(entry.low()).isEqualTo(next);
      assertThat(entry.offset()).isBetween(0, last - 1);
      for (int random : new int[] {entry.low(), (entry.low() + entry.high()) / 2, entry.high()}) {
        assertThat(rates.offset(random)).isEqualTo(entry.offset());
      }
      next = entry.high() + 1;
      last = entry.offset();
    }
    assertThat(next).isEqualTo(NUMBERS);
  }

  @Test
  void tableHasRoomForTheEntries() {
    assertThat(RandomRates.BITS_16.entries()).hasSize(676);
    assertThat(RandomRates.PAPER_8_BITS.entries()).hasSize(184);
    assertThat(RandomRates.BITS_16_FORGIVING.entries()).hasSize(668);
  }

  @Test
  void thePapersNumbersTakeOffTheirRoundedLogarithm() {
    for (int random = 0; random < 256; random++) {
      int expected =
          random == 0 ? 1_023 : (int) Math.round(-Math.log(random / 255.0) / Math.log(BASE));
      assertThat(RandomRates.PAPER_8_BITS.offset(random << 8)).isEqualTo(expected);
      assertThat(RandomRates.PAPER_8_BITS.offset(random << 8 | 255)).isEqualTo(expected);
    }
    assertThat(RandomRates.PAPER_8_BITS.offset(1 << 8)).isEqualTo(492);
    assertThat(RandomRates.PAPER_8_BITS.offset(128 << 8)).isEqualTo(61);
    assertThat(RandomRates.PAPER_8_BITS.offset(65_535)).isZero();
  }

  @Test
  void sixteenBitsTakeOffSoManyWithTheProbabilityOfTheirRate() {
    int[] draws = DRAWS.get(RandomRates.BITS_16);
    for (int offset = 1; offset < 1_024; offset++) {
      int atLeast = Arrays.stream(draws, offset, 1_024).sum();
      assertThat(atLeast).isEqualTo((int) Math.round(NUMBERS * Math.pow(BASE, 1 - offset)));
    }
    assertThat(draws[0]).isZero();
  }

  /** For a share anywhere, averaged over the place of the sender's rate in its bin. */
  @Property(tries = 300, seed = "1")
  void whoeverSendsMoreThanItsShareGetsIt(
      @ForAll @DoubleRange(min = 1.1, max = 99) double share,
      @ForAll @DoubleRange(min = 1, max = 1_000) double times) {
    int[] draws = DRAWS.get(RandomRates.BITS_16);
    int bin = binOf(share * times);
    double got =
        IntStream.range(0, PLACES)
            .mapToDouble(
                place -> {
                  double rate = Math.pow(BASE, bin - 1 + (place + 0.5) / PLACES);
                  return rate * accepted(draws, rate, share);
                })
            .average()
            .orElseThrow();
    // The share is up to half a bin from the bin's middle, and a probability half a draw off.
    double halfBin = Math.sqrt(BASE) * 1.0001;
    double halfDraw = 0.5 / NUMBERS * times * BASE;
    assertThat(got / share).isBetween((1 - halfDraw) / halfBin, (1 + halfDraw) * halfBin);
  }

  @Property(tries = 300, seed = "2")
  void averagedOverSharesTooNobodyIsFavoured(
      @ForAll @DoubleRange(min = 1, max = 1_000) double times) {
    double halfDraw = 0.5 / NUMBERS * times * BASE;
    assertThat(gotOfShare(DRAWS.get(RandomRates.BITS_16), times))
        .isCloseTo(1, within(halfDraw + 2e-4));
  }

  @Property(tries = 300, seed = "3")
  void nobodyBelowItsShareLosesAnything(
      @ForAll @DoubleRange(min = 1.1, max = 90_000) double share,
      @ForAll @DoubleRange(min = 0.01, max = 1) double part) {
    assertThat(accepted(DRAWS.get(RandomRates.BITS_16), part * share, share)).isEqualTo(1);
  }

  /** What the further bits are for; the greatest of these is the requirement's. */
  @ParameterizedTest
  @ValueSource(ints = {18, 59, 69, 177, 200})
  void floodGetsItsShareBySixteenBitsAndMoreByEight(int times) {
    assertThat(gotOfShare(DRAWS.get(RandomRates.BITS_16), times)).isCloseTo(1, within(0.001));
    assertThat(gotOfShare(DRAWS.get(RandomRates.PAPER_8_BITS), times)).isGreaterThan(1.05);
  }

  @Property(tries = 300, seed = "4")
  void forgivingLetsNinePercentPassAndNoMoreOfAnythingElse(
      @ForAll @DoubleRange(min = 1.1, max = 99) double share,
      @ForAll @DoubleRange(min = 0.01, max = 1_000) double times) {
    int[] forgiving = DRAWS.get(RandomRates.BITS_16_FORGIVING);
    int[] plain = DRAWS.get(RandomRates.BITS_16);
    // From one bin to the next more, as a share may be anywhere in its bin.
    if (times <= Math.pow(BASE, 8)) {
      assertThat(accepted(forgiving, times * share, share)).isEqualTo(1);
    } else if (times > Math.pow(BASE, 10)) {
      assertThat(accepted(forgiving, times * share, share))
          .isEqualTo(accepted(plain, times * share, share));
    }
  }

  @Test
  void onlyTheseBitsThereAre() {
    assertThat(RandomRates.ofBits(8)).isEqualTo(RandomRates.PAPER_8_BITS);
    assertThat(RandomRates.ofBits(16)).isEqualTo(RandomRates.BITS_16);
    assertThatThrownBy(() -> RandomRates.ofBits(12))
        .hasMessage("randomBits is 12; allowed: 8 or 16");
  }
}
