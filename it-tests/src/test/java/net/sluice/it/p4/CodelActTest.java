package net.sluice.it.p4;

import static net.sluice.it.p4.PipelineContract.CORE;
import static net.sluice.it.p4.PipelineContract.LINE_A;
import static net.sluice.it.p4.PipelineContract.LINE_B;
import static net.sluice.it.p4.PipelineContract.TRUNK;
import static net.sluice.it.p4.PipelineContract.forwarded;
import static net.sluice.it.p4.PipelineContract.prefix;
import static net.sluice.it.p4.PipelineContract.unshaped;
import static net.sluice.it.p4.TestFrame.CE;
import static net.sluice.it.p4.TestFrame.ECT0;
import static net.sluice.it.p4.TestFrame.ECT1;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import net.sluice.intents.compile.AqmTuning;
import net.sluice.intents.model.policy.AqmKind;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.entry.queue.MirrorEntry;
import net.sluice.intents.plan.entry.queue.QueueAqmEntry;
import net.sluice.lab.support.Rfc8289Codel;
import net.sluice.pipeconf.CounterCodec.QueueEvent;
import net.sluice.pipeconf.CounterCodec.Reading.OfQueue;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.V1ModelPipeline;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Delay management of an egress queue, packet by packet against RFC 8289's pseudo-code: what is
 * dropped, when, and that nothing else changes.
 */
class CodelActTest {
  private static final SwitchPipeline PROGRAM = V1ModelPipeline.load();
  private static final long TARGET = 5_000;
  private static final long INTERVAL = 100_000;

  /** 2^22 us over the interval, squared: the weight of a count of 1. */
  private static final long WEIGHT = weight(INTERVAL);

  /** The cell of a register that is class queue 0's of {@code LINE_A}. */
  private static final int QUEUE = LINE_A << 3;

  private static final int RECIRCULATION = 68;
  private static final PortFrame FRAME =
      TestFrame.from("203.0.113.1", "10.0.0.1").payload(TestFrame.udp(1, 2, 1_000)).at(CORE);

  private EmulatedSwitch dut;

  /** A packet that leaves the queue. */
  private record Departure(long micros, long sojourn, boolean shortQueue) {}

  private static long weight(long interval) {
    return Math.round(Math.pow((1 << 22) / (double) interval, 2));
  }

  @BeforeEach
  void start() {
    dut = EmulatedSwitch.start(PROGRAM);
    insertPorts();
  }

  private void insertPorts() {
    dut.control().insert(PipelineContract.ports());
    dut.control()
        .insert(
            List.of(
                prefix("10.0.0.1/32", unshaped(1, 0, LINE_A)),
                prefix("10.0.0.2/32", unshaped(2, 0, LINE_B))));
  }

  @AfterEach
  void stop() {
    dut.close();
  }

  private void manage(AqmKind kind, boolean ecn) {
    dut.control().insert(List.of(new QueueAqmEntry(LINE_A, 0, kind, TARGET, INTERVAL, ecn)));
  }

  private void mirror() {
    dut.control().insert(List.of(new MirrorEntry(RECIRCULATION)));
  }

  // ---- drop times

  /**
   * A slotted line, as a bottleneck with packets of one size is: an interval is a whole number of
   * packets, so that the packet that is due is there.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void splitStateDropsWhatThePseudoCodeDropsOnASlottedLine(long seed) {
    manage(AqmKind.CODEL_ACT, false);
    mirror();
    List<Departure> departures = departures(seed, 100, 100);
    Rfc8289Codel reference = new Rfc8289Codel(TARGET, INTERVAL, CodelActTest::mathUnitStep, false);
    assertThat(drops(departures, 1)).isEqualTo(drops(departures, reference)).hasSizeGreaterThan(99);
  }

  /**
   * With any arrivals the first packet after the due time is up to a gap late. The pseudo-code
   * times a cycle's second drop from that packet, the split state from the due time.
   */
  @ParameterizedTest
  @CsvSource({"1,1", "2,1", "3,1", "4,2", "5,40", "6,1000"})
  void splitStateDropsWhatThePseudoCodeDropsOnRandomArrivals(long seed, long mirrorMicros) {
    manage(AqmKind.CODEL_ACT, false);
    mirror();
    List<Departure> departures = departures(seed, 10, 300);
    Rfc8289Codel reference = new Rfc8289Codel(TARGET, INTERVAL, CodelActTest::mathUnitStep, true);
    List<Long> dropped = drops(departures, mirrorMicros);
    assertThat(dropped).isEqualTo(drops(departures, reference)).hasSizeGreaterThan(99);
  }

