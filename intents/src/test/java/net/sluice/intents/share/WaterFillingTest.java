package net.sluice.intents.share;

import static net.sluice.intents.model.policy.BuiltInFunction.GOLD;
import static net.sluice.intents.model.policy.BuiltInFunction.SILVER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Percentage.withPercentage;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.sluice.intents.model.policy.PointsFunction;
import net.sluice.intents.model.policy.PointsFunction.Point;
import net.sluice.intents.model.policy.ThroughputValueFunction;
import net.sluice.intents.share.WaterFilling.Group;
import net.sluice.intents.share.WaterFilling.Shares;
import org.junit.jupiter.api.Test;

class WaterFillingTest {

  // The rates of paper 000, V.A add up to what they leave of a 100 Gbit/s link after headers.
  private static final double GOODPUT_BPS = 2000 * 21.8e6 + 8000 * 6.4e6;

  @Test
  void reproducesTenThousandSubscribers() {
    Shares greedy =
        WaterFilling.divide(
            List.of(new Group(2000, 50e6, GOLD), new Group(8000, 12.5e6, SILVER)), GOODPUT_BPS);
    assertThat(greedy.ratesBps().get(0)).isCloseTo(21.8e6, withPercentage(1e-6));
    assertThat(greedy.ratesBps().get(1)).isCloseTo(6.4e6, withPercentage(1e-6));
    assertThat(greedy.thresholdValue()).isCloseTo(156_250, withPercentage(1e-6));
  }

  @Test
  void reproducesHundredNinetyFiveThousandSubscribers() {
    // Paper 000, V.C: each offers 1/195,000 of 100 Gbit/s.
    double offeredBps = 100e9 / 195_000;
    Shares shares =
        WaterFilling.divide(
            List.of(new Group(39_000, offeredBps, GOLD), new Group(156_000, offeredBps, SILVER)),
            39_000 * 488e3 + 156_000 * 400e3);
    assertThat(shares.ratesBps().get(0)).isCloseTo(488e3, withPercentage(1e-6));
    assertThat(shares.ratesBps().get(1)).isCloseTo(400e3, withPercentage(1e-6));
  }

  @Test
  void modestSubscriberLosesNothingAndGreedyOneGetsTheClassShare() {
    // Paper 000, V.A: 15 Mbit/s offered passes whole; of 50 Mbit/s about 58 % are lost.
    Shares shares =
        WaterFilling.divide(
            List.of(
                new Group(2000, 100e6, GOLD),
                new Group(8000, 100e6, SILVER),
                new Group(1, 15e6, GOLD),
                new Group(1, 50e6, GOLD)),
            GOODPUT_BPS);
    assertThat(shares.ratesBps().get(2)).isEqualTo(15e6);
    assertThat(shares.ratesBps().get(3)).isEqualTo(shares.ratesBps().get(0));
    assertThat(1 - shares.ratesBps().get(3) / 50e6).isCloseTo(0.58, within(0.02));
  }

  @Test
  void everythingFitsWhenOfferedLess() {
    Shares shares =
        WaterFilling.divide(List.of(new Group(2, 5, GOLD), new Group(1, 7, SILVER)), 17);
    assertThat(shares).isEqualTo(new Shares(0, List.of(5.0, 7.0)));
  }

  @Test
  void nothingPassesALinkWithoutCapacity() {
    assertThat(WaterFilling.divide(List.of(new Group(3, 5e6, GOLD)), 0).ratesBps())
        .containsExactly(0.0);
  }

  @Test
  void tiesAtTheTopOfTheScaleAreCutInProportion() {
    PointsFunction f = new PointsFunction(List.of(new Point(1000, 1e9), new Point(2000, 1e8)));
    Shares shares = WaterFilling.divide(List.of(new Group(1, 600, f), new Group(1, 5000, f)), 800);
    assertThat(shares.thresholdValue()).isEqualTo(1e9);
    assertThat(shares.ratesBps().get(0)).isCloseTo(300, within(1e-9));
    assertThat(shares.ratesBps().get(1)).isCloseTo(500, within(1e-9));
  }

  @Test
  void tiesAtTheBottomOfTheScaleAreCutInProportion() {
    PointsFunction f = new PointsFunction(List.of(new Point(1000, 10), new Point(2000, 1)));
    Shares shares =
        WaterFilling.divide(List.of(new Group(1, 3000, f), new Group(1, 5000, f)), 6000);
    assertThat(shares.thresholdValue()).isEqualTo(1);
    assertThat(shares.ratesBps().get(0)).isCloseTo(2500, within(1e-9));
    assertThat(shares.ratesBps().get(1)).isCloseTo(3500, within(1e-9));
  }

