package net.sluice.it.p4;

import static net.sluice.it.p4.ShapedSwitch.DEFAULT;
import static net.sluice.it.p4.ShapedSwitch.MICRO;
import static net.sluice.it.p4.ShapedSwitch.MILLI;
import static net.sluice.it.p4.ShapedSwitch.SECOND;
import static net.sluice.it.p4.ShapedSwitch.udp;
import static net.sluice.it.p4.ShapedSwitch.word;
import static net.sluice.it.p4.TestFrame.CE;
import static net.sluice.it.p4.TestFrame.ECT1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import net.sluice.intents.plan.entry.limit.RateWord;
import net.sluice.intents.plan.entry.limit.WaitSetting;
import net.sluice.it.p4.ShapedSwitch.Passed;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Packets of scalable senders (RFC 9331) under a shaped limit. */
class LowLatencyTest {
  private static final long LIMIT_BPS = 20_000_000;
  private static final long LOOP_BPS = 200_000_000;
  private static final int CLASSIC = 1;
  private static final int SCALABLE = 2;
  private static final int BYTES = 1_000;

  /** 2^25 / 32 ns. */
  private static final long MARKED_FROM_NANOS = 1L << 20;

  /** 2^27 / 32 ns. */
  private static final long FIRST_WITHIN_NANOS = 1L << 22;

  private static ShapedSwitch dut;
  private int subscriber;
  private final Map<Integer, Long> sentNanos = new HashMap<>();

  @BeforeAll
  static void start() {
    dut = new ShapedSwitch(LOOP_BPS);
  }

  @BeforeEach
  void limit() {
    subscriber = dut.subscriber(dut.policy(DEFAULT, true), LIMIT_BPS, WaitSetting.OF_POLICY);
    dut.runUntil((dut.now() / MILLI + 2) * MILLI);
  }

  @AfterEach
  void drain() {
    dut.runUntil(dut.now() + 2 * SECOND);
  }

  @AfterAll
  static void stop() {
    dut.close();
  }

  private int send(int flow) {
    TestFrame frame = udp(subscriber, flow, BYTES);
    int number = dut.send(ShapedSwitch.bytes(flow == CLASSIC ? frame : frame.ecn(ECT1)));
    sentNanos.put(number, dut.now());
    return number;
  }

  private boolean atOnce(int number) {
    Passed passed = dut.passed(number);
    return passed != null && passed.nanos() == sentNanos.get(number);
  }

  /** The codepoint with which a packet left. */
  private static int ecn(Passed passed) {
    return passed.bytes().byteAt(15) & 3;
  }

  private static long elapsedNanos() {
    return RateWord.elapsed(word(LIMIT_BPS), BYTES) / RateWord.UNITS_PER_NANO;
  }

  /**
   * A flow alone above its limit goes first until it is 4.2 ms ahead, and is marked from where it
   * is 1.05 ms ahead: against a bucket that drains at the limit's rate.
   */
  @Test
  void packetsGoFirstAndAreMarkedByHowFarTheyAreAhead() {
    long ahead = 0;
    long last = dut.now();
    int marked = 0;
    boolean behind = false;
    for (int i = 0; i < 60 && !behind; i++) {
      ahead = Math.max(0, ahead - (dut.now() - last));
      last = dut.now();
      int number = send(SCALABLE);
      dut.runUntil(dut.now() + 1);
      behind = ahead + elapsedNanos() > FIRST_WITHIN_NANOS + MICRO;
      if (!behind) {
        assertThat(atOnce(number)).as("packet %s, %s ns ahead", i, ahead).isTrue();
        if (Math.abs(ahead - MARKED_FROM_NANOS) > 4 * MICRO) {
          assertThat(ecn(dut.passed(number)) == CE)
              .as("packet %s, %s ns ahead", i, ahead)
              .isEqualTo(ahead > MARKED_FROM_NANOS);
        }
        marked += ahead > MARKED_FROM_NANOS ? 1 : 0;
      } else {
        assertThat(atOnce(number)).isFalse();
      }
      // The first found the limit idle, and passes nothing.
      ahead += i == 0 ? 0 : elapsedNanos();
      dut.runUntil(dut.now() - 1 + 200 * MICRO);
    }
    assertThat(behind).isTrue();
    assertThat(marked).isGreaterThan(10);
  }