  /** One long cycle: against the pseudo-code to the letter, with the same and with exact roots. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void dropTimesOfACycleStayWithinTwoGapsOfThePseudoCode(long seed) {
    manage(AqmKind.CODEL_ACT, false);
    mirror();
    Random random = new Random(seed);
    List<Departure> cycle = new ArrayList<>();
    int longestGap = 300;
    for (long now = 1_000_000; now < 6_000_000; now += 10 + random.nextInt(longestGap - 9)) {
      cycle.add(new Departure(now, TARGET + random.nextInt(20_000), false));
    }
    List<Long> dropped = drops(cycle, 1);
    List<Long> expected =
        drops(cycle, new Rfc8289Codel(TARGET, INTERVAL, CodelActTest::mathUnitStep, false));
    List<Long> exact = drops(cycle, new Rfc8289Codel(TARGET, INTERVAL, c -> exactStep(c), false));
    assertThat(dropped.size()).isBetween(expected.size() - 1, expected.size() + 1);
    long most = 0;
    for (int i = 0; i < Math.min(dropped.size(), expected.size()); i++) {
      most = Math.max(most, Math.abs(dropped.get(i) - expected.get(i)));
    }
    assertThat(most).isLessThanOrEqualTo(2L * longestGap);
    System.out.printf(
        Locale.ROOT,
        "seed %d: %d drops, pseudo-code %d, at most %d us apart; with exact square roots %d%n",
        seed,
        dropped.size(),
        expected.size(),
        most,
        exact.size());
    assertThat((double) dropped.size() / exact.size()).isBetween(0.96, 1.04);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void plainKindDropsWhatThePseudoCodeDrops(long seed) {
    manage(AqmKind.RFC8289, false);
    List<Departure> departures = departures(seed, 10, 300);
    Rfc8289Codel reference = new Rfc8289Codel(TARGET, INTERVAL, CodelActTest::newtonStep, false);
    assertThat(drops(departures, 1)).isEqualTo(drops(departures, reference)).hasSizeGreaterThan(99);
  }

  /** A flood that does not slow down: the count grows to 57,000 in 2.4 seconds. */
  @Test
  void plainKindDropsWhatThePseudoCodeDropsInALongFlood() {
    long interval = 5_000;
    dut.control()
        .insert(List.of(new QueueAqmEntry(LINE_A, 0, AqmKind.RFC8289, 1_000, interval, false)));
    List<Departure> flood = new ArrayList<>();
    for (long now = 1_000_000; now < 3_400_000; now += 20) {
      flood.add(new Departure(now, 20_000, false));
    }
    Rfc8289Codel reference =
        new Rfc8289Codel(1_000, interval, c -> newtonStep(c, weight(interval)), false);
    assertThat(drops(flood, 1)).isEqualTo(drops(flood, reference)).hasSizeGreaterThan(50_000);
  }

  /** Where the program's times go round, or change sign: 32 and 48 bits of us, 32 of 1,024 us. */
  @ParameterizedTest
  @ValueSource(ints = {31, 32, 41, 42, 47, 48})
  void dropsAreThePseudoCodesWhereTheClockGoesRound(int bits) {
    mirror();
    for (AqmKind kind : List.of(AqmKind.CODEL_ACT, AqmKind.RFC8289)) {
      boolean split = kind == AqmKind.CODEL_ACT;
      QueueAqmEntry settings = new QueueAqmEntry(LINE_A, 0, kind, TARGET, INTERVAL, false);
      dut.control().insert(List.of(settings));
      List<Departure> departures = departures(bits, (1L << bits) - 30_000_000, 10, 300);
      Rfc8289Codel reference =
          new Rfc8289Codel(
              TARGET,
              INTERVAL,
              split ? CodelActTest::mathUnitStep : CodelActTest::newtonStep,
              split);
      assertThat(drops(departures, 1))
          .as("%s", kind)
          .isEqualTo(drops(departures, reference))
          .hasSizeGreaterThan(99);
      dut.control().deleteAll();
      insertPorts();
      mirror();
    }
  }

