package net.sluice.it.p4;

import static net.sluice.intents.value.Direction.DOWN;
import static net.sluice.it.p4.PipelineContract.LINE_A;
import static net.sluice.it.p4.PipelineContract.NEXT_SWITCH;
import static net.sluice.it.p4.PipelineContract.prefix;
import static net.sluice.it.p4.PipelineContract.unshaped;
import static net.sluice.it.p4.ShapedSwitch.CODEL;
import static net.sluice.it.p4.ShapedSwitch.MICRO;
import static net.sluice.it.p4.ShapedSwitch.MILLI;
import static net.sluice.it.p4.ShapedSwitch.NONE;
import static net.sluice.it.p4.ShapedSwitch.SECOND;
import static net.sluice.it.p4.ShapedSwitch.udp;
import static net.sluice.it.p4.ShapedSwitch.word;
import static net.sluice.it.p4.TestFrame.CE;
import static net.sluice.it.p4.TestFrame.ECT0;
import static net.sluice.it.p4.TestFrame.NOT_ECT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.plan.entry.limit.WaitSetting;
import net.sluice.intents.plan.entry.limit.WaitSetting.Managed;
import net.sluice.intents.plan.entry.subscriber.DirectionPolicyEntry;
import net.sluice.it.p4.ShapedSwitch.Passed;
import net.sluice.it.p4.WaitModel.Fate;
import net.sluice.it.p4.WaitModel.Limit;
import net.sluice.pipeconf.DropReason;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * CoDel and the longest wait of shaped limits, where packets pass as they come: each packet's fate
 * against {@link WaitModel}.
 */
class LimitCodelTest {
  private static final long LIMIT_BPS = 4_000_000;
  private static final long LOOP_BPS = 40_000_000;
  private static final WaitSetting SLOWER =
      new WaitSetting(0, Managed.CODEL, 20 * (int) MILLI, 200_000, true, false);

  private static ShapedSwitch dut;

  @BeforeAll
  static void start() {
    dut = new ShapedSwitch(LOOP_BPS);
  }

  @AfterAll
  static void stop() {
    dut.close();
  }

  /** A packet, and what the model has of it. */
  private record Sent(int number, int subscriber, TestFrame frame, Fate fate, double waitNanos) {}

  /** Packets of some subscribers, in random phases below and above their limits. */
  private final class Traffic {
    private final Random random;
    private final long meanNanos;
    private final int[] subscribers;
    private final WaitModel[] models;
    private final int[] ecn;
    private final boolean[] drops;
    private final List<Sent> sent = new ArrayList<>();

    /**
     * @param drops whether a subscriber's packets are dropped where CoDel signals
     */
    Traffic(
        long seed, long bps, int[] subscribers, WaitModel[] models, int[] ecn, boolean[] drops) {
      random = new Random(seed);
      meanNanos = 8 * 800 * SECOND / bps;
      this.subscribers = subscribers;
      this.models = models;
      this.ecn = ecn;
      this.drops = drops;
    }

    List<Sent> run(long nanos, double most) {
      long untilNanos = dut.now() + nanos;
      double load = 1;
      long phaseEnd = 0;
      while (dut.now() < untilNanos) {
        if (dut.now() >= phaseEnd) {
          load = 0.4 + random.nextDouble() * (most - 0.4);
          phaseEnd = dut.now() + (50 + random.nextInt(1_200)) * MILLI;
        }
        long gap = (long) (2 * random.nextDouble() * meanNanos / load);
        // An odd microsecond.
        dut.runUntil(((dut.now() + gap) / MICRO + 1 | 1) * MICRO);
        int i = random.nextInt(subscribers.length);
        int bytes = 100 + random.nextInt(1_401);
        TestFrame frame = udp(subscribers[i], 7, bytes).ecn(ecn[i]);
        Fate fate = models[i].arrives(dut.now() / MICRO, bytes, drops[i]);
        int number = dut.send(ShapedSwitch.bytes(frame));
        sent.add(new Sent(number, subscribers[i], frame, fate, models[i].lastWaitNanos()));
      }
      dut.runUntil(dut.now() + 2 * SECOND);
      return sent;
    }
  }

