package net.sluice.intents.marker.csaqm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Percentage.withPercentage;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.marker.csaqm.tables.RateBins;
import net.sluice.intents.marker.csaqm.tables.ValueCode;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.model.policy.ThroughputValueFunction;
import net.sluice.intents.model.policy.WeightFunction;
import net.sluice.intents.share.WaterFilling;
import net.sluice.intents.share.WaterFilling.Group;
import org.junit.jupiter.api.Test;

/** Functions declared by a share: as curves, and as the marker's tables realise them. */
class WeightFunctionTest {
  private static final RateBins BINS = new RateBins(10e9, 42, 32);

  /** One bin of the rate where the threshold cuts, and the half that random numbers add. */
  private static final double RESOLUTION = Math.pow(RateBins.BASE, 1.5) - 1;

  private static WeightFunction weight(double weight) {
    return new WeightFunction(OptionalLong.empty(), weight);
  }

  private static WeightFunction guaranteed(long bps, double weight) {
    return new WeightFunction(OptionalLong.of(bps), weight);
  }

  @Test
  void weightOneIsSilverBelowGuarantees() {
    for (double rate = 10_000; rate < 1e12; rate *= 1.7) {
      assertThat(weight(1).valueAt(rate))
          .isCloseTo(BuiltInFunction.SILVER.valueAt(rate), withPercentage(1e-6));
    }
    assertThat(ValueCode.encode(weight(1).valueAt(5))).isEqualTo(ValueCode.encode(1e8));
  }

  /** The proportion is that of the curves: what the marker makes of it is tested below. */
  @Property(tries = 200, seed = "1")
  void curvesShareAnyLineByWeight(
      @ForAll @DoubleRange(min = 0.1, max = 100) double weight,
      @ForAll @DoubleRange(min = 1e7, max = 1e11) double capacityBps) {
    List<Double> rates = divide(capacityBps, 1e12, List.of(weight(1), weight(2.5), weight(weight)));
    assertThat(rates.get(1) / rates.get(0)).isCloseTo(2.5, withPercentage(1e-3));
    assertThat(rates.get(2) / rates.get(0)).isCloseTo(weight, withPercentage(1e-3));
  }

  @Property(tries = 200, seed = "1")
  void aGuaranteeComesFirstAndTheRestIsSharedByWeight(
      @ForAll @LongRange(min = 100_000, max = 50_000_000) long guaranteedBps,
      @ForAll @DoubleRange(min = 2e6, max = 1e9) double restBps) {
    List<Double> rates =
        divide(guaranteedBps + restBps, 1e12, List.of(weight(3), guaranteed(guaranteedBps, 2)));
    double excess = rates.get(1) - guaranteedBps;
    assertThat(rates.get(0)).isCloseTo(0.6 * restBps, withPercentage(1));
    assertThat(excess).isCloseTo(0.4 * restBps, withPercentage(1));
  }

  @Test
  void guaranteesThatDoNotFitAreCutInTheSameProportion() {
    List<Double> rates =
        divide(
            12e6, 1e9, List.of(guaranteed(5_000_000, 2), guaranteed(15_000_000, 1), weight(1000)));
    assertThat(rates.get(0)).isCloseTo(3e6, withPercentage(0.1));
    assertThat(rates.get(1)).isCloseTo(9e6, withPercentage(0.1));
    assertThat(rates.get(2)).isZero();
  }

  private static List<Double> divide(
      double capacityBps, double offeredBps, List<? extends ThroughputValueFunction> functions) {
    return WaterFilling.divide(
            functions.stream().map(each -> new Group(1, offeredBps, each)).toList(), capacityBps)
        .ratesBps();
  }

  /**
   * Each gets more than the least rate that is resolved. A port that accepts what is worth a code
   * or more passes these rates of senders.
   */
  @Property(tries = 60, seed = "1")
  void throughTheMarkersTablesThreeWeightsShareAnyCapacity(
      @ForAll @DoubleRange(min = 10e6, max = 2e9) double capacityBps,
      @ForAll @DoubleRange(min = 1, max = 4) double more,
      @ForAll @DoubleRange(min = 0.2, max = 5) double third) {
    List<WeightFunction> functions = List.of(weight(1), weight(3), weight(third));
    double shareBps = capacityBps / (4 + third);
    List<double[]> accepted = new ArrayList<>();
    for (WeightFunction each : functions) {
      accepted.add(acceptedByCode(each, shareBps * each.weight() * (1 + more)));
    }
    int code =
        IntStream.rangeClosed(0, ValueCode.MAX)
            .filter(at -> accepted.stream().mapToDouble(rates -> rates[at]).sum() <= capacityBps)
            .findFirst()
            .orElseThrow();
    double unit = accepted.get(0)[code];
    assertThat(unit).isCloseTo(shareBps, withPercentage(100 * 2 * RESOLUTION));
    for (int i = 1; i < functions.size(); i++) {
      assertThat(accepted.get(i)[code] / unit)
          .isCloseTo(functions.get(i).weight(), withPercentage(100 * 2 * RESOLUTION));
    }
  }

  /** The rate of a sender that passes, by the code that a port demands. */
  private static double[] acceptedByCode(ThroughputValueFunction function, double offeredBps) {
    int[] codes =
        IntStream.range(0, RateBins.BINS)
            .map(bin -> ValueCode.encode(function.valueAt(BINS.upperBps(bin))))
            .toArray();
    double[] byCode = new double[ValueCode.MAX + 1];
    int offered = BINS.binOfBps(offeredBps);
    RandomRates.BITS_16
        .entries()
        .forEach(
            entry ->
                byCode[codes[Math.max(0, offered - entry.offset())]] +=
                    (entry.high() - entry.low() + 1.0) / RandomRates.NUMBERS * offeredBps);
    for (int code = ValueCode.MAX - 1; code >= 0; code--) {
      byCode[code] += byCode[code + 1];
    }
    return byCode;
  }

  @Test
  void everyCurveFallsAndItsPointsAreThoseOfTheFormula() {
    for (double weight : new double[] {0.1, 1, 7.25, 1000}) {
      for (long bps : new long[] {0, 1, 9, 10, 11, 5_000_000, 1_000_000_000_000L}) {
        WeightFunction of = bps == 0 ? weight(weight) : guaranteed(bps, weight);
        assertThat(of.drawn()).hasSizeBetween(2, 140);
        for (double share = 1e6; share * Math.max(1, weight) < 1e12; share *= 3) {
          double rate = bps + weight * share;
          assertThat(of.rateAtBps(1e12 / share)).isCloseTo(rate, withPercentage(0.1));
        }
      }
    }
  }

  @Test
  void whatNoCurveHasIsRefused() {
    assertThatThrownBy(() -> weight(0.09))
        .hasMessage("throughputValue.weight is 0.09; allowed: 0.1 to 1000");
    assertThatThrownBy(() -> weight(Double.NaN)).hasMessageContaining("0.1 to 1000");
    assertThatThrownBy(() -> guaranteed(0, 1))
        .hasMessage("throughputValue.guaranteedBps is 0; allowed: 1 to 1000000000000");
  }
}