  /** P4-CoDel, from its source: a cycle begins at the first violation, always with a count of 1. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void predecessorForgetsEveryCycle(long seed) {
    manage(AqmKind.P4_CODEL, false);
    mirror();
    List<Departure> departures = departures(seed, 10, 300);
    List<Long> expected = new ArrayList<>();
    boolean dropping = false;
    long next = 0;
    long count = 0;
    for (Departure departure : departures) {
      boolean above = departure.sojourn() >= TARGET && !departure.shortQueue();
      if (above && !dropping) {
        next = departure.micros() + INTERVAL;
        count = 1;
      } else if (above && departure.micros() >= next) {
        count++;
        next += (long) (INTERVAL / Math.sqrt(Long.highestOneBit(count)));
        expected.add(departure.micros());
      }
      dropping = above;
    }
    QueueDriver driver = new QueueDriver(dut, 1);
    assertThat(drops(departures, driver)).isEqualTo(expected).hasSizeGreaterThan(50);
    assertThat(driver.synchronised()).isZero();
  }

  @Test
  void withoutTheMirroredPacketEachCycleBeginsAnew() {
    manage(AqmKind.CODEL_ACT, false);
    List<Departure> departures = departures(1, 100, 100);
    List<Long> forgetful = new ArrayList<>();
    Rfc8289Codel fresh = null;
    boolean above = false;
    for (Departure departure : departures) {
      boolean now = departure.sojourn() >= TARGET && !departure.shortQueue();
      if (now && !above) {
        fresh = new Rfc8289Codel(TARGET, INTERVAL, CodelActTest::mathUnitStep, false);
      }
      above = now;
      if (fresh != null
          && fresh.drops(departure.micros(), departure.sojourn(), departure.shortQueue())) {
        forgetful.add(departure.micros());
      }
    }
    assertThat(drops(departures, 1)).isEqualTo(forgetful).hasSizeGreaterThan(50);
  }

  // ---- the control law

  /** Each drop waits for interval / sqrt(count) after the one before: measured to 5 / 10,000. */
  @Test
  void squareRootIsWithinFourPercentOnAverageAndFifteenAtWorst() {
    manage(AqmKind.CODEL_ACT, false);
    QueueDriver driver = new QueueDriver(dut, 1);
    double sum = 0;
    double worst = 0;
    int worstCount = 0;
    long now = 1_000_000;
    assertThat(driver.leave(FRAME, now, TARGET, false)).isNotEmpty();
    now += INTERVAL;
    assertThat(driver.leave(FRAME, now, TARGET, false)).isEmpty();
    long last = now;
    for (int count = 1; count <= 1_000; count++) {
      double ideal = INTERVAL / Math.sqrt(count);
      long pace = Math.max(1, (long) (ideal / 2_000));
      now = last + (long) (0.8 * ideal);
      while (!driver.leave(FRAME, now, TARGET, false).isEmpty()) {
        now += pace;
      }
      // The next wait is counted from when this drop was due, up to a step earlier.
      last += mathUnitStep(count);
      assertThat(now - last).isBetween(0L, pace - 1);
      double error = Math.abs((now - (last - mathUnitStep(count))) / ideal - 1);
      sum += error;
      if (error > worst) {
        worst = error;
        worstCount = count;
      }
    }
    System.out.printf(
        Locale.ROOT,
        "interval / sqrt(count), count 1 to 1,000: %.2f %% off on average, %.2f %% at worst (%d)%n",
        sum / 10,
        100 * worst,
        worstCount);
    assertThat(sum / 1_000).isLessThan(0.04);
    assertThat(worst).isLessThan(0.15);
  }

