package net.sluice.intents.share;

import static net.sluice.intents.model.BuiltInFunction.GOLD;
import static net.sluice.intents.model.BuiltInFunction.SILVER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Percentage.withPercentage;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.sluice.intents.model.PointsFunction;
import net.sluice.intents.model.PointsFunction.Point;
import net.sluice.intents.share.NetworkFilling.Link;
import net.sluice.intents.share.NetworkFilling.NetworkShares;
import net.sluice.intents.share.WaterFilling.Group;
import org.junit.jupiter.api.Test;

class NetworkFillingTest {
  /** From here on a Gold subscriber has 21.8 / 6.4 of a Silver one's rate. */
  private static final double RATIO = 21.8 / 6.4;

  @Test
  void oneLinkIsDividedAsWaterFillingDividesIt() {
    List<Group> groups = List.of(new Group(20, 40e6, GOLD), new Group(80, 14.5e6, SILVER));
    NetworkShares network = NetworkFilling.divide(groups, List.of(new Link(1e9, Set.of(0, 1))));
    WaterFilling.Shares link = WaterFilling.divide(groups, 1e9);
    assertThat(network.ratesBps()).isEqualTo(link.ratesBps());
    assertThat(network.thresholdValues()).containsExactly(link.thresholdValue());
  }

  @Test
  void behindDifferentSwitchesASharedLinkIsSharedByPolicy() {
    // 10 s (RATIO + 1) = 1,000 Mbit/s at the shared link; neither trunk is full.
    NetworkShares shares =
        NetworkFilling.divide(
            List.of(new Group(10, 90e6, GOLD), new Group(10, 90e6, SILVER)),
            List.of(
                new Link(1e9, Set.of(0)), new Link(1e9, Set.of(1)), new Link(1e9, Set.of(0, 1))));
    double silver = 1e8 / (1 + RATIO);
    assertThat(shares.ratesBps().get(1)).isCloseTo(silver, within(10.0));
    assertThat(shares.ratesBps().get(0)).isCloseTo(RATIO * silver, within(10.0));
    assertThat(shares.thresholdValues().subList(0, 2)).containsExactly(0.0, 0.0);
    assertThat(shares.thresholdValues().get(2)).isPositive();
  }

  @Test
  void whatAnEarlierLinkTakesIsLeftToTheOthersAtALaterOne() {
    // Ten Silver subscribers a side; the first side's trunk leaves them 20 Mbit/s each, so of the
    // shared 1,000 Mbit/s the other side's have 80 each.
    NetworkShares shares =
        NetworkFilling.divide(
            List.of(new Group(10, 100e6, SILVER), new Group(10, 100e6, SILVER)),
            List.of(
                new Link(200e6, Set.of(0)), new Link(2e9, Set.of(1)), new Link(1e9, Set.of(0, 1))));
    assertThat(shares.ratesBps().get(0)).isCloseTo(20e6, within(10.0));
    assertThat(shares.ratesBps().get(1)).isCloseTo(80e6, within(10.0));
    assertThat(shares.thresholdValues().get(0)).isGreaterThan(shares.thresholdValues().get(2));
    assertThat(shares.thresholdValues().get(1)).isZero();
  }

  @Test
  void threeLinksInARowAreTheParkingLot() {
    // The long group passes all three links, of 30, 60 and 90 Mbit/s, and meets one short group on
    // each. The first gives it half of 30; what it leaves of the others is the short groups'.
    NetworkShares shares =
        NetworkFilling.divide(
            List.of(
                new Group(1, 1e9, SILVER),
                new Group(1, 1e9, SILVER),
                new Group(1, 1e9, SILVER),
                new Group(1, 50e6, SILVER)),
            List.of(
                new Link(30e6, Set.of(0, 1)),
                new Link(60e6, Set.of(0, 2)),
                new Link(90e6, Set.of(0, 3))));
    assertThat(shares.ratesBps().get(0)).isCloseTo(15e6, within(10.0));
    assertThat(shares.ratesBps().get(1)).isCloseTo(15e6, within(10.0));
    assertThat(shares.ratesBps().get(2)).isCloseTo(45e6, within(10.0));
    assertThat(shares.ratesBps().get(3)).isEqualTo(50e6);
    assertThat(shares.thresholdValues().get(2)).isZero();
  }

