package net.sluice.intents.verdict;

import static net.sluice.intents.model.policy.BuiltInFunction.GOLD;
import static net.sluice.intents.model.policy.BuiltInFunction.SILVER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.sluice.intents.model.policy.ThroughputValueFunction;
import net.sluice.intents.share.Division;
import net.sluice.intents.share.Division.Bound;
import net.sluice.intents.share.SharedLimit;
import net.sluice.intents.share.SharedLimit.Sharing;
import net.sluice.intents.share.Sharers;
import net.sluice.intents.verdict.SwitchStanding.Finding;
import org.junit.jupiter.api.Test;

class SwitchStandingTest {
  private static final double NO_LIMIT = Double.POSITIVE_INFINITY;
  private static final List<ThroughputValueFunction> FUNCTIONS = List.of(GOLD, SILVER);
  private static final LimitVerdict.Place PLACE = new LimitVerdict.Place("", 1);

  private static Tally tally(SharedLimit tree, SharedLimit port, double lineBps) {
    return new Tally(
        FUNCTIONS,
        new SharedLimit[] {tree},
        new SharedLimit[] {port},
        List.of(new Tally.Line(PLACE, lineBps, Double.NaN)));
  }

  private static Stand stand(double ownBps) {
    return new Stand(ownBps, 0, 0, 0, 1, false);
  }

  private static TrafficLoad lost(double offeredBps, double gotBps) {
    return new TrafficLoad(offeredBps, gotBps, 0, 0, 0, 0, Double.NaN);
  }

  private static TrafficLoad policed(double offeredBps, double gotBps) {
    return new TrafficLoad(offeredBps, gotBps, offeredBps - gotBps, 0, 0, 0, Double.NaN);
  }

  @Test
  void whoSlowsDownIsHeldBackThoughItGetsNearlyAllThatItOffers() {
    Tally tally = tally(null, null, 100e6);
    TrafficLoad download = policed(5.02e6, 4.98e6);
    tally.add(download, stand(5e6));
    Finding finding = tally.close().of(download, stand(5e6));
    assertThat(finding.verdict()).isEqualTo(new LimitVerdict.OwnLimit(5e6));
    assertThat(finding.entitledBps()).isEqualTo(5e6);
  }

  @Test
  void aWaitAloneShowsThatALimitHoldsBack() {
    Tally tally = tally(null, null, 100e6);
    TrafficLoad marked = new TrafficLoad(5e6, 5e6, 0, 0, 0, 0, 18);
    tally.add(marked, stand(5e6));
    assertThat(tally.close().of(marked, stand(5e6)).verdict())
        .isEqualTo(new LimitVerdict.OwnLimit(5e6));
  }

  @Test
  void aBurstThatIsCutIsNoLimitOfWhoHasMuchMoreLeft() {
    Tally tally = tally(null, null, 100e6);
    TrafficLoad bursty = policed(1.02e6, 1e6);
    tally.add(bursty, stand(50e6));
    Finding finding = tally.close().of(bursty, stand(50e6));
    assertThat(finding.verdict()).isEqualTo(new LimitVerdict.Nothing());
    assertThat(finding.entitledBps()).isEqualTo(50e6);
  }

  @Test
  void whoHasLessThanItsShareOfACongestedPortIsNotHeldBack() {
    Tally tally = tally(null, null, 20e6);
    TrafficLoad calm = lost(2e6, 1.998e6);
    TrafficLoad flood = lost(40e6, 17.5e6);
    tally.add(calm, stand(NO_LIMIT));
    tally.add(flood, stand(NO_LIMIT));
    SwitchStanding standing = tally.close();
    assertThat(standing.of(calm, stand(NO_LIMIT)).verdict()).isEqualTo(new LimitVerdict.Nothing());
    Finding found = standing.of(flood, stand(NO_LIMIT));
    assertThat(found.verdict()).isInstanceOf(LimitVerdict.Congestion.class);
    assertThat(found.entitledBps()).isCloseTo(17.5e6, withPercentage(0.1));
    assertThat(standing.line(0).subscribers()).isEqualTo(2);
    assertThat(standing.thresholdValue(0)).isCloseTo(1e12 / 17.5e6, withPercentage(0.1));
  }

  @Test
  void whatAPortHasLeftAnybodyMayHave() {
    Tally tally = tally(null, null, 100e6);
    TrafficLoad calm = TrafficLoad.passing(2e6);
    tally.add(calm, stand(NO_LIMIT));
    Finding finding = tally.close().of(calm, stand(NO_LIMIT));
    assertThat(finding.verdict()).isEqualTo(new LimitVerdict.Nothing());
    assertThat(finding.entitledBps()).isCloseTo(97.5e6, withPercentage(0.1));
  }