  /** Of a cycle without end: each packet leaves when a drop is due. */
  @ParameterizedTest
  @ValueSource(longs = {5_000, 20_000, 100_000, 300_000, 1_000_000})
  void squareRootServesEveryInterval(long interval) {
    dut.control()
        .insert(List.of(new QueueAqmEntry(LINE_A, 0, AqmKind.CODEL_ACT, 1_000, interval, false)));
    QueueDriver driver = new QueueDriver(dut, 1);
    assertThat(driver.leave(FRAME, 1_000_000, 1_000, false)).isNotEmpty();
    double sum = 0;
    long due = 1_000_000 + interval;
    for (int count = 1; count <= 1_000; count++) {
      assertThat(driver.leave(FRAME, due, 1_000, false)).as("drop %d", count).isEmpty();
      long next = dut.control().register("SluiceEgress.codel_act.update.drop_next", QUEUE);
      double error = Math.abs((next - due) / (interval / Math.sqrt(count)) - 1);
      assertThat(error).as("count %d", count).isLessThan(0.15);
      sum += error;
      due = next;
    }
    assertThat(sum / 1_000).isLessThan(0.04);
  }

  /** From the lightest count there is, at an interval of 1 s, to where the register is full. */
  @Test
  void squareRootServesEveryCountThatTheRegisterHolds() {
    manage(AqmKind.CODEL_ACT, false);
    QueueDriver driver = new QueueDriver(dut, 1);
    long now = 10_000_000;
    assertThat(driver.leave(FRAME, now, TARGET, false)).isNotEmpty();
    for (long weighted : edges(18, 0xffff_ffffL)) {
      now += 10_000;
      dut.control().setRegister("SluiceEgress.codel_act.update.drop_next", QUEUE, now);
      dut.control().setRegister("SluiceEgress.codel_act.update.count", QUEUE, weighted);
      assertThat(driver.leave(FRAME, now, TARGET, false)).as("weight %d", weighted).isEmpty();
      long step = dut.control().register("SluiceEgress.codel_act.update.drop_next", QUEUE) - now;
      assertThat(step * Math.sqrt(weighted) / (1 << 22))
          .as("weight %d", weighted)
          .isBetween(0.94, 1.06);
      assertThat(dut.control().register("SluiceEgress.codel_act.update.count", QUEUE))
          .isEqualTo(Math.min(0xffff_ffffL, weighted + WEIGHT));
    }
  }

  /** Every count that a register holds, at every interval: off by a microsecond or 0.01 %. */
  @ParameterizedTest
  @ValueSource(longs = {5_000, 5_001, 7_777, 20_000, 100_000, 999_999, 1_000_000})
  void plainKindsSquareRootIsExact(long interval) {
    dut.control()
        .insert(List.of(new QueueAqmEntry(LINE_A, 0, AqmKind.RFC8289, 1_000, interval, false)));
    QueueDriver driver = new QueueDriver(dut, 1);
    String state = "SluiceEgress.codel_rfc8289.";
    // The weight is a whole number.
    double exact = (1 << 22) / Math.sqrt(weight(interval));
    long now = 10_000_000;
    for (long count : edges(2, 0xffff_ffffL)) {
      now += 10_000;
      dut.control().setRegister(state + "first_above_time", QUEUE, now - 1);
      dut.control().setRegister(state + "drop_next", QUEUE, now);
      dut.control().setRegister(state + "dropping", QUEUE, 1);
      dut.control().setRegister(state + "count", QUEUE, count - 1);
      assertThat(driver.leave(FRAME, now, 1_000, false)).as("count %d", count).isEmpty();
      assertThat(dut.control().register(state + "count", QUEUE)).isEqualTo(count);
      double ideal = exact / Math.sqrt(count);
      assertThat((double) dut.control().register(state + "drop_next", QUEUE) - now)
          .as("count %d", count)
          .isBetween(ideal * 0.9999 - 1, ideal);
    }
    // It stays as high as it can be.
    dut.control().setRegister(state + "drop_next", QUEUE, now);
    assertThat(driver.leave(FRAME, now, 1_000, false)).isEmpty();
    assertThat(dut.control().register(state + "count", QUEUE)).isEqualTo(0xffff_ffffL);
  }