  @Test
  void badNumbersAreNamed() {
    assertThatThrownBy(() -> WaterFilling.divide(List.of(), -1))
        .hasMessage("capacityBps is -1.0; allowed: 0 or more");
    assertThatThrownBy(() -> new Group(-1, 1, GOLD)).hasMessage("count is -1; allowed: 0 or more");
    assertThatThrownBy(() -> new Group(1, Double.NaN, GOLD))
        .hasMessage("demandBps is NaN; allowed: 0 or more, finite");
  }

  @Property(tries = 300, seed = "1")
  void linkIsFullAndEverybodyIsCutAtTheSameValue(
      @ForAll long seed, @ForAll @DoubleRange(min = 0.01, max = 0.99) double load) {
    List<Group> groups = randomGroups(seed);
    double demandBps = groups.stream().mapToDouble(g -> g.count() * g.demandBps()).sum();
    double capacityBps = load * demandBps;
    Shares shares = WaterFilling.divide(groups, capacityBps);
    double total = 0;
    for (int i = 0; i < groups.size(); i++) {
      Group group = groups.get(i);
      double rate = shares.ratesBps().get(i);
      total += group.count() * rate;
      assertThat(rate).isBetween(0.0, group.demandBps());
      double value = group.function().valueAt(rate);
      if (rate < group.demandBps() && shares.thresholdValue() < 1e9) {
        assertThat(value).isCloseTo(shares.thresholdValue(), withPercentage(1e-6));
      } else if (rate == group.demandBps()) {
        assertThat(value).isGreaterThanOrEqualTo(shares.thresholdValue() * (1 - 1e-9));
      }
    }
    assertThat(total).isCloseTo(capacityBps, withPercentage(1e-9));
  }

  @Property(tries = 25, seed = "1")
  void agreesWithServingTheMostValuableSlicesFirst(
      @ForAll long seed, @ForAll @DoubleRange(min = 0.05, max = 0.95) double load) {
    List<Group> groups = randomGroups(seed);
    double demandBps = groups.stream().mapToDouble(g -> g.count() * g.demandBps()).sum();
    double capacityBps = load * demandBps;
    // At any value the slices' total is within half a slice of each demand of the curves' total, so
    // serving that much less and more brackets every rate, up to a slice of its own.
    double offBps = demandBps / SLICES / 2;
    List<Double> least = serveSlices(groups, Math.max(0, capacityBps - offBps));
    List<Double> most = serveSlices(groups, capacityBps + offBps);
    List<Double> actual = WaterFilling.divide(groups, capacityBps).ratesBps();
    for (int i = 0; i < groups.size(); i++) {
      double sliceBps = groups.get(i).demandBps() / SLICES;
      assertThat(actual.get(i)).isBetween(least.get(i) - sliceBps, most.get(i) + sliceBps);
    }
  }

  private static final int SLICES = 2000;

  private record Slice(int group, double value, double bps) {}

  /** Cuts each demand into thin slices of rate and serves them by falling value. */
  private static List<Double> serveSlices(List<Group> groups, double capacityBps) {
    List<Slice> all = new ArrayList<>();
    for (int i = 0; i < groups.size(); i++) {
      Group group = groups.get(i);
      for (int k = 0; k < SLICES; k++) {
        double middle = group.demandBps() * (k + 0.5) / SLICES;
        all.add(new Slice(i, group.function().valueAt(middle), group.demandBps() / SLICES));
      }
    }
    all.sort((a, b) -> Double.compare(b.value(), a.value()));
    double[] rates = new double[groups.size()];
    double left = capacityBps;
    for (int i = 0; i < all.size(); ) {
      int end = i;
      double tied = 0;
      while (end < all.size() && all.get(end).value() == all.get(i).value()) {
        tied += groups.get(all.get(end).group()).count() * all.get(end).bps();
        end++;
      }
      double part = Math.min(1, left / tied);
      for (; i < end; i++) {
        rates[all.get(i).group()] += part * all.get(i).bps();
      }
      left = Math.max(0, left - tied);
    }
    List<Double> result = new ArrayList<>();
    for (double rate : rates) {
      result.add(rate);
    }
    return result;
  }

  private static List<Group> randomGroups(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Group> groups = new ArrayList<>();
    int count = random.nextInt(1, 6);
    for (int i = 0; i < count; i++) {
      ThroughputValueFunction function = random.nextInt(3) == 0 ? GOLD : SILVER;
      if (random.nextInt(3) == 0) {
        long from = random.nextLong(1, 1_000_000);
        double value = random.nextDouble(10, 1e9);
        function =
            new PointsFunction(
                List.of(
                    new Point(from, value),
                    new Point(
                        from * random.nextLong(2, 1000), 1 + random.nextDouble() * value / 20)));
      }
      double demandBps = Math.pow(10, random.nextDouble(3, 10));
      groups.add(new Group(random.nextLong(1, 1000), demandBps, function));
    }
    return groups;
  }
}
