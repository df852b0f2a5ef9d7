package net.sluice.it.p4;

import static net.sluice.it.p4.PipelineContract.CORE;
import static net.sluice.it.p4.PipelineContract.LINE_A;
import static net.sluice.it.p4.PipelineContract.prefix;
import static net.sluice.it.p4.PipelineContract.unshaped;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.sluice.intents.model.policy.AqmKind;
import net.sluice.intents.plan.entry.queue.MirrorEntry;
import net.sluice.intents.plan.entry.queue.QueueAqmEntry;
import net.sluice.lab.support.Rfc8289Codel;
import net.sluice.pipeconf.CounterCodec.QueueEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * CoDel-ACT of the program for Tofino, packet by packet against RFC 8289's pseudo-code in the
 * program's own time: ticks of 256 ns, of which a setting's microsecond takes four.
 */
class TofinoCodelTest {
  private static final long TARGET = 5_000;
  private static final long INTERVAL = 100_000;
  private static final long TICKS = 4;
  private static final long WEIGHT = Math.round(Math.pow((1 << 22) / (double) INTERVAL, 2));
  private static final PortFrame FRAME =
      TestFrame.from("203.0.113.1", "10.0.0.1").payload(TestFrame.udp(1, 2, 1_000)).at(CORE);

  private EmulatedSwitch dut;

  @BeforeEach
  void start() {
    dut = EmulatedSwitch.start(TofinoModel.load(), 1);
    dut.control().insert(PipelineContract.ports());
    dut.control().insert(List.of(prefix("10.0.0.1/32", unshaped(1, 0, LINE_A))));
  }

  @AfterEach
  void stop() {
    dut.close();
  }

  private static QueueAqmEntry settings() {
    return new QueueAqmEntry(LINE_A, 0, AqmKind.CODEL_ACT, TARGET, INTERVAL, false);
  }

  private void mirror() {
    dut.control().insert(List.of(new MirrorEntry(TofinoModel.RECIRCULATION_PORT)));
  }

  private static long ticks(long micros) {
    return micros * 1_000 >> 8;
  }

  /**
   * 2^24 ticks over the root of a weighted count, as the chip's math unit has it: of the count as i
   * / 8 times an even power of two, i from 4 to 15, eight bits of the mean over what i stands for.
   */
  private static long step(long count) {
    long doubled = 2 * count * WEIGHT;
    int pairs = (63 - Long.numberOfLeadingZeros(doubled) - 2) / 2;
    double low = (doubled >> 2 * pairs) / 8.0;
    double mean = 16 * (Math.sqrt(low + 1 / 8.0) - Math.sqrt(low));
    return Math.round(128 * mean) << 16 - pairs;
  }

  private static Rfc8289Codel reference() {
    return new Rfc8289Codel(TARGET * TICKS, INTERVAL * TICKS, TofinoCodelTest::step, true);
  }

  @ParameterizedTest
  @CsvSource({
    "1,1,1000000",
    "2,1,1000000",
    "3,1,1000000",
    "4,2,1000000",
    "5,40,1000000",
    "6,1000,1000000",
    // Where the clock's sign changes, and where it goes round.
    "7,1,519000000",
    "8,1,1069000000"
  })
  void dropsWhatThePseudoCodeDrops(long seed, long mirrorMicros, long fromMicros) {
    dut.control().insert(List.of(settings()));
    mirror();
    QueueDriver driver = new QueueDriver(dut, mirrorMicros);
    Rfc8289Codel reference = reference();
    Random random = new Random(seed);
    List<Long> dropped = new ArrayList<>();
    List<Long> expected = new ArrayList<>();
    long now = fromMicros;
    while (now < fromMicros + 60_000_000) {
      boolean above = random.nextBoolean();
      long length = (long) (2_000 * Math.pow(1_500, random.nextDouble()));
      for (long end = now + length; now < end; now += 10 + random.nextInt(291)) {
        long sojourn = above ? 6_000 + random.nextInt(30_000) : random.nextInt(4_000);
        boolean shortQueue = !above && random.nextBoolean();
        if (driver.leave(FRAME, now, sojourn, shortQueue).isEmpty()) {
          dropped.add(now);
        }
        if (reference.drops(ticks(now), ticks(now) - ticks(now - sojourn), shortQueue)) {
          expected.add(now);
        }
      }
    }
    assertThat(dropped).isEqualTo(expected).hasSizeGreaterThan(99);
    assertThat(driver.synchronised()).isGreaterThan(10);
    assertThat(events().get(QueueEvent.DROPPED)).isEqualTo(dropped.size());
    assertThat(events().get(QueueEvent.SYNCHRONISED)).isEqualTo(driver.synchronised());
  }