  /** The ends of a range, what is around each power of two within it, and some at random. */
  private static Set<Long> edges(long least, long most) {
    TreeSet<Long> edges = new TreeSet<>(List.of(least, most));
    Random random = new Random(1);
    for (int bit = 0; bit < 63; bit++) {
      for (long around = -1; around <= 1; around++) {
        edges.add((1L << bit) + around);
      }
      edges.add((1L << bit) + (random.nextLong() & (1L << bit) - 1));
    }
    // Where Newton's steps leave the table's bits, and where 96 bits were too few.
    edges.addAll(List.of(6_103L, 6_104L, 17_758L, 17_759L, 25_000_000L, 7_100_000L));
    return edges.subSet(least, true, most, true);
  }

  // ---- what else happens to packets

  @ParameterizedTest
  @ValueSource(strings = {"CODEL_ACT", "P4_CODEL", "RFC8289"})
  void ecnCapablePacketsAreMarkedInstead(AqmKind kind) {
    manage(kind, true);
    QueueDriver driver = new QueueDriver(dut, 1);
    TestFrame v4 = TestFrame.from("203.0.113.1", "10.0.0.1");
    List<TestFrame> frames =
        List.of(v4.ecn(ECT0), v4.ecn(ECT1), v4.options(new byte[] {1, 1, 1, 0}).ecn(ECT0), v4);
    long now = 1_000_000;
    for (TestFrame frame : frames) {
      // Below the target for a while: each begins a cycle of its own.
      now += 10 * INTERVAL;
      leave(driver, frame, now, 0);
      ByteString first = leave(driver, frame, now + 1_000, TARGET);
      assertThat(first).isEqualTo(forwarded(frame, LINE_A).bytes());
      ByteString second = leave(driver, frame, now + 1_000 + INTERVAL, TARGET);
      assertThat(second)
          .isEqualTo(
              frame.equals(v4) ? ByteString.EMPTY : forwarded(frame, LINE_A).ecn(CE).bytes());
    }
    assertThat(events().get(QueueEvent.MARKED)).isEqualTo(3);
    assertThat(events().get(QueueEvent.DROPPED)).isEqualTo(1);
  }

  @Test
  void aQueueThatIsNotManagedDropsNothing() {
    manage(AqmKind.CODEL_ACT, false);
    QueueDriver driver = new QueueDriver(dut, 1);
    PortFrame other =
        TestFrame.from("203.0.113.1", "10.0.0.2").payload(TestFrame.udp(1, 2, 100)).at(CORE);
    for (long now = 1_000_000; now < 5_000_000; now += 1_000) {
      assertThat(driver.leave(other, now, 50_000, false)).isNotEmpty();
    }
    assertThat(events().values()).containsOnly(0L);
    assertThat(driver.synchronised()).isZero();
  }

  /**
   * Where the port drops by value, too, the packet at hand stays: the threshold rises to just above
   * the least value that has passed since the last verdict, and sinks as soon as the delay does.
   */
  @ParameterizedTest
  @ValueSource(strings = {"CODEL_ACT", "P4_CODEL", "RFC8289"})
  void onAPortThatDropsByValueTheVerdictRaisesTheThreshold(AqmKind kind) {
    manage(kind, false);
    dut.control().insert(List.of(AqmTuning.forPort(LINE_A, 50_000_000)));
    QueueDriver driver = new QueueDriver(dut, 1);
    // What is worth less, but left before there was too much, is no measure.
    long now = 1_000_000;
    assertThat(leaves(driver, 10_000, now, 0)).isTrue();
    int[] values = {30_000, 40_000, 50_000};
    List<Long> firstLost = new ArrayList<>();
    for (int value : values) {
      firstLost.add(Long.MAX_VALUE);
      assertThat(leaves(driver, value, now + 500, 0)).isTrue();
    }
    for (int i = 0; i < 240; i++) {
      now += 1_000;
      int turn = i % values.length;
      if (!leaves(driver, values[turn], now, TARGET)) {
        firstLost.set(turn, Math.min(firstLost.get(turn), now));
      }
    }
    // One after the other, the least first, an interval after the delay reached its target.
    assertThat(firstLost.get(0)).isBetween(1_000_000 + INTERVAL, 1_010_000 + INTERVAL);
    assertThat(firstLost.get(1)).isBetween(firstLost.get(0) + INTERVAL / 2, now);
    assertThat(firstLost.get(2)).isEqualTo(Long.MAX_VALUE);
    // An empty queue lets go.
    for (int i = 0; i < 100; i++) {
      now += 1_000;
      leaves(driver, 50_000, now, 0);
    }
    assertThat(leaves(driver, 40_000, now + 1_000, 0)).isTrue();
    assertThat(events().get(QueueEvent.DROPPED)).isZero();
    assertThat(events().get(QueueEvent.MARKED)).isZero();
  }