  @Test
  void ofLinksAtTheSameEndOfTheScaleTheOneThatTakesMoreComesFirst() {
    // All up to 1,000 bit/s is worth the same. The second link keeps a quarter, the first half.
    PointsFunction f = new PointsFunction(List.of(new Point(1000, 1e9), new Point(2000, 1e8)));
    NetworkShares shares =
        NetworkFilling.divide(
            List.of(new Group(1, 5000, f), new Group(1, 5000, f), new Group(1, 5000, f)),
            List.of(new Link(1000, Set.of(0, 1)), new Link(500, Set.of(1, 2))));
    assertThat(shares.ratesBps().get(0)).isCloseTo(750, within(1e-9));
    assertThat(shares.ratesBps().get(1)).isCloseTo(250, within(1e-9));
    assertThat(shares.ratesBps().get(2)).isCloseTo(250, within(1e-9));
  }

  @Test
  void withoutALinkThereIsNoLimit() {
    assertThat(NetworkFilling.divide(List.of(new Group(1, 7e6, GOLD)), List.of()).ratesBps())
        .containsExactly(7e6);
  }

  @Test
  void aLinkNamesGroupsThatAreThere() {
    assertThatThrownBy(
            () ->
                NetworkFilling.divide(
                    List.of(new Group(1, 1, GOLD)), List.of(new Link(1, Set.of(1)))))
        .hasMessage("groups is 1; allowed: 0 to 0");
    assertThatThrownBy(() -> new Link(-1, Set.of()))
        .hasMessage("capacityBps is -1.0; allowed: 0 or more");
  }

  /**
   * No link carries more than it can, and whoever gets less than it offers passes a full link on
   * which nobody gets more than the policies allow at the value it got.
   */
  @Property(tries = 150, seed = "1")
  void nobodyCouldGetMoreWithoutTakingItFromSomebodyWhoseRateIsWorthMore(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Group> groups = new ArrayList<>();
    for (int i = 1 + random.nextInt(8); i > 0; i--) {
      groups.add(
          new Group(
              1 + random.nextInt(20),
              1e5 * Math.pow(10, 3 * random.nextDouble()),
              random.nextBoolean() ? GOLD : SILVER));
    }
    List<Link> links = new ArrayList<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      Set<Integer> on = new HashSet<>();
      for (int group = 0; group < groups.size(); group++) {
        if (random.nextBoolean()) {
          on.add(group);
        }
      }
      links.add(new Link(1e6 * Math.pow(10, 3 * random.nextDouble()), on));
    }
    NetworkShares shares = NetworkFilling.divide(groups, links);
    for (Link link : links) {
      assertThat(load(link, groups, shares))
          .isLessThanOrEqualTo(link.capacityBps() * (1 + 1e-9));
    }
    for (int g = 0; g < groups.size(); g++) {
      double rate = shares.ratesBps().get(g);
      if (rate < groups.get(g).demandBps()) {
        assertThat(isLimited(g, groups, links, shares)).as("group %d of %s", g, groups).isTrue();
      } else {
        assertThat(rate).isEqualTo(groups.get(g).demandBps());
      }
    }
  }

  private static boolean isLimited(
      int limited, List<Group> groups, List<Link> links, NetworkShares shares) {
    double value =
        groups.get(limited).function().valueAt(shares.ratesBps().get(limited)) * (1 - 1e-6);
    return links.stream()
        .filter(link -> link.groups().contains(limited))
        .filter(link -> load(link, groups, shares) >= link.capacityBps() * (1 - 1e-9))
        .anyMatch(
            link ->
                link.groups().stream()
                    .allMatch(
                        g -> groups.get(g).function().valueAt(shares.ratesBps().get(g)) >= value));
  }

  private static double load(Link link, List<Group> groups, NetworkShares shares) {
    return link.groups().stream()
        .mapToDouble(g -> groups.get(g).count() * shares.ratesBps().get(g))
        .sum();
  }

  @Test
  void goldKeepsItsRatioToSilverOnEveryLink() {
    NetworkShares shares =
        NetworkFilling.divide(
            List.of(
                new Group(2, 1e9, GOLD), new Group(2, 1e9, SILVER), new Group(1, 1e9, SILVER)),
            List.of(new Link(300e6, Set.of(0, 1)), new Link(100e6, Set.of(0, 2))));
    // At the second link 2 RATIO s + s = 100 Mbit/s; the first's Silver ones get what is left.
    double silver = 100e6 / (2 * RATIO + 1);
    assertThat(shares.ratesBps().get(2)).isCloseTo(silver, withPercentage(1e-4));
    assertThat(shares.ratesBps().get(0)).isCloseTo(RATIO * silver, withPercentage(1e-4));
    assertThat(shares.ratesBps().get(1))
        .isCloseTo((300e6 - 2 * RATIO * silver) / 2, withPercentage(1e-4));
  }
}
