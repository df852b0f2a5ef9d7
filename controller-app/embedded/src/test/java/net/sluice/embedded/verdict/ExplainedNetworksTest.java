package net.sluice.embedded.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.LongStream;
import net.sluice.cli.Logging;
import net.sluice.embedded.verdict.RandomNetwork.Home;
import net.sluice.intents.share.Division;
import net.sluice.intents.verdict.TrafficLoad;
import net.sluice.northbound.explain.Explanation;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What limits each subscriber of a random small network, as it is explained from what the emulated
 * switch counted, against what follows from what all of them want.
 */
class ExplainedNetworksTest {
  private static final long IN_SUITE = 4;
  private static final long ALL = 50;
  private static final double NEAR = 0.1;

  /** Parts that a full port drops of one that stays below its share. */
  private static final double LEAST_LOST = 0.01;

  private static final double SURELY_LOST = 0.03;
  private static final String UNKNOWN = "unknown";

  @TempDir private Path store;

  @BeforeAll
  static void quietLogs() {
    Logging.configure();
  }

  static LongStream some() {
    return LongStream.rangeClosed(1, IN_SUITE);
  }

  static LongStream others() {
    return LongStream.rangeClosed(IN_SUITE + 1, ALL);
  }

  @ParameterizedTest
  @MethodSource("some")
  void eachSubscriberIsToldWhatLimitsIt(long seed) throws Exception {
    check(seed);
  }

  @ParameterizedTest
  @MethodSource("others")
  @Tag("long")
  void eachSubscriberOfMoreNetworksIsToldWhatLimitsIt(long seed) throws Exception {
    check(seed);
  }

  private void check(long seed) throws Exception {
    RandomNetwork network = RandomNetwork.of(seed);
    Division division = network.division();
    Map<String, Explanation> explained = ExplainedRun.of(network, store);
    List<String> wrong = new ArrayList<>();
    StringBuilder all = new StringBuilder();
    for (Home home : network.homes()) {
      Explanation.Side side = explained.get(home.id()).sides().get(network.direction());
      String expected = expected(network, division, home, side.load().orElse(TrafficLoad.NONE));
      String told = side.verdict().orElseThrow().cause().text();
      String line = line(home, side, expected, told, division.rateBps(home.number()));
      all.append(line).append('\n');
      if (!expected.equals(UNKNOWN) && !expected.equals(told)) {
        wrong.add(line);
      }
      if (!home.isElastic() && !home.suspended() && !isAsExpected(side, network, division, home)) {
        wrong.add("rates: " + line);
      }
    }
    assertThat(wrong)
        .as(
            "seed %d, %s, %s, lines %s, shared %s:%n%s",
            seed,
            network.direction(),
            network.enforcement(),
            network.lineBps(),
            network.shared(),
            all)
        .isEmpty();
  }

  /**
   * What follows from what all want; but where a full port drops packets of one that stays below
   * its share there, as it does while its threshold or its queue swings, that port limits it. Where
   * it drops about as many as can be told, that is unknown.
   */
  private static String expected(
      RandomNetwork network, Division division, Home home, TrafficLoad load) {
    String limitedBy = network.limitedBy(division, home.number());
    double lost = load.lostBps() / Math.max(1, load.offeredBps());
    boolean isBelow = limitedBy.equals("nothing") && network.isCongested(division, home);
    return !isBelow || lost < LEAST_LOST ? limitedBy : lost < SURELY_LOST ? UNKNOWN : "congestion";
  }

  /**
   * Whether one that does not slow down gets what it should, and is told so; where others slow down
   * it may get more.
   */
  private static boolean isAsExpected(
      Explanation.Side side, RandomNetwork network, Division division, Home home) {
    double rateBps = division.rateBps(home.number());
    double gotBps = side.load().orElseThrow().gotBps();
    if (!network.shared().isEmpty()) {
      // An FPGA divides a port by the order in which it looks at queues, and a meter by when
      // packets come to it, not quite alike.
      return true;
    }
    boolean mayGetMore = network.homes().stream().anyMatch(Home::isElastic);
    boolean isHeld = !side.verdict().orElseThrow().cause().text().equals("nothing");
    double entitledBps = side.entitledBps().orElse(Double.POSITIVE_INFINITY);
    return (isNear(gotBps, rateBps) || mayGetMore && gotBps > rateBps)
        && (isHeld
            ? isNear(entitledBps, rateBps) || mayGetMore && entitledBps > rateBps
            : entitledBps > (1 - NEAR) * gotBps);
  }

  private static boolean isNear(double bps, double otherBps) {
    return bps > (1 - NEAR) * otherBps && bps < (1 + NEAR) * otherBps;
  }

  private static String line(
      Home home, Explanation.Side side, String expected, String told, double rateBps) {
    TrafficLoad load = side.load().orElse(TrafficLoad.NONE);
    return String.format(
        Locale.ROOT,
        "%s policy %d at %s wants %s own %s: %s expected with %.0f, told %s entitled %s: %s",
        home.id(),
        home.policy(),
        home.at(),
        home.isElastic() ? "all" : String.format(Locale.ROOT, "%.0f", home.wantedBps()),
        home.ownBps(),
        expected,
        rateBps,
        told,
        side.entitledBps(),
        load);
  }
}