  /** With ECN the mark, too, is for what is worth least, and set before the queue. */
  @Test
  void onAPortThatDropsByValueWhatIsWorthLeastIsMarked() {
    manage(AqmKind.CODEL_ACT, true);
    dut.control().insert(List.of(AqmTuning.forPort(LINE_A, 50_000_000)));
    QueueDriver driver = new QueueDriver(dut, 1);
    TestFrame frame = TestFrame.from("203.0.113.1", "10.0.0.1").ecn(ECT0);
    long now = 1_000_000;
    int marked = 0;
    for (int i = 0; i < 150; i++) {
      now += 1_000;
      ByteString poor = driver.leave(frame.packetValue(30_000).at(TRUNK), now - 500, TARGET, false);
      ByteString rich = driver.leave(frame.packetValue(50_000).at(TRUNK), now, TARGET, false);
      assertThat(rich).isEqualTo(forwarded(frame, LINE_A).bytes());
      marked += poor.equals(forwarded(frame, LINE_A).ecn(CE).bytes()) ? 1 : 0;
    }
    assertThat(marked).isBetween(30, 51);
    // Past two targets a mark is not enough.
    leave(driver, frame, now + 1_000, 2 * TARGET);
    assertThat(driver.leave(frame.packetValue(30_000).at(TRUNK), now + 2_000, TARGET, false))
        .isEmpty();
    assertThat(events().get(QueueEvent.MARKED)).isZero();
  }

  private static boolean leaves(QueueDriver driver, int value, long now, long sojourn) {
    PortFrame frame = TestFrame.from("203.0.113.1", "10.0.0.1").packetValue(value).at(TRUNK);
    return !driver.leave(frame, now, sojourn, false).isEmpty();
  }

  /**
   * In a queue that stands above the target all the time: an algorithm that takes over begins a
   * cycle, whatever it did there before, so that for an interval nothing is dropped.
   */
  @ParameterizedTest
  @ValueSource(strings = {"CODEL_ACT", "P4_CODEL", "RFC8289"})
  void managingAQueueAgainDropsNothingByItself(AqmKind kind) {
    QueueAqmEntry settings = new QueueAqmEntry(LINE_A, 0, kind, TARGET, INTERVAL, false);
    mirror();
    new QueueDriver(dut, 1).managedInTurn(FRAME, INTERVAL, settings);
  }

