package net.sluice.it.p4;

import static net.sluice.it.p4.ShapedSwitch.DEFAULT;
import static net.sluice.it.p4.ShapedSwitch.MICRO;
import static net.sluice.it.p4.ShapedSwitch.MILLI;
import static net.sluice.it.p4.ShapedSwitch.NONE;
import static net.sluice.it.p4.ShapedSwitch.SECOND;
import static net.sluice.it.p4.ShapedSwitch.udp;
import static net.sluice.it.p4.ShapedSwitch.word;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntPredicate;
import net.sluice.intents.plan.entry.limit.RateWord;
import net.sluice.intents.plan.entry.limit.WaitSetting;
import net.sluice.it.p4.ShapedSwitch.Passed;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Flows of a subscriber that send little pass those that fill its shaped limit. */
class LightFlowsTest {
  private static final long LIMIT_BPS = 4_000_000;
  private static final long LOOP_BPS = 40_000_000;
  private static final int HEAVY = 1;
  private static final int LIGHT = 2;

  private static ShapedSwitch dut;
  private long begin;
  private final Map<Integer, Integer> flowOf = new HashMap<>();
  private final Map<Integer, Long> sentNanos = new HashMap<>();

  @BeforeAll
  static void start() {
    dut = new ShapedSwitch(LOOP_BPS);
  }

  @AfterEach
  void drain() {
    dut.runUntil(dut.now() + 2 * SECOND);
  }

  @AfterAll
  static void stop() {
    dut.close();
  }

  /** A flow of packets of one size at a rate, in random gaps of that mean. */
  private record Flow(int subscriber, int port, int bytes, long bps) {
    long gapNanos(Random random) {
      return (long) ((0.5 + random.nextDouble()) * bytes * 8 * SECOND / bps);
    }
  }

  private int limited(WaitSetting delay, boolean lightFirst) {
    int policy = dut.policy(delay, lightFirst);
    int subscriber = dut.subscriber(policy, LIMIT_BPS, WaitSetting.OF_POLICY);
    dut.runUntil((dut.now() / MILLI + 2) * MILLI);
    begin = dut.now();
    return subscriber;
  }

  private int send(int subscriber, int flow, int bytes) {
    int number = dut.send(ShapedSwitch.bytes(udp(subscriber, flow, bytes)));
    flowOf.put(number, flow);
    sentNanos.put(number, dut.now());
    return number;
  }

  /** Sends flows for a time, each packet at a whole microsecond. */
  private void run(long seed, long nanos, Flow... flows) {
    Random random = new Random(seed);
    long from = dut.now();
    long[] next = new long[flows.length];
    for (int i = 0; i < flows.length; i++) {
      next[i] = from + random.nextLong(flows[i].gapNanos(random) + 1);
    }
    while (true) {
      int first = 0;
      for (int i = 1; i < flows.length; i++) {
        first = next[i] < next[first] ? i : first;
      }
      if (next[first] > from + nanos) {
        dut.runUntil(from + nanos);
        return;
      }
      dut.runUntil(Math.max(dut.now(), next[first] / MICRO * MICRO));
      send(flows[first].subscriber(), flows[first].port(), flows[first].bytes());
      next[first] += flows[first].gapNanos(random);
    }
  }

  private boolean atOnce(int number) {
    Passed passed = dut.passed(number);
    return passed != null && passed.nanos() == sentNanos.get(number);
  }

  private List<Integer> numbers(IntPredicate flow, long from) {
    return sentNanos.keySet().stream()
        .filter(n -> flow.test(flowOf.get(n)) && sentNanos.get(n) >= from)
        .sorted()
        .toList();
  }

  /** The rate at which a subscriber's packets left from one time to another is its limit's. */
  private void assertLimitHolds(long from, long to) {
    long bytes =
        dut.passed().stream()
            .filter(passed -> passed.nanos() >= from && passed.nanos() < to)
            .mapToLong(passed -> passed.bytes().size())
            .sum();
    double limit = RateWord.rateBps(word(LIMIT_BPS));
    assertThat(bytes * 8e9 / (to - from) / limit)
        .as("rate over the limit's")
        .isCloseTo(1, within(0.005));
  }

  /** A call of 1/20 of the limit beside a flood: none of its packets waits, and the limit holds. */
  @Test
  void lightFlowGoesAtOnceBesideAFlood() {
    int subscriber = limited(DEFAULT, true);
    run(
        1,
        6 * SECOND,
        new Flow(subscriber, HEAVY, 1_000, 3 * LIMIT_BPS / 2),
        new Flow(subscriber, LIGHT, 200, LIMIT_BPS / 20));
    List<Integer> light = numbers(flow -> flow == LIGHT, begin + SECOND);
    assertThat(light).hasSizeGreaterThan(500).allMatch(this::atOnce);
    List<Integer> heavy = numbers(flow -> flow == HEAVY, begin + SECOND);
    assertThat(heavy).noneMatch(this::atOnce);
    assertLimitHolds(begin + SECOND, begin + 6 * SECOND);
  }

  /** Where packets are to pass as they come, those of a light flow wait as the others do. */
  @Test
  void asTheyComeNoFlowGoesFirst() {
    int subscriber = limited(DEFAULT, false);
    run(
        1,
        3 * SECOND,
        new Flow(subscriber, HEAVY, 1_000, 3 * LIMIT_BPS / 2),
        new Flow(subscriber, LIGHT, 200, LIMIT_BPS / 20));
    assertThat(numbers(flow -> flow == LIGHT, begin + SECOND)).noneMatch(this::atOnce);
  }

