package net.sluice.intents.model.policy;

import static net.sluice.intents.model.policy.BuiltInFunction.GOLD;
import static net.sluice.intents.model.policy.BuiltInFunction.SILVER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Percentage.withPercentage;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.sluice.intents.model.policy.PointsFunction.Point;
import org.junit.jupiter.api.Test;

class ThroughputValueFunctionTest {

  @Test
  void goldAndSilverMeetThePapersShares() {
    assertThat(GOLD.valueAt(21_800_000))
        .isCloseTo(SILVER.valueAt(6_400_000), withPercentage(1e-10));
    assertThat(GOLD.valueAt(488_000)).isCloseTo(SILVER.valueAt(400_000), withPercentage(1e-10));
    assertThat(GOLD.valueAt(234_000)).isCloseTo(SILVER.valueAt(234_000), withPercentage(1e-10));
    assertThat(GOLD.valueAt(20_000)).isCloseTo(SILVER.valueAt(20_000), withPercentage(1e-10));
    assertThat(GOLD.valueAt(218e6)).isCloseTo(SILVER.valueAt(64e6), withPercentage(1e-10));
  }

  @Test
  void goldLineMeetsSilverWhereTheDerivationSays() {
    // Extend the line through (400k, 488k) and (6.4M, 21.8M) down to equal rates.
    double slope = Math.log(21.8e6 / 488e3) / Math.log(6.4e6 / 400e3);
    double meeting = Math.exp(Math.log(400e3) - Math.log(488.0 / 400) / (slope - 1));
    assertThat(meeting).isCloseTo(234_000, within(500.0));
  }

  @Test
  void silverIsTenToTheTwelfthOverTheRate() {
    assertThat(SILVER.valueAt(1e6)).isCloseTo(1e6, withPercentage(1e-9));
    assertThat(SILVER.valueAt(100e9)).isEqualTo(10);
    assertThat(SILVER.valueAt(1)).isEqualTo(1e9);
    assertThat(SILVER.valueAt(1e13)).isEqualTo(1);
    assertThat(SILVER.rateAtBps(1e9)).isCloseTo(1000, withPercentage(1e-9));
  }

  @Property(seed = "1")
  void classesConvergeAtLowRatesAndPartAtHighOnes(
      @ForAll @DoubleRange(min = 2, max = 1e9) double value,
      @ForAll @DoubleRange(min = 1, max = 10) double factor) {
    double ratio = GOLD.rateAtBps(value) / SILVER.rateAtBps(value);
    double ratioAtLowerValue = GOLD.rateAtBps(value / factor) / SILVER.rateAtBps(value / factor);
    assertThat(ratio).isBetween(1 - 1e-9, 21.8 / 6.4 + 1e-9);
    assertThat(ratioAtLowerValue).isGreaterThanOrEqualTo(ratio - 1e-9);
  }

  @Property(seed = "1")
  void rateAtIsTheInverse(@ForAll @DoubleRange(min = 1100, max = 2.5e11) double rateBps) {
    for (BuiltInFunction function : BuiltInFunction.values()) {
      assertThat(function.rateAtBps(function.valueAt(rateBps)))
          .isCloseTo(rateBps, withPercentage(1e-7));
    }
  }

  @Test
  void pointsAreHitExactlyAndJoinedByPowerLaws() {
    PointsFunction f =
        new PointsFunction(
            List.of(new Point(1000, 1e6), new Point(100_000, 1e4), new Point(1_000_000, 1e3)));
    assertThat(f.valueAt(1000)).isEqualTo(1e6);
    assertThat(f.valueAt(100_000)).isEqualTo(1e4);
    assertThat(f.valueAt(1_000_000)).isEqualTo(1e3);
    assertThat(f.valueAt(10_000)).isCloseTo(1e5, withPercentage(1e-9));
    assertThat(f.valueAt(100)).isCloseTo(1e7, withPercentage(1e-9));
    assertThat(f.valueAt(1e7)).isCloseTo(100, withPercentage(1e-9));
    assertThat(f.rateAtBps(1e5)).isCloseTo(10_000, withPercentage(1e-9));
    assertThat(f.rateAtBps(1e4)).isEqualTo(100_000);
  }

  @Test
  void valuesAreClamped() {
    PointsFunction f = new PointsFunction(List.of(new Point(10, 1e9), new Point(100, 1)));
    assertThat(f.valueAt(1)).isEqualTo(1e9);
    assertThat(f.valueAt(1e6)).isEqualTo(1);
  }

  @Test
  void pointsMustRiseInRateAndFallInValue() {
    assertThatThrownBy(() -> new PointsFunction(List.of(new Point(1, 2))))
        .hasMessage("throughputValue.points is 1 points; allowed: 2 to 1024 points");
    assertThatThrownBy(() -> new PointsFunction(List.of(new Point(5, 9), new Point(5, 8))))
        .hasMessage(
            "throughputValue.points[1].rateBps is 5; allowed: more than the rate before it, 5");
    assertThatThrownBy(() -> new PointsFunction(List.of(new Point(5, 9), new Point(6, 9))))
        .hasMessage(
            "throughputValue.points[1].value is 9.0; allowed: less than the value before it, 9.0");
    assertThatThrownBy(() -> new Point(1, Double.NaN))
        .hasMessage("value is NaN; allowed: 1 to 1000000000");
    assertThatThrownBy(() -> new Point(0, 1))
        .hasMessage("rateBps is 0; allowed: 1 to 10000000000000");
  }
}