  /** Below the limit nothing waits and nothing is marked, alone and beside classic packets. */
  @ParameterizedTest
  @ValueSource(ints = {0, 30})
  void flowBelowTheLimitIsNeitherHeldUpNorMarked(int percentClassic) {
    Random random = new Random(1);
    long until = dut.now() + 2 * SECOND;
    while (dut.now() < until) {
      if (random.nextInt(100) < percentClassic) {
        send(CLASSIC);
      }
      int number = send(SCALABLE);
      dut.runUntil(dut.now() + 600 * MICRO);
      assertThat(atOnce(number)).isTrue();
      assertThat(ecn(dut.passed(number))).isEqualTo(ECT1);
    }
  }

  /**
   * Beside a classic flood that does not respond, scalable senders that together have 0.45 of the
   * limit are not held up, are marked for what the flood loses, and the limit holds.
   */
  @Test
  void overloadedLimitLeavesHalfToScalableSenders() {
    long begin = dut.now();
    long step = elapsedNanos() * 100 / 45;
    int late = 0;
    int marked = 0;
    int all = 0;
    for (int i = 0; dut.now() < begin + 4 * SECOND; i++) {
      for (int j = 0; j < 5; j++) {
        send(CLASSIC);
      }
      int number = send(SCALABLE);
      dut.runUntil(begin + (i + 1) * step / MICRO * MICRO);
      if (dut.now() > begin + SECOND) {
        all++;
        late += atOnce(number) ? 0 : 1;
        marked += dut.passed(number) != null && ecn(dut.passed(number)) == CE ? 1 : 0;
      }
    }
    assertThat(late).isZero();
    assertThat(marked).isGreaterThan(all / 20);
    assertLimitHolds(begin + SECOND, begin + 4 * SECOND);
  }

  /**
   * A scalable flood has no more than half of an overloaded limit at once, and classic the rest.
   */
  @Test
  void scalableFloodLeavesHalfOfAnOverloadedLimit() {
    long begin = dut.now();
    long step = elapsedNanos();
    for (int i = 0; dut.now() < begin + 4 * SECOND; i++) {
      send(CLASSIC);
      send(SCALABLE + i % 200);
      dut.runUntil(begin + (i + 1) * step / MICRO * MICRO);
    }
    long classic = 0;
    long first = 0;
    long all = 0;
    for (Passed passed : dut.passed()) {
      if (passed.nanos() >= begin + SECOND && passed.nanos() < begin + 4 * SECOND) {
        all++;
        classic += ecn(passed) == 0 ? 1 : 0;
        first += passed.nanos() == sentNanos.get(passed.number()) ? 1 : 0;
      }
    }
    assertThat((double) first / all).isLessThan(0.52);
    assertThat((double) classic / all).isGreaterThan(0.2);
    assertLimitHolds(begin + SECOND, begin + 4 * SECOND);
  }

  /** After any silence the low-latency way is free. */
  @ParameterizedTest
  @ValueSource(longs = {1, 68, 125, 137, 2_500, 4_380, 9_000})
  void silenceLeavesNothingBehind(long silentSeconds) {
    for (int i = 0; i < 400; i++) {
      send(CLASSIC);
      send(SCALABLE + i % 3);
      dut.runUntil(dut.now() + 400 * MICRO);
    }
    dut.runUntil(dut.now() + silentSeconds * SECOND);
    for (int i = 0; i < 60; i++) {
      send(CLASSIC);
    }
    // The first of them go before the others; half of the rest still waits.
    dut.runUntil(dut.now() + 12 * MILLI);
    int number = send(SCALABLE);
    dut.runUntil(dut.now() + SECOND);
    assertThat(atOnce(number)).isTrue();
    assertThat(ecn(dut.passed(number))).isEqualTo(ECT1);
  }

  private void assertLimitHolds(long from, long to) {
    long bytes =
        dut.passed().stream()
            .filter(passed -> passed.nanos() >= from && passed.nanos() < to)
            .mapToLong(passed -> passed.bytes().size())
            .sum();
    assertThat(bytes * 8e9 / (to - from) / RateWord.rateBps(word(LIMIT_BPS)))
        .as("rate over the limit's")
        .isCloseTo(1, within(0.005));
  }
}
