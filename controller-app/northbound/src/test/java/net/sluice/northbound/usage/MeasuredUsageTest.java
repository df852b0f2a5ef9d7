package net.sluice.northbound.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.sluice.core.testing.VirtualTime;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.CounterCodec.Point;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasuredUsageTest {
  private static final Measured ALICE = new Measured.OfSubscriber("alice");
  private static final Measured BOB = new Measured.OfSubscriber("bob");
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @TempDir private Path directory;
  private final VirtualTime time = new VirtualTime();
  private final Instant start = time.instant();
  private final TestSwitch bng1 = new TestSwitch("bng1");
  private final TestSwitch bng2 = new TestSwitch("bng2");
  private MeasuredUsage usage;

  @BeforeEach
  void open() throws IOException {
    bng1.declare(1, "alice");
    bng1.declare(2, "bob");
    bng2.declare(1, "carol");
    usage = opened();
  }

  private MeasuredUsage opened() throws IOException {
    return new MeasuredUsage(
        TestSwitch.controller(bng1, bng2),
        directory,
        MINUTE,
        time.scheduler(),
        time,
        () -> Duration.between(start, time.instant()).toNanos());
  }

  @AfterEach
  void close() {
    usage.close();
  }

  /** Alice gets so many packets of 1,000 bytes within the next minute. */
  private void minute(long packets) {
    bng1.count(1, Point.IN, packets);
    bng1.count(1, Point.OUT, packets);
    time.pass(MINUTE);
  }

  private static final long GAP = -1;

  /** The last minutes of something are gaps, or have what so many packets of 1,000 bytes are. */
  private void assertGot(Measured which, long... packets) {
    Instant now = time.instant();
    List<UsagePoint> points =
        usage.points(which, now.minus(MINUTE.multipliedBy(packets.length)), now, MINUTE).points();
    assertThat(points).hasSize(packets.length);
    for (int i = 0; i < packets.length; i++) {
      Optional<Long> got = points.get(i).down().map(Rates::gotBps);
      assertThat(got.isEmpty()).as("%s", points).isEqualTo(packets[i] == GAP);
      double expected = packets[i] * 8_000.0 / 60;
      got.ifPresent(bps -> assertThat((double) bps).isCloseTo(expected, within(expected / 900)));
    }
  }

  @Test
  void ratesAreDifferencesAndTheFirstReadingIsNone() {
    minute(600);
    minute(300);
    minute(0);
    assertGot(ALICE, GAP, 300, 0);
    assertThat(usage.at(ALICE, start.plusSeconds(61)).orElseThrow().down().orElseThrow())
        .isEqualTo(new Rates(40_000, 40_000, 0, 0, 0, 0, Optional.empty()));
    assertThat(usage.at(ALICE, start.plusSeconds(59))).isEmpty();
  }

  @Test
  void treesPortsAndPoliciesHaveTheSumOfTheirSubscribers() {
    minute(0);
    bng1.count(2, Point.OUT, 60);
    bng2.count(1, Point.OUT, 6);
    minute(600);
    for (Measured each :
        List.of(new Measured.OfTree("bng1", 1, 3), new Measured.OfPort("bng1", 1))) {
      assertGot(each, 660);
    }
    assertGot(new Measured.OfPolicy("gold"), 666);
    assertGot(new Measured.OfPort("bng1", 2), GAP);
  }

  @Test
  void aCounterThatBeganAnewOrWrappedMakesNoSpike() {
    bng1.put(1, Point.OUT, Long.MAX_VALUE - 1_000);
    minute(0);
    bng1.put(1, Point.OUT, 6_000);
    time.pass(MINUTE);
    assertGot(ALICE, 6);
    minute(1_000_000);
    bng1.restart();
    minute(12);
    assertGot(ALICE, 1_000_000, 12);
  }

  @Test
  void anIndexThatPassesToAnotherIsAGapOfTheOther() {
    minute(600);
    minute(600);
    bng1.forget(1);
    bng1.declare(1, "dave");
    bng1.count(1, Point.OUT, 1_000_000);
    time.pass(MINUTE);
    bng1.count(1, Point.OUT, 6);
    time.pass(MINUTE);
    assertGot(new Measured.OfSubscriber("dave"), GAP, GAP, 6);
    assertGot(ALICE, 600, GAP, GAP);
  }

  @Test
  void aMissedReadingIsAGapAndTheNextOneTellsTheMean() {
    minute(600);
    minute(600);
    bng1.fails = true;
    minute(600);
    assertThat(usage.latest(ALICE)).isEmpty();
    assertThat(usage.sweeps().orElseThrow().failing()).containsEntry("bng1", "it is away");
    bng1.fails = false;
    minute(1_200);
    assertGot(ALICE, 600, GAP, 900);
    assertThat(usage.sweeps().orElseThrow().failing()).isEmpty();
  }

  @Test
  void aReadingThatBreaksOffIsNotTakenForAWholeOne() {
    minute(600);
    bng1.breaksOff = true;
    minute(600);
    bng1.breaksOff = false;
    minute(600);
    minute(60);
    assertGot(ALICE, GAP, GAP, 60);
  }

  @Test
  void aSwitchThatHangsKeepsNoOtherWaiting() {
    minute(0);
    bng1.hangs = true;
    bng2.count(1, Point.OUT, 600);
    minute(0);
    assertThat(usage.latest(new Measured.OfSubscriber("carol"))).isEmpty();
    time.pass(Duration.ofSeconds(59));
    assertThat(usage.sweeps().orElseThrow().unread()).isPositive();
    assertGot(new Measured.OfSubscriber("carol"), 600);
    assertGot(ALICE, GAP);
  }

  @Test
  void whatIsLookedAtIsReadEverySecondForAMinute() {
    minute(600);
    minute(600);
    assertThat(usage.latest(ALICE).orElseThrow().at()).isEqualTo(time.instant());
    time.pass(Duration.ofMillis(1_500));
    bng1.count(1, Point.OUT, 10);
    time.pass(Duration.ofSeconds(1));
    UsagePoint now = usage.latest(ALICE).orElseThrow();
    assertThat(now.at()).isAfter(time.instant().minusSeconds(1));
    assertThat(now.down().orElseThrow().gotBps()).isEqualTo(80_000);
    time.pass(Duration.ofSeconds(90));
    assertThat(usage.latest(ALICE).orElseThrow().at())
        .isEqualTo(start.plus(MINUTE.multipliedBy(3)));
    for (int i = 0; i < Watched.MOST + 5; i++) {
      assertThat(usage.latest(new Measured.OfSubscriber("nobody" + i))).isEmpty();
    }
  }

  @Test
  void aRestartKeepsWhatWasMeasured() throws IOException {
    minute(600);
    minute(600);
    usage.close();
    usage = opened();
    time.pass(MINUTE);
    minute(60);
    assertGot(ALICE, 600, GAP, 60);
  }

  @Test
  void thoseWithMostAreTold() {
    minute(0);
    bng1.count(2, Point.OUT, 900);
    bng1.count(2, Point.POLICED, 30);
    bng2.count(1, Point.OUT, 60);
    bng2.count(1, Point.WAITED_UP_TO_20_MILLIS, 60);
    minute(600);
    assertThat(ids(Usage.Order.RATE, 2)).containsExactly("bob", "alice");
    assertThat(ids(Usage.Order.DROPS, 9)).containsExactly("bob");
    assertThat(ids(Usage.Order.DELAY, 9)).containsExactly("carol");
    assertThat(usage.top(Usage.Order.RATE, Direction.UP, 9).subscribers()).isEmpty();
    assertThat(usage.latest(new Measured.OfSubscriber("carol")).orElseThrow().down().orElseThrow())
        .isEqualTo(new Rates(0, 8_000, 0, 0, 0, 0, Optional.of(new Delay(12.5, 19.25, 19.85))));
    List<String> walked = new ArrayList<>();
    usage.walk("bng1", (id, point) -> walked.add(id));
    assertThat(walked).containsExactly("alice", "bob");
    assertThat(usage.latest(BOB).orElseThrow().down().orElseThrow().lostBps()).isEqualTo(4_000);
  }

  private List<String> ids(Usage.Order by, int limit) {
    return usage.top(by, Direction.DOWN, limit).subscribers().stream()
        .map(Usage.Top.Entry::id)
        .toList();
  }
}