  /**
   * The entry goes in the middle of a cycle and comes back when 32 bits of microseconds have
   * changed sign or gone round: then as ever an interval passes, and then it drops.
   */
  @ParameterizedTest
  @CsvSource({
    "CODEL_ACT,1", "CODEL_ACT,2140", "CODEL_ACT,2150", "CODEL_ACT,3600", "CODEL_ACT,4290",
    "CODEL_ACT,4300", "CODEL_ACT,6450", "CODEL_ACT,8585", "P4_CODEL,2150", "P4_CODEL,3600",
    "P4_CODEL,4290", "P4_CODEL,6450", "RFC8289,2150", "RFC8289,3600", "RFC8289,4290"
  })
  void aQueueIsManagedAgainHoweverLongItWasNot(AqmKind kind, long gapSeconds) {
    QueueAqmEntry settings = new QueueAqmEntry(LINE_A, 0, kind, TARGET, INTERVAL, false);
    QueueDriver driver = new QueueDriver(dut, 1);
    mirror();
    dut.control().insert(List.of(settings));
    long now = 1_000_000;
    for (; now < 1_000_000 + 10 * INTERVAL; now += 500) {
      driver.leave(FRAME, now, 20_000, false);
    }
    dut.control().write(List.of(PROGRAM.entries().update(Op.DELETE, settings)));
    now += gapSeconds * 1_000_000;
    assertThat(driver.leave(FRAME, now, 20_000, false)).isNotEmpty();
    dut.control().insert(List.of(settings));
    assertThat(driver.dropsAfterAnInterval(FRAME, now, INTERVAL)).isGreaterThan(now);
  }

  /** What the last cycle has found is for the next only if that begins within 16 intervals. */
  @ParameterizedTest
  @CsvSource({"1,true", "2,false", "86400,false", "2246400,false", "4320000,false"})
  void historyIsForgottenHoweverLongAgoItWas(long gapSeconds, boolean remembered) {
    manage(AqmKind.CODEL_ACT, false);
    mirror();
    new QueueDriver(dut, 1).assertRemembered(FRAME, INTERVAL, gapSeconds, remembered);
    assertThat(dut.control().register("SluiceEgress.codel_act.update.count", QUEUE) > WEIGHT)
        .isEqualTo(remembered);
  }

  /**
   * The entry goes in the middle of a cycle and comes back after an hour, for a queue that is short
   * by then. What the cycle found is too old for any cycle that begins when 32 bits of microseconds
   * have gone round.
   */
  @Test
  void whatACycleFoundThatWasLeftForAnHourIsForgotten() {
    QueueAqmEntry settings =
        new QueueAqmEntry(LINE_A, 0, AqmKind.CODEL_ACT, TARGET, INTERVAL, false);
    dut.control().insert(List.of(settings));
    mirror();
    QueueDriver driver = new QueueDriver(dut, 1);
    long now = 1_000_000;
    for (; now < 1_000_000 + 10 * INTERVAL; now += 500) {
      driver.leave(FRAME, now, 20_000, false);
    }
    long left = now;
    dut.control().write(List.of(PROGRAM.entries().update(Op.DELETE, settings)));
    now = left + 3_600_000_000L;
    driver.leave(FRAME, now, 0, false);
    dut.control().insert(List.of(settings));
    driver.leave(FRAME, now + 500, 0, false);
    // A start beside which its last drop seems to be due.
    now = left + (1L << 32);
    driver.leave(FRAME, now, 0, false);
    driver.leave(FRAME, now + 500, 20_000, false);
    driver.leave(FRAME, now + 1_000, 20_000, false);
    assertThat(driver.synchronised()).isZero();
    assertThat(dut.control().register("SluiceEgress.codel_act.update.count", QUEUE))
        .isEqualTo(WEIGHT);
  }

  /** In the middle of a cycle the pace stays, whatever is changed: no packet goes early. */
  @Test
  void changedSettingsDropNothingByThemselves() {
    mirror();
    QueueDriver driver = new QueueDriver(dut, 1);
    QueueAqmEntry[] settings = {
      new QueueAqmEntry(LINE_A, 0, AqmKind.CODEL_ACT, TARGET, INTERVAL, false),
      new QueueAqmEntry(LINE_A, 0, AqmKind.P4_CODEL, TARGET, INTERVAL, true),
      new QueueAqmEntry(LINE_A, 0, AqmKind.CODEL_ACT, 2_000, 40_000, false),
    };
    dut.control().insert(List.of(settings[0]));
    long now = 1_000_000;
    int dropped = 0;
    for (int change = 1; change < 300; change++) {
      for (int i = 0; i < 10; i++) {
        now += 1_000;
        if (driver.leave(FRAME, now, 10_000, false).isEmpty()) {
          dropped++;
        }
      }
      dut.control().modify(settings[change % settings.length]);
    }
    // Three seconds: no more than the most hasty of them drops when it is left alone.
    Rfc8289Codel hasty =
        new Rfc8289Codel(2_000, 40_000, c -> (long) (40_000 / Math.sqrt(c)), false);
    int alone = 0;
    for (long at = 1_001_000; at <= now; at += 1_000) {
      alone += hasty.drops(at, 10_000, false) ? 1 : 0;
    }
    assertThat(dropped).isBetween(1, alone);
  }