  /** Without the mirror session each cycle begins with a count of 1. */
  @Test
  void withoutTheMirroredPacketEachCycleBeginsAnew() {
    dut.control().insert(List.of(settings()));
    QueueDriver driver = new QueueDriver(dut, 1);
    List<Integer> dropsOfCycles = new ArrayList<>();
    long now = 1_000_000;
    for (int cycle = 0; cycle < 5; cycle++) {
      int drops = 0;
      for (long end = now + 1_000_000; now < end; now += 100) {
        drops += driver.leave(FRAME, now, 20_000, false).isEmpty() ? 1 : 0;
      }
      assertThat(driver.leave(FRAME, now, 0, false)).isNotEmpty();
      dropsOfCycles.add(drops);
    }
    assertThat(dropsOfCycles).containsOnly(dropsOfCycles.get(0));
    assertThat(dropsOfCycles.get(0)).isGreaterThan(10);
  }

  /** A count of 6,103 weighs all that its register holds at an interval of 5 ms; it stays there. */
  @Test
  void aCountThatIsAsHighAsItCanBeStaysThere() {
    dut.control()
        .insert(List.of(new QueueAqmEntry(LINE_A, 0, AqmKind.CODEL_ACT, 1_000, 5_000, false)));
    QueueDriver driver = new QueueDriver(dut, 1);
    int drops = 0;
    int last = 0;
    for (long now = 1_000_000; now < 2_000_000; now += 20) {
      boolean dropped = driver.leave(FRAME, now, 20_000, false).isEmpty();
      drops += dropped ? 1 : 0;
      last += dropped && now >= 1_950_000 ? 1 : 0;
    }
    assertThat(drops).isGreaterThan(6_103);
    // Each 64 us, or as the last step of the square root has it.
    assertThat(last).isBetween(700, 800);
  }

  @Test
  void aQueueThatIsNotManagedDropsNothing() {
    mirror();
    QueueDriver driver = new QueueDriver(dut, 1);
    for (long now = 1_000_000; now < 5_000_000; now += 1_000) {
      assertThat(driver.leave(FRAME, now, 50_000, false)).isNotEmpty();
    }
    assertThat(events().values()).containsOnly(0L);
  }

  /** In a queue that stands above the target: for an interval nothing is dropped. */
  @Test
  void managingAQueueAgainDropsNothingByItself() {
    mirror();
    new QueueDriver(dut, 1).managedInTurn(FRAME, INTERVAL, settings());
  }

  /** What the last cycle has found is for the next only if that begins within 16 intervals. */
  @ParameterizedTest
  @CsvSource({"1,true", "2,false", "500,false", "560,false", "1000,false", "1095,false"})
  void historyIsForgottenHoweverLongAgoItWas(long gapSeconds, boolean remembered) {
    dut.control().insert(List.of(settings()));
    mirror();
    new QueueDriver(dut, 1).assertRemembered(FRAME, INTERVAL, gapSeconds, remembered);
    assertThat(events().get(QueueEvent.SYNCHRONISED)).isEqualTo(remembered ? 2 : 1);
  }

  /** A queue from which nothing leaves for however long, and which then stands above the target. */
  @ParameterizedTest
  @ValueSource(longs = {1, 540, 560, 1_000, 1_090})
  void aCycleGoesOnHoweverLongNothingLeft(long gapSeconds) {
    dut.control().insert(List.of(settings()));
    mirror();
    QueueDriver driver = new QueueDriver(dut, 1);
    long now = 1_000_000;
    for (; now < 1_000_000 + 3 * INTERVAL; now += 500) {
      driver.leave(FRAME, now, 20_000, false);
    }
    now += gapSeconds * 1_000_000;
    int dropped = 0;
    for (long end = now + INTERVAL; now < end; now += 500) {
      dropped += driver.leave(FRAME, now, 20_000, false).isEmpty() ? 1 : 0;
    }
    assertThat(dropped).isPositive();
  }

  private Map<QueueEvent, Long> events() {
    Map<QueueEvent, Long> events = new EnumMap<>(QueueEvent.class);
    for (QueueEvent event : QueueEvent.values()) {
      int cell = LINE_A << 5 | event.ordinal();
      events.put(
          event, TofinoModel.counted(dut.control(), "SluiceEgress.codel_act.aqm_events", cell));
    }
    return events;
  }
}
