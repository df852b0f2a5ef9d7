package net.sluice.intents.share;

import static net.sluice.intents.model.policy.BuiltInFunction.GOLD;
import static net.sluice.intents.model.policy.BuiltInFunction.SILVER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.sluice.intents.model.policy.PointsFunction;
import net.sluice.intents.model.policy.PointsFunction.Point;
import net.sluice.intents.model.policy.ThroughputValueFunction;
import net.sluice.intents.share.Division.Bound;
import net.sluice.intents.share.SharedLimit.Sharing;
import org.junit.jupiter.api.Test;

class DivisionTest {
  private static final double NO_LIMIT = Double.POSITIVE_INFINITY;
  private static final List<ThroughputValueFunction> FUNCTIONS =
      List.of(
          GOLD,
          SILVER,
          new PointsFunction(List.of(new Point(100_000, 5e7), new Point(90_000_000, 20))));

  private final Sharers members = new Sharers();

  @Test
  void theTightestPlaceBindsAndNoOther() {
    int calm = members.add(1e6, 5e6, 0, 0, 0, 1);
    int capped = members.add(9e6, 2e6, 0, 0, 0, 1);
    int inTree = members.add(9e6, NO_LIMIT, 0, 0, 0, 1);
    int behind = members.add(30e6, NO_LIMIT, 1, 0, 0, 1);
    Division division =
        Division.of(
            members,
            FUNCTIONS,
            new SharedLimit[] {new SharedLimit(6e6, Sharing.EQUAL), null},
            new SharedLimit[] {null},
            new double[] {20e6});
    assertThat(List.of(calm, capped, inTree, behind))
        .extracting(division::bound)
        .containsExactly(Bound.NONE, Bound.OWN, Bound.TREE, Bound.LINK);
    assertThat(division.rateBps(inTree)).isCloseTo(3e6, within(1.0));
    assertThat(division.rateBps(behind)).isCloseTo(14e6, within(1.0));
    assertThat(division.linkLevelBps(0, 1)).isCloseTo(14e6, within(1.0));
    assertThat(division.treeLevelBps(0)).isCloseTo(3e6, within(1.0));
    assertThat(division.treeLevelBps(1)).isInfinite();
  }

  @Test
  void whoSlowsDownHasWhatThoseLeaveWhoDoNot() {
    int firm = members.add(6e6, NO_LIMIT, 0, Sharers.NONE, Sharers.NONE, 1);
    int one = members.add(Sharers.ELASTIC, NO_LIMIT, 0, Sharers.NONE, Sharers.NONE, 1);
    int other = members.add(Sharers.ELASTIC, 1e6, 0, Sharers.NONE, Sharers.NONE, 1);
    Division division = ofTree(new SharedLimit(10e6, Sharing.AS_OFFERED));
    assertThat(division.rateBps(firm)).isEqualTo(6e6);
    assertThat(division.rateBps(one)).isCloseTo(3e6, within(1.0));
    assertThat(division.bound(one)).isEqualTo(Bound.TREE);
    assertThat(division.rateBps(other)).isEqualTo(1e6);
    assertThat(division.bound(other)).isEqualTo(Bound.OWN);
  }

  @Test
  void aFloodLeavesNothingToThoseWhoSlowDownWhereItIsDividedAsOffered() {
    int firm = members.add(30e6, NO_LIMIT, 0, Sharers.NONE, Sharers.NONE, 1);
    int elastic = members.add(Sharers.ELASTIC, NO_LIMIT, 0, Sharers.NONE, Sharers.NONE, 1);
    Division division = ofTree(new SharedLimit(10e6, Sharing.AS_OFFERED));
    assertThat(division.rateBps(firm)).isCloseTo(10e6, within(1.0));
    assertThat(division.treePart(0)).isCloseTo(1.0 / 3, within(1e-9));
    assertThat(division.rateBps(elastic)).isZero();
  }

  private Division ofTree(SharedLimit limit) {
    return Division.of(
        members, FUNCTIONS, new SharedLimit[] {limit}, new SharedLimit[0], new double[0]);
  }

  @Test
  void badNumbersAreNamed() {
    assertThatThrownBy(() -> new SharedLimit(-1, Sharing.EQUAL))
        .hasMessage("rateBps is -1.0; allowed: 0 or more");
    assertThatThrownBy(
            () ->
                Division.of(
                    members, FUNCTIONS, new SharedLimit[0], new SharedLimit[0], new double[] {-1}))
        .hasMessage("capacityBps is -1.0; allowed: 0 or more");
  }