  private ByteString leave(QueueDriver driver, TestFrame frame, long now, long sojourn) {
    return driver.leave(frame.at(CORE), now, sojourn, false);
  }

  private Map<QueueEvent, Long> events() {
    Map<QueueEvent, Long> events = new EnumMap<>(QueueEvent.class);
    dut.control()
        .read(PROGRAM.counters().readQueue(LINE_A, 0))
        .forEach(
            entity -> {
              OfQueue cell = (OfQueue) PROGRAM.counters().decode(entity.getCounterEntry());
              events.put(cell.event(), cell.packets());
            });
    return events;
  }

  // ---- departures, references

  /** Stretches above and below the target, and single packets of either kind, for 60 seconds. */
  private static List<Departure> departures(long seed, int leastGap, int mostGap) {
    return departures(seed, 1_000_000, leastGap, mostGap);
  }

  private static List<Departure> departures(long seed, long fromMicros, int leastGap, int mostGap) {
    Random random = new Random(seed);
    List<Departure> departures = new ArrayList<>();
    long now = fromMicros;
    while (now < fromMicros + 60_000_000) {
      boolean above = random.nextBoolean();
      long length = (long) (2_000 * Math.pow(1_500, random.nextDouble()));
      for (long end = now + length; now < end; ) {
        long sojourn = above ? TARGET + random.nextInt(30_000) : random.nextInt((int) TARGET);
        departures.add(new Departure(now, sojourn, !above && random.nextBoolean()));
        now += leastGap + random.nextInt(mostGap - leastGap + 1);
      }
    }
    return departures;
  }

  private List<Long> drops(List<Departure> departures, long mirrorMicros) {
    return drops(departures, new QueueDriver(dut, mirrorMicros));
  }

  private static List<Long> drops(List<Departure> departures, QueueDriver driver) {
    List<Long> dropped = new ArrayList<>();
    for (Departure departure : departures) {
      if (driver
          .leave(FRAME, departure.micros(), departure.sojourn(), departure.shortQueue())
          .isEmpty()) {
        dropped.add(departure.micros());
      }
    }
    return dropped;
  }

  private static List<Long> drops(List<Departure> departures, Rfc8289Codel reference) {
    List<Long> dropped = new ArrayList<>();
    for (Departure departure : departures) {
      if (reference.drops(departure.micros(), departure.sojourn(), departure.shortQueue())) {
        dropped.add(departure.micros());
      }
    }
    return dropped;
  }

  private static long exactStep(long count) {
    return Math.round(INTERVAL / Math.sqrt(count));
  }

  private static long mathUnitStep(long count) {
    return MathUnit.root(count * WEIGHT);
  }

  private static long newtonStep(long count) {
    return newtonStep(count, WEIGHT);
  }

  /** What the program makes of it by two of Newton's steps in units of 2^-10 us. */
  private static long newtonStep(long count, long weight) {
    long weighted = count * weight;
    BigInteger n = BigInteger.valueOf(weighted);
    BigInteger three = BigInteger.valueOf(3).shiftLeft(64);
    BigInteger step =
        BigInteger.valueOf(
            weighted >> 32 == 0 ? MathUnit.root(weighted) << 10 : MathUnit.root(weighted >> 20));
    for (int i = 0; i < 2; i++) {
      step = step.multiply(three.subtract(n.multiply(step).multiply(step))).shiftRight(65);
    }
    double ideal = (1 << 22) / Math.sqrt(weighted);
    assertThat(step.doubleValue() / 1_024).isBetween(ideal * 0.9999, ideal);
    return step.longValue() >> 10;
  }
}