  /**
   * A flow of a quarter of the limit is light for the 4 KiB that its bucket holds beyond an eighth,
   * and heavy from then on, as long as it goes on.
   */
  @Test
  void flowAboveAnEighthOfTheLimitBecomesHeavy() {
    int subscriber = limited(NONE, true);
    run(2, SECOND, new Flow(subscriber, HEAVY, 1_000, 6 * LIMIT_BPS / 5));
    List<Integer> quarter = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      for (int j = 0; j < 9; j++) {
        send(subscriber, HEAVY, 100);
      }
      quarter.add(send(subscriber, LIGHT, 500));
      dut.runUntil(dut.now() + 4 * MILLI);
    }
    dut.runUntil(dut.now() + 2 * SECOND);
    // Each packet adds 500 bytes, and 250 are drained until the next.
    long first = quarter.stream().takeWhile(this::atOnce).count();
    assertThat(first).isBetween(13L, 15L);
    assertThat(quarter.subList((int) first, quarter.size())).noneMatch(this::atOnce);
  }

  /** A flow that was heavy and pauses is light again once its last packet has left. */
  @Test
  void heavyFlowThatPausesBecomesLightAgain() {
    int subscriber = limited(DEFAULT, true);
    run(
        3,
        SECOND,
        new Flow(subscriber, HEAVY, 1_000, 3 * LIMIT_BPS / 2),
        new Flow(subscriber, LIGHT, 1_000, LIMIT_BPS / 2));
    run(4, SECOND, new Flow(subscriber, HEAVY, 1_000, 3 * LIMIT_BPS / 2));
    int number = send(subscriber, LIGHT, 1_000);
    dut.runUntil(dut.now() + SECOND);
    assertThat(atOnce(number)).isTrue();
  }

  /**
   * Random flows, bursts and silences of random sizes, many of which are light for a while: no
   * packet overtakes one of its own flow.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
  void noPacketOvertakesOneOfItsFlow(int part) {
    int subscriber = limited(DEFAULT, true);
    int ahead = 0;
    for (int seed = 25 * part; seed < 25 * (part + 1); seed++) {
      Random random = new Random(seed);
      int from = dut.passed().size();
      int flows = 2 + random.nextInt(30);
      double load = 0.8 + random.nextDouble() * 1.5;
      long mean = (long) (8 * 800 * SECOND / LIMIT_BPS / load);
      for (int i = 0; i < 300; i++) {
        // Low numbers more often; ports are not used again with another seed.
        int flow = 1_000 * (seed % 50) + (int) (flows * Math.pow(random.nextDouble(), 3));
        for (int burst = random.nextInt(8) == 0 ? random.nextInt(8) : 1; burst > 0; burst--) {
          send(subscriber, flow, 100 + random.nextInt(1_400));
        }
        dut.runUntil(dut.now() + (long) (2 * random.nextDouble() * mean));
      }
      dut.runUntil(dut.now() + 300 * MILLI);
      Map<Integer, Integer> last = new HashMap<>();
      int highest = -1;
      for (Passed passed : dut.passed().subList(from, dut.passed().size())) {
        int flow = flowOf.get(passed.number());
        Integer before = last.put(flow, passed.number());
        assertThat(before == null || before < passed.number())
            .as("seed %s: packet %s of flow %s left behind %s", seed, passed.number(), flow, before)
            .isTrue();
        ahead += passed.number() < highest ? 1 : 0;
        highest = Math.max(highest, passed.number());
      }
    }
    assertThat(ahead).as("packets that others overtook").isGreaterThan(1_000);
  }

  /**
   * A flood of flows each of which is light goes first with half of the limit, and waits with the
   * rest: a heavy flow that keeps to three tenths of the limit loses nothing by it.
   */
  @Test
  void lightFlowsTogetherHaveHalfOfTheLimit() {
    int subscriber = limited(DEFAULT, true);
    List<Flow> flows = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      flows.add(new Flow(subscriber, 100 + i, 400, 2 * LIMIT_BPS / 100));
    }
    flows.add(new Flow(subscriber, HEAVY, 1_000, LIMIT_BPS / 2));
    run(5, 6 * SECOND, flows.toArray(Flow[]::new));
    List<Integer> pretenders = numbers(flow -> flow != HEAVY, begin + SECOND);
    long first = 400L * pretenders.stream().filter(this::atOnce).count();
    double half = 5.0 * LIMIT_BPS / 8 / 2;
    assertThat(first / half).isBetween(0.3, 1 + 16 * 1_024 / half + 0.005);
    assertLimitHolds(begin + SECOND, begin + 6 * SECOND);
  }

  /**
   * Light flows that had used up all that they may, and were silent for about a round of 32 ns, are
   * not taken for being far ahead; nor is a flow after a round of 1.024 us.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 125, 130, 137, 138, 1_370, 2_500, 4_380, 4_400, 9_000})
  void silenceLeavesNothingBehind(long silentSeconds) {
    int subscriber = limited(DEFAULT, true);
    List<Flow> flows = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      flows.add(new Flow(subscriber, 100 + i, 400, 2 * LIMIT_BPS / 60));
    }
    flows.add(new Flow(subscriber, HEAVY, 1_000, LIMIT_BPS / 2));
    run(6, SECOND, flows.toArray(Flow[]::new));
    dut.runUntil(dut.now() + silentSeconds * SECOND);
    int idle = send(subscriber, HEAVY, 1_000);
    dut.runUntil(dut.now() + MILLI);
    assertThat(atOnce(idle)).isTrue();
    for (int i = 0; i < 30; i++) {
      send(subscriber, HEAVY, 1_000);
    }
    dut.runUntil(dut.now() + 20 * MILLI);
    List<Integer> light = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      light.add(send(subscriber, 100 + i, 200));
      dut.runUntil(dut.now() + 3 * MILLI);
    }
    dut.runUntil(dut.now() + SECOND);
    assertThat(light).allMatch(this::atOnce);
  }
}