  private List<Sent> run(long seed, int subscriber, WaitSetting setting, int ecn, boolean drops) {
    WaitModel model = new WaitModel(setting, new Limit(word(LIMIT_BPS)));
    return new Traffic(
            seed,
            LIMIT_BPS,
            new int[] {subscriber},
            new WaitModel[] {model},
            new int[] {ecn},
            new boolean[] {drops})
        .run(12 * SECOND, 1.6);
  }

  /** Each packet is dropped, marked or left alone as the model has it, and else as it came. */
  private void assertFates(List<Sent> all, boolean drops) {
    for (Sent sent : all) {
      Passed passed = dut.passed(sent.number());
      boolean dropped = sent.fate() == Fate.TOO_LONG || drops && sent.fate() == Fate.SIGNALLED;
      assertThat(passed == null).as("dropped: %s", sent).isEqualTo(dropped);
      if (passed != null) {
        TestFrame leaves = PipelineContract.forwarded(sent.frame(), LINE_A);
        TestFrame marked = sent.fate() == Fate.SIGNALLED ? leaves.ecn(CE) : leaves;
        assertThat(passed.bytes())
            .as("%s", sent)
            .isEqualTo(ShapedSwitch.expected(marked, sent.number()));
      }
    }
  }

  private static long count(List<Sent> all, Fate fate) {
    return all.stream().filter(sent -> sent.fate() == fate).count();
  }

  /**
   * Packets that cannot be marked, and those that can where nothing marks, are dropped exactly
   * where RFC 8289 does. What CoDel drops is no overflow.
   */
  @ParameterizedTest
  @CsvSource({"1, 0, true", "2, 0, true", "3, 0, false", "4, 2, false"})
  void dropsAreThoseOfRfc8289(long seed, int ecn, boolean marks) {
    WaitSetting setting = new WaitSetting(0, Managed.CODEL, 5 * (int) MILLI, 100_000, marks, false);
    int policy = dut.policy(setting, false);
    int subscriber = dut.subscriber(policy, LIMIT_BPS, WaitSetting.OF_POLICY);
    long before = dut.dropped(DropReason.LIMIT_CODEL);
    List<Sent> all = run(seed, subscriber, setting, ecn, true);
    assertFates(all, true);
    assertThat(count(all, Fate.SIGNALLED)).isGreaterThan(60);
    assertThat(dut.dropped(DropReason.LIMIT_CODEL) - before).isEqualTo(count(all, Fate.SIGNALLED));
  }

  @ParameterizedTest
  @CsvSource({"5", "6"})
  void packetsOfSendersThatUnderstandEcnAreMarkedInstead(long seed) {
    WaitSetting setting =
        new WaitSetting(500 * MILLI, Managed.CODEL, 5 * (int) MILLI, 100_000, true, false);
    int policy = dut.policy(setting, false);
    int subscriber = dut.subscriber(policy, LIMIT_BPS, WaitSetting.OF_POLICY);
    List<Sent> all = run(seed, subscriber, setting, ECT0, false);
    assertFates(all, false);
    assertThat(count(all, Fate.SIGNALLED)).isGreaterThan(60);
  }

  /** The root that the model shares with the program: all that is between it and RFC 8289. */
  @Test
  void pauseBetweenDropsIsWithinSixPercentOfRfc8289() {
    for (int count = 1; count < 1 << 16; count++) {
      double exact = 100_000 / Math.sqrt(count);
      assertThat((double) WaitModel.pauseMicros(100_000, count))
          .as("interval / sqrt(%s)", count)
          .isCloseTo(exact, within(0.06 * exact + 1));
    }
  }

