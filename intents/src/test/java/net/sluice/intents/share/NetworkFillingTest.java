package net.sluice.intents.share;

import static net.sluice.intents.model.policy.BuiltInFunction.GOLD;
import static net.sluice.intents.model.policy.BuiltInFunction.SILVER;
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
    assertThat(network.links().get(0).thresholdValue()).isEqualTo(link.thresholdValue());
    assertThat(network.links().get(0).carriedBps()).isCloseTo(1e9, within(1.0));
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
    assertThat(shares.links())
        .extracting(NetworkFilling.Filled::isFull)
        .containsExactly(false, false, true);
    assertThat(shares.links().get(0).carriedBps()).isEqualTo(900e6);
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
    assertThat(shares.links().get(0).thresholdValue())
        .isGreaterThan(shares.links().get(2).thresholdValue());
    assertThat(shares.links().get(1).thresholdValue()).isZero();
  }

  @Test
  void threeLinksInARow() {
    // The long group passes all three links, of 30, 60 and 90 Mbit/s, and meets one short group on
    // each. The first gives it half of 30; what it leaves of the others is the short groups'.
    NetworkShares shares = inARow(List.of(30e6, 60e6, 90e6));
    assertThat(shares.ratesBps().get(0)).isCloseTo(15e6, within(10.0));
    assertThat(shares.ratesBps().get(1)).isCloseTo(15e6, within(10.0));
    assertThat(shares.ratesBps().get(2)).isCloseTo(45e6, within(10.0));
    assertThat(shares.ratesBps().get(3)).isEqualTo(50e6);
    assertThat(shares.links().get(2).isFull()).isFalse();
    assertThat(shares.links().get(2).carriedBps()).isCloseTo(65e6, within(10.0));
  }

  @Test
  void whatALaterLinkDropsHasTakenItsPartOfTheEarlierOnes() {
    // The other way round the long group comes to each link with more than it leaves with.
    NetworkShares shares = inARow(List.of(90e6, 60e6, 30e6));
    assertThat(shares.ratesBps().get(0)).isCloseTo(15e6, within(10.0));
    assertThat(shares.ratesBps().get(3)).isCloseTo(15e6, within(10.0));
    assertThat(shares.ratesBps().get(2)).isCloseTo(30e6, within(10.0));
    assertThat(shares.ratesBps().get(1)).isCloseTo(45e6, within(10.0));
  }

  /** One long group, and a short one on each of three links; the last of them offers 50 Mbit/s. */
  private static NetworkShares inARow(List<Double> capacities) {
    return NetworkFilling.divide(
        List.of(
            new Group(1, 1e9, SILVER),
            new Group(1, 1e9, SILVER),
            new Group(1, 1e9, SILVER),
            new Group(1, 50e6, SILVER)),
        List.of(
            new Link(capacities.get(0), Set.of(0, 1)),
            new Link(capacities.get(1), Set.of(0, 2)),
            new Link(capacities.get(2), Set.of(0, 3))));
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
   * No link carries more than it can, a link that takes something away carries what it can, and a
   * share is what the policy allows at the highest value of the links it passes.
   */
  @Property(tries = 150, seed = "1")
  void aShareIsLimitedByItsBottleneck(@ForAll long seed) {
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
    for (int l = 0; l < links.size(); l++) {
      NetworkFilling.Filled filled = shares.links().get(l);
      double capacityBps = links.get(l).capacityBps();
      assertThat(filled.carriedBps()).isLessThanOrEqualTo(capacityBps * (1 + 1e-9));
      if (filled.isFull()) {
        assertThat(filled.carriedBps()).isCloseTo(capacityBps, withPercentage(1e-7));
      }
    }
    for (int g = 0; g < groups.size(); g++) {
      double value = 0;
      for (int l = 0; l < links.size(); l++) {
        if (links.get(l).groups().contains(g)) {
          value = Math.max(value, shares.links().get(l).thresholdValue());
        }
      }
      Group group = groups.get(g);
      double allowedBps =
          value == 0
              ? group.demandBps()
              : Math.min(group.demandBps(), group.function().rateAtBps(value));
      if (value < 1e9) {
        assertThat(shares.ratesBps().get(g)).isCloseTo(allowedBps, withPercentage(1e-4));
      } else {
        assertThat(shares.ratesBps().get(g)).isLessThanOrEqualTo(allowedBps);
      }
    }
  }
}