  /** The same place by place, each level looked for by halving, for each subscriber anew. */
  @Property(tries = 200, seed = "1")
  void agreesWithASearchForEachLevel(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Sharers all = new Sharers();
    int size = 1 + random.nextInt(30);
    for (int i = 0; i < size; i++) {
      int tree = random.nextInt(6);
      all.add(
          random.nextInt(5) == 0 ? Sharers.ELASTIC : rate(random),
          random.nextBoolean() ? rate(random) : NO_LIMIT,
          tree,
          tree / 3,
          random.nextInt(2),
          random.nextInt(FUNCTIONS.size()));
    }
    SharedLimit[] trees = limits(random, 6);
    SharedLimit[] ports = limits(random, 2);
    double[] capacities = {4 * rate(random), 4 * rate(random)};
    Division division = Division.of(all, FUNCTIONS, trees, ports, capacities);
    double[] expected = searched(all, trees, ports, capacities);
    for (int i = 0; i < size; i++) {
      assertThat(division.rateBps(i)).isCloseTo(expected[i], within(1e-5 * (1 + expected[i])));
    }
  }

  private static double rate(SplittableRandom random) {
    return 1e5 * Math.pow(10, 2.5 * random.nextDouble());
  }

  private static SharedLimit[] limits(SplittableRandom random, int count) {
    SharedLimit[] limits = new SharedLimit[count];
    for (int n = 0; n < count; n++) {
      if (random.nextInt(3) > 0) {
        limits[n] =
            new SharedLimit(
                2 * rate(random), random.nextBoolean() ? Sharing.EQUAL : Sharing.AS_OFFERED);
      }
    }
    return limits;
  }

  private static double[] searched(
      Sharers all, SharedLimit[] trees, SharedLimit[] ports, double[] capacities) {
    double[] rates = new double[all.size()];
    for (int i = 0; i < rates.length; i++) {
      rates[i] = Math.min(all.demandBps(i), all.ownBps(i));
    }
    for (int n = 0; n < trees.length; n++) {
      int node = n;
      share(all, rates, trees[n], of(all, i -> all.tree(i) == node));
    }
    for (int n = 0; n < ports.length; n++) {
      int node = n;
      share(all, rates, ports[n], of(all, i -> all.port(i) == node));
    }
    for (int l = 0; l < capacities.length; l++) {
      int link = l;
      List<Integer> of = of(all, i -> all.link(i) == link);
      if (sum(of, i -> rates[(int) i]) > capacities[l]) {
        // Between the two ends no curve of these is flat.
        double low = Math.log(1);
        double high = Math.log(1e9);
        for (int k = 0; k < 200; k++) {
          double value = Math.exp((low + high) / 2);
          double total =
              sum(
                  of,
                  i ->
                      Math.min(
                          rates[(int) i], FUNCTIONS.get(all.function((int) i)).rateAtBps(value)));
          if (total > capacities[l]) {
            low = (low + high) / 2;
          } else {
            high = (low + high) / 2;
          }
        }
        for (int i : of) {
          double at = FUNCTIONS.get(all.function(i)).rateAtBps(Math.exp(high));
          rates[i] = Math.min(rates[i], at);
        }
      }
    }
    return rates;
  }

  private interface Matches {
    boolean matches(int member);
  }

  private static List<Integer> of(Sharers all, Matches matches) {
    List<Integer> of = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      if (matches.matches(i)) {
        of.add(i);
      }
    }
    return of;
  }

  private static double sum(List<Integer> of, DoubleUnaryOperator value) {
    return of.stream().mapToDouble(i -> value.applyAsDouble(i)).sum();
  }

  private static void share(Sharers all, double[] rates, SharedLimit limit, List<Integer> of) {
    if (limit == null || sum(of, i -> rates[(int) i]) <= limit.rateBps()) {
      return;
    }
    List<Integer> alike = of;
    double leftBps = limit.rateBps();
    if (limit.sharing() == Sharing.AS_OFFERED) {
      List<Integer> firm = of.stream().filter(i -> all.demandBps(i) != Sharers.ELASTIC).toList();
      double firmBps = sum(firm, i -> rates[(int) i]);
      if (firmBps > leftBps) {
        double part = leftBps / firmBps;
        firm.forEach(i -> rates[i] *= part);
      }
      leftBps = Math.max(0, leftBps - firmBps);
      alike = of.stream().filter(i -> all.demandBps(i) == Sharers.ELASTIC).toList();
    }
    double low = 0;
    double high = limit.rateBps();
    for (int k = 0; k < 200; k++) {
      double level = (low + high) / 2;
      if (sum(alike, i -> Math.min(rates[(int) i], level)) > leftBps) {
        high = level;
      } else {
        low = level;
      }
    }
    for (int i : alike) {
      rates[i] = Math.min(rates[i], high);
    }
  }
}