  /** At 200 kbit/s eight full packets take 0.49 s, at 1 Mbit/s 98 ms. */
  @ParameterizedTest
  @CsvSource({"4000000, 50", "4000000, 300", "1000000, 50", "1000000, 100", "200000, 100"})
  void nothingWaitsLongerUnlessEightFullPacketsDo(long rateBps, int millis) {
    WaitSetting setting = new WaitSetting(millis * MILLI, Managed.NONE, 0, 0, false, false);
    int policy = dut.policy(setting, false);
    int subscriber = dut.subscriber(policy, rateBps, WaitSetting.OF_POLICY);
    long before = dut.dropped(DropReason.LIMIT_WAIT);
    WaitModel model = new WaitModel(setting, new Limit(word(rateBps)));
    List<Sent> all =
        new Traffic(
                7,
                rateBps,
                new int[] {subscriber},
                new WaitModel[] {model},
                new int[] {NOT_ECT},
                new boolean[] {true})
            .run(6 * SECOND, 2.5);
    assertFates(all, true);
    assertThat(count(all, Fate.TOO_LONG)).isGreaterThan(rateBps / 50_000);
    assertThat(dut.dropped(DropReason.LIMIT_WAIT) - before).isEqualTo(count(all, Fate.TOO_LONG));
    double most =
        all.stream()
            .filter(sent -> sent.fate() == Fate.LET_IN)
            .mapToDouble(Sent::waitNanos)
            .max()
            .orElseThrow();
    double eight = 8 * 1_536 * 8e9 / rateBps;
    assertThat(most).isCloseTo(Math.max(millis * MILLI, eight), within(0.06 * eight));
  }

  /** A limit's own settings count before its policy's, each part for itself. */
  @Test
  void limitsHaveTheirOwnSettingsBesideThePolicys() {
    WaitSetting policy =
        new WaitSetting(150 * MILLI, Managed.CODEL, 5 * (int) MILLI, 100_000, true, false);
    WaitSetting slower =
        new WaitSetting(150 * MILLI, Managed.CODEL, 20 * (int) MILLI, 200_000, true, false);
    WaitSetting shorter =
        new WaitSetting(60 * MILLI, Managed.CODEL, 5 * (int) MILLI, 100_000, true, false);
    int slot = dut.policy(policy, false);
    WaitSetting ownAqm =
        new WaitSetting(
            WaitSetting.LONGEST_OF_POLICY, Managed.CODEL, 20 * (int) MILLI, 200_000, true, false);
    WaitSetting ownLongest = new WaitSetting(60 * MILLI, Managed.OF_POLICY, 0, 0, false, false);
    int[] subscribers = {
      dut.subscriber(slot, LIMIT_BPS, WaitSetting.OF_POLICY),
      dut.subscriber(slot, LIMIT_BPS, ownAqm),
      dut.subscriber(slot, LIMIT_BPS, ownLongest),
      dut.subscriber(slot, LIMIT_BPS, NONE)
    };
    WaitModel[] models = {
      new WaitModel(policy, new Limit(word(LIMIT_BPS))),
      new WaitModel(slower, new Limit(word(LIMIT_BPS))),
      new WaitModel(shorter, new Limit(word(LIMIT_BPS))),
      new WaitModel(NONE, new Limit(word(LIMIT_BPS))),
    };
    List<Sent> all =
        new Traffic(
                8,
                4 * LIMIT_BPS,
                subscribers,
                models,
                new int[] {NOT_ECT, NOT_ECT, NOT_ECT, NOT_ECT},
                new boolean[] {true, true, true, true})
            .run(8 * SECOND, 1.5);
    assertFates(all, true);
    for (int one : subscribers) {
      List<Sent> own = all.stream().filter(sent -> sent.subscriber() == one).toList();
      assertThat(count(own, Fate.SIGNALLED) > 10)
          .as("CoDel of %s", one)
          .isEqualTo(one != subscribers[3]);
    }
    assertThat(
            all.stream()
                .filter(sent -> sent.subscriber() == subscribers[2] && sent.fate() == Fate.TOO_LONG)
                .count())
        .isPositive();
  }