  /** Subscribers of which each gets what a division says, with drops where they would be. */
  @Property(tries = 300, seed = "1")
  void tellsWhatHeldBackEachThatIsFarFromAnyOtherBound(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    SharedLimit tree = random.nextBoolean() ? limit(random, 20e6, false) : null;
    SharedLimit port = random.nextInt(3) == 0 ? limit(random, 60e6, false) : null;
    // One that slows down for a line leaves what it has of a limit before it to others.
    double capacityBps =
        tree == null && port == null ? 1e7 * Math.pow(10, random.nextDouble()) : 1e9;
    // A limit that drops whatever comes also drops of those beside one who slows down.
    boolean isShared = tree != null || port != null;
    Sharers members = new Sharers();
    List<Stand> stands = new ArrayList<>();
    int size = 3 + random.nextInt(20);
    for (int i = 0; i < size; i++) {
      double ownBps = random.nextBoolean() ? 2e5 * Math.pow(10, 2 * random.nextDouble()) : NO_LIMIT;
      Stand stand =
          new Stand(
              ownBps, random.nextInt(3) == 0 ? 0 : Sharers.NONE, 0, 0, random.nextInt(2), false);
      stands.add(stand);
      members.add(
          !isShared && random.nextInt(4) == 0
              ? Sharers.ELASTIC
              : 2e5 * Math.pow(10, 2 * random.nextDouble()),
          ownBps,
          stand.tree(),
          0,
          0,
          stand.function());
    }
    Division truth =
        Division.of(
            members,
            FUNCTIONS,
            new SharedLimit[] {tree},
            new SharedLimit[] {port},
            new double[] {capacityBps});
    Tally tally = tally(tree, port, capacityBps / Tally.FRAMES);
    List<TrafficLoad> loads = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      loads.add(load(members, truth, i));
      tally.add(loads.get(i), stands.get(i));
    }
    SwitchStanding standing = tally.close();
    for (int i = 0; i < size; i++) {
      Finding finding = standing.of(loads.get(i), stands.get(i));
      if (isClear(truth, members, capacityBps, i)) {
        assertThat(finding.verdict().cause().text())
            .describedAs("seed %d, %d of %d", seed, i, size)
            .isEqualTo(text(truth.bound(i)));
        // What a tree or port leaves depends on who of the others slows down, which is guessed.
        if (truth.bound(i) == Bound.OWN || truth.bound(i) == Bound.LINK) {
          assertThat(finding.entitledBps()).isCloseTo(truth.rateBps(i), withPercentage(6));
        }
      }
    }
  }

  private static SharedLimit limit(SplittableRandom random, double mostBps, boolean equal) {
    return new SharedLimit(
        mostBps * (0.1 + 0.9 * random.nextDouble()), equal ? Sharing.EQUAL : Sharing.AS_OFFERED);
  }

  /** Nothing else would leave it about as much. */
  private static boolean isClear(Division truth, Sharers members, double capacityBps, int i) {
    double rateBps = truth.rateBps(i);
    double carriedBps = 0;
    for (int k = 0; k < members.size(); k++) {
      carriedBps += truth.rateBps(k);
    }
    // Full to the brim by chance looks like full because senders slow down.
    boolean isBrimful = truth.thresholdValue(0) == 0 && carriedBps > 0.9 * capacityBps;
    boolean isCutTwice =
        members.tree(i) != Sharers.NONE && truth.treePart(0) < 1 && truth.portPart(0) < 1;
    if (rateBps < 1 || isCutTwice || isBrimful) {
      return false;
    }
    boolean isCut =
        truth.bound(i) == Bound.TREE && truth.treePart(0) < 1
            || truth.bound(i) == Bound.PORT && truth.portPart(0) < 1;
    int near = isCut ? 1 : 0;
    for (double other :
        new double[] {
          members.demandBps(i),
          members.ownBps(i),
          members.tree(i) == Sharers.NONE ? NO_LIMIT : truth.treeLevelBps(0),
          truth.portLevelBps(0),
          truth.linkLevelBps(0, members.function(i))
        }) {
      near += other > 0.85 * rateBps && other < 1.18 * rateBps ? 1 : 0;
    }
    return near <= 1;
  }

  private static TrafficLoad load(Sharers members, Division truth, int i) {
    double gotBps = truth.rateBps(i);
    if (members.demandBps(i) == Sharers.ELASTIC) {
      double offeredBps = gotBps * 1.004;
      return truth.bound(i) == Bound.LINK ? lost(offeredBps, gotBps) : policed(offeredBps, gotBps);
    }
    double offeredBps = members.demandBps(i);
    // What one of the limits takes is counted there, and what the port takes as lost.
    double atLimitsBps =
        truth.bound(i) == Bound.LINK
            ? Math.max(0, offeredBps - members.ownBps(i))
            : offeredBps - gotBps;
    return new TrafficLoad(offeredBps, gotBps, atLimitsBps, 0, 0, 0, Double.NaN);
  }

  private static String text(Bound bound) {
    return switch (bound) {
      case NONE -> "nothing";
      case OWN -> "own-limit";
      case TREE -> "tree";
      case PORT -> "port";
      case LINK -> "congestion";
    };
  }
}