  /** Without AQM packets wait for as long as the clock allows, as they do without a setting. */
  @Test
  void withoutAqmPacketsWaitUpToASecond() {
    int policy = dut.policy(NONE, false);
    int subscriber = dut.subscriber(policy, LIMIT_BPS, WaitSetting.OF_POLICY);
    long begin = dut.now() + MILLI;
    dut.runUntil(begin);
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < 700; i++) {
      numbers.add(dut.send(ShapedSwitch.bytes(udp(subscriber, 7, 1_000))));
    }
    dut.runUntil(begin + 2 * SECOND);
    // 2^30 ns at the limit's rate.
    int held = (int) ((1L << 30) * LIMIT_BPS / 8_000 / SECOND);
    for (int i = 0; i < 700; i++) {
      if (Math.abs(i - held) > 3) {
        assertThat(dut.passed(numbers.get(i)) != null).as("packet %s", i).isEqualTo(i < held);
      }
    }
    assertThat(dut.passed(numbers.get(held - 4)).nanos() - begin)
        .isBetween(1_055 * MILLI, 1_080 * MILLI);
  }

  /** A direction's own policy keeps its delay low, and values what has waited. */
  @Test
  void theDirectionsPolicyDecides() {
    dut.connect(NEXT_SWITCH);
    int policy = dut.policy(NONE, false);
    int ofDirection = dut.policy(SLOWER, false);
    int subscriber = dut.subscriber(policy, LIMIT_BPS, WaitSetting.OF_POLICY);
    dut.insert(
        PipelineContract.oneBin(),
        PipelineContract.value(policy, 100),
        PipelineContract.value(ofDirection, 200),
        new DirectionPolicyEntry(subscriber, DOWN, ofDirection));
    dut.modify(
        prefix(
            ShapedSwitch.address(subscriber) + "/32", unshaped(subscriber, policy, NEXT_SWITCH)));
    List<Sent> all = run(9, subscriber, SLOWER, NOT_ECT, true);
    assertThat(count(all, Fate.SIGNALLED)).isGreaterThan(20);
    assertThat(all.stream().filter(sent -> sent.waitNanos() > 0).count()).isGreaterThan(500);
    for (Sent sent : all) {
      Passed passed = dut.passed(sent.number());
      assertThat(passed == null).as("%s", sent).isEqualTo(sent.fate() == Fate.SIGNALLED);
      if (passed != null) {
        TestFrame leaves = PipelineContract.forwarded(sent.frame(), NEXT_SWITCH).packetValue(200);
        assertThat(passed.bytes()).isEqualTo(ShapedSwitch.expected(leaves, sent.number()));
      }
    }
  }

  /** Waits for a tree or a port are managed as those for a limit of one's own. */
  @ParameterizedTest
  @CsvSource({"11, 0, 4000000, 0", "12, 0, 0, 4000000", "13, 3000000, 4000000, 3900000"})
  void waitsForTreeAndPortAreManaged(long seed, long ownBps, long treeBps, long portBps) {
    int policy = dut.policy(CODEL, false);
    Limit[] shared = {
      treeBps == 0 ? null : new Limit(word(treeBps)), portBps == 0 ? null : new Limit(word(portBps))
    };
    Attachment tree = dut.tree(treeBps, portBps);
    int[] subscribers = new int[3];
    WaitModel[] models = new WaitModel[3];
    for (int i = 0; i < 3; i++) {
      subscribers[i] = dut.subscriber(policy, tree, ownBps, WaitSetting.OF_POLICY);
      List<Limit> limits = new ArrayList<>();
      if (ownBps != 0) {
        limits.add(new Limit(word(ownBps)));
      }
      for (Limit limit : shared) {
        if (limit != null) {
          limits.add(limit);
        }
      }
      models[i] = new WaitModel(CODEL, limits.toArray(Limit[]::new));
    }
    List<Sent> all =
        new Traffic(
                seed,
                LIMIT_BPS,
                subscribers,
                models,
                new int[] {NOT_ECT, NOT_ECT, NOT_ECT},
                new boolean[] {true, true, true})
            .run(8 * SECOND, 1.6);
    assertFates(all, true);
    assertThat(count(all, Fate.SIGNALLED)).isGreaterThan(40);
  }

  /**
   * A subscriber that was silent for any time, also one in which 32 bits of microseconds change
   * their sign or go round, and then waits for its tree: CoDel begins anew.
   */
  @ParameterizedTest
  @CsvSource({"2000", "2000000", "2400000", "4000000", "4290000", "4300000", "9000000"})
  void stateOfASilentSubscriberIsForgotten(long silentMillis) {
    int policy = dut.policy(CODEL, false);
    Attachment tree = dut.tree(LIMIT_BPS, 0);
    int silent = dut.subscriber(policy, tree, 0, WaitSetting.OF_POLICY);
    int other = dut.subscriber(policy, tree, 0, NONE);
    dut.runUntil(dut.now() + MILLI);
    long first = dut.dropped(DropReason.LIMIT_CODEL);
    // A load of 1.2 for 0.8 s: CoDel drops.
    flood(silent, 7, 480, 1_667 * MICRO);
    long before = dut.dropped(DropReason.LIMIT_CODEL);
    assertThat(before).isGreaterThan(first);
    dut.runUntil(dut.now() + silentMillis * MILLI);
    // Its tree has a wait of 200 ms when it comes back, and keeps it.
    flood(other, 8, 100, 0);
    for (int i = 0; i < 150; i++) {
      dut.send(ShapedSwitch.bytes(udp(silent, 7, 1_000)));
      dut.runUntil(dut.now() + 2 * MILLI);
    }
    // 0.1 s until the first drop, and three or four in the 0.2 s behind it.
    assertThat(dut.dropped(DropReason.LIMIT_CODEL) - before).isBetween(3L, 5L);
    dut.runUntil(dut.now() + SECOND);
  }

  private void flood(int subscriber, int flow, int packets, long gapNanos) {
    for (int i = 0; i < packets; i++) {
      dut.send(ShapedSwitch.bytes(udp(subscriber, flow, 1_000)));
      dut.runUntil(dut.now() + gapNanos);
    }
  }

  /**
   * Subscribers that keep to their limits lose nothing beside one that offers 25 times its own,
   * though all wait in one buffer: the flood holds what its longest wait lets it. Without a longest
   * wait it takes the whole.
   */
  @ParameterizedTest
  @CsvSource({"100, true", "0, false"})
  void floodTakesNoRoomFromItsNeighbours(int longestMillis, boolean unharmed) {
    dut.buffer(150_000);
    WaitSetting setting = new WaitSetting(longestMillis * MILLI, Managed.NONE, 0, 0, false, false);
    int policy = dut.policy(setting, false);
    int[] subscribers = new int[4];
    for (int i = 0; i < 4; i++) {
      subscribers[i] = dut.subscriber(policy, LIMIT_BPS, WaitSetting.OF_POLICY);
    }
    List<Integer> neighbours = new ArrayList<>();
    long until = dut.now() + 2 * SECOND;
    // The neighbours in turn: bursts of 16 KB each 36 ms, 0.9 of their limit.
    for (int step = 0; dut.now() < until; step++) {
      dut.send(ShapedSwitch.bytes(udp(subscribers[0], 7, 1_000)));
      for (int i = 0; step % 150 == 0 && i < 16; i++) {
        byte[] frame = ShapedSwitch.bytes(udp(subscribers[1 + step / 150 % 3], 7, 1_000));
        neighbours.add(dut.send(frame));
      }
      dut.runUntil(dut.now() + 80 * MICRO);
    }
    dut.runUntil(until + 2 * SECOND);
    dut.wholeBuffer();
    long lost = neighbours.stream().filter(number -> dut.passed(number) == null).count();
    assertThat(neighbours).hasSizeGreaterThan(2_000);
    if (unharmed) {
      assertThat(lost).isZero();
    } else {
      assertThat(lost).isGreaterThan(100);
    }
  }
}
