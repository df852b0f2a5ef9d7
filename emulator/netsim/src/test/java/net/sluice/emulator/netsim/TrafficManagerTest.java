package net.sluice.emulator.netsim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.sluice.emulator.netsim.traffic.CapturingSink;
import org.junit.jupiter.api.Test;

/** Queue scheduling and limits; {@link SwitchNodeTest} covers a single queue. */
class TrafficManagerTest {

  private final Simulation simulation = new Simulation(1);
  private final TestDevice device = new TestDevice();
  private final CapturingSink sink = new CapturingSink();
  private SwitchPort in;
  private SwitchPort out;

  /** The tag's lowest digit is the queue; frames go to port 1. */
  private void build(long rateBps, long limitBytes) {
    device.load(p -> p.priority = (int) (p.tag % 10), p -> {});
    SwitchNode node = new SwitchNode(simulation, device);
    in = node.addPort(0, LineClock.UNLIMITED_BPS, 0);
    out = node.addPort(1, rateBps, limitBytes);
    out.connect(sink);
  }

  private void inject(long atNanos, int bytes, long tag) {
    simulation.schedule(atNanos, (now, a) -> in.receive(new byte[bytes], 0, bytes, tag, now), 0);
  }

  private List<Long> tags() {
    return sink.captures().stream().map(CapturingSink.Capture::tag).toList();
  }

  @Test
  void theHighestNumberGoesFirstByDefault() {
    build(100_000_000, 100_000);
    for (long queue : new long[] {0, 3, 7, 1, 3}) {
      inject(0, 125, 10 + queue);
    }
    simulation.runUntil(1_000_000);
    // The first found the line free.
    assertThat(tags()).containsExactly(10L, 17L, 13L, 13L, 11L);
    assertThat(out.scheduling()).isEqualTo(QueueScheduling.STRICT);
    assertThat(out.queueStatistics(3)).isEqualTo(new QueueStatistics(0, 0, 250, 2, 250, 0, 0));
  }

  @Test
  void metadataIsThatOfTheFramesOwnQueue() {
    build(100_000_000, 100_000);
    device.pipeline().logging = true;
    // 10 us each.
    inject(0, 125, 11);
    inject(1_000, 125, 11);
    inject(2_000, 125, 15);
    inject(3_000, 125, 11);
    inject(4_000, 125, 15);
    simulation.runUntil(1_000_000);
    assertThat(device.pipeline().egressLog)
        .containsExactly(
            "enq=0 depth=0 delta=0 left=0 now=0",
            "enq=2 depth=0 delta=8 left=1 now=10",
            "enq=4 depth=1 delta=16 left=0 now=20",
            "enq=1 depth=0 delta=29 left=1 now=30",
            "enq=3 depth=1 delta=37 left=0 now=40");
  }

  @Test
  void eachQueueHasItsOwnLimits() {
    build(1_000_000, 1_000_000);
    out.setQueueLimits(1, 1_000_000, 2);
    out.setQueueLimits(2, 250, 1_000);
    inject(0, 125, 10);
    for (int i = 1; i <= 4; i++) {
      inject(i, 125, 10 * i + 1);
      inject(i, 125, 10 * i + 2);
      inject(i, 125, 10 * i + 3);
    }
    simulation.runUntil(10);
    assertThat(out.queueStatistics(1)).isEqualTo(new QueueStatistics(2, 250, 250, 0, 0, 2, 250));
    assertThat(out.queueStatistics(2)).isEqualTo(new QueueStatistics(2, 250, 250, 0, 0, 2, 250));
    assertThat(out.queueStatistics(3)).isEqualTo(new QueueStatistics(4, 500, 500, 0, 0, 0, 0));
    assertThat(out.statistics().tailDropPackets()).isEqualTo(4);
    assertThat(out.statistics().queuedPackets()).isEqualTo(8);
    assertThat(out.counters().outDiscards()).isEqualTo(4);
    assertThat(out.queueLimitPackets(1)).isEqualTo(2);
    assertThat(out.queueLimitBytes(2)).isEqualTo(250);
  }

  @Test
  void aPortThatIsHeldBackKeepsItsFramesInTheirQueues() {
    build(LineClock.UNLIMITED_BPS, Long.MAX_VALUE);
    device.pipeline().logging = true;
    out.setQueueLimits(2, Long.MAX_VALUE, 100);
    inject(0, 125, 11);
    simulation.schedule(500, (now, a) -> out.setHeldBack(true), 0);
    for (int i = 0; i < 120; i++) {
      inject(1_000, 125, 21);
      inject(1_000, 125, 22);
    }
    simulation.runUntil(50_000);
    assertThat(tags()).containsExactly(11L);
    assertThat(out.queueStatistics(1).packets())
        .as("without limits: as simple_switch")
        .isEqualTo(64);
    assertThat(out.queueStatistics(2).packets()).as("what was allowed").isEqualTo(100);
    assertThat(out.statistics().tailDropPackets()).isEqualTo(240 - 164);
    simulation.schedule(60_000, (now, a) -> out.setHeldBack(false), 0);
    simulation.runUntil(70_000);
    assertThat(tags()).hasSize(1 + 164).startsWith(11L, 22L).endsWith(21L);
    // What waited knows it, and who comes when nothing holds back waits no more.
    assertThat(device.pipeline().egressLog)
        .contains("enq=1 depth=0 delta=59 left=63 now=60", "enq=1 depth=63 delta=59 left=0 now=60");
    inject(80_000, 125, 31);
    simulation.runUntil(90_000);
    assertThat(device.pipeline().egressLog).endsWith("enq=80 depth=0 delta=0 left=0 now=80");
  }

  @Test
  void aPriorityBeyondTheQueuesIsDiscarded() {
    build(100_000_000, 100_000);
    inject(0, 125, 18);
    inject(0, 125, 17);
    simulation.runUntil(1_000_000);
    assertThat(tags()).containsExactly(17L);
    assertThat(out.counters().outDiscards()).isEqualTo(1);
    assertThat(device.pipeline().outstanding()).isZero();
  }

  @Test
  void backloggedQueuesShareByBytesWhateverTheirFrames() {
    build(1_000_000_000, 1_000_000);
    out.setScheduling(QueueScheduling.parse("0:1,1:2,2:5"));
    Map<Integer, Integer> frame = Map.of(0, 1_500, 1, 64, 2, 333);
    for (int queue = 0; queue < 3; queue++) {
      keepBacklogged(queue, frame.get(queue), 30_000_000);
    }
    simulation.runUntil(30_000_000);
    // 30 ms at 1 Gbit/s are 3.75 MB; 8 shares of 468,750 bytes, each within a frame of everyone's.
    assertThat(out.queueStatistics(0).sentBytes()).isCloseTo(468_750, within(1_500L));
    assertThat(out.queueStatistics(1).sentBytes()).isCloseTo(937_500, within(3_000L));
    assertThat(out.queueStatistics(2).sentBytes()).isCloseTo(2_343_750, within(4_500L));
    assertThat(out.statistics().utilisation()).isEqualTo(1.0);
  }

  /** Three frames wait or are sent from the start on: each that has been sent is replaced. */
  private void keepBacklogged(int queue, int bytes, long untilNanos) {
    int[] arrived = {0};
    EventHandler[] refill = new EventHandler[1];
    refill[0] =
        (now, a) -> {
          while (arrived[0] - out.queueStatistics(queue).sentPackets() < 3) {
            arrived[0]++;
            in.receive(new byte[bytes], 0, bytes, 10 + queue, now);
          }
          if (now < untilNanos) {
            simulation.schedule(now + 100, refill[0], 0);
          }
        };
    simulation.schedule(0, refill[0], 0);
  }

  @Test
  void strictQueuesGoBeforeWeightedOnes() {
    build(100_000_000, 1_000_000);
    out.setScheduling(QueueScheduling.parse("7/6:3,5:1/4"));
    for (int i = 0; i < 4; i++) {
      for (int queue = 4; queue < 8; queue++) {
        inject(i, 125, 10 * i + queue);
      }
    }
    inject(25_000, 125, 97);
    simulation.runUntil(10_000_000);
    // 4 finds the line free. Tags of 6 and 5 grow by 1/3 and by 1 of a frame.
    assertThat(tags().stream().map(tag -> tag % 10))
        .containsExactly(4L, 7L, 7L, 7L, 7L, 7L, 6L, 5L, 6L, 6L, 6L, 5L, 5L, 5L, 4L, 4L, 4L);
    // The late one waited only for the frame on the line.
    assertThat(tags().indexOf(97L)).isEqualTo(5);
  }

  @Test
  void whatEgressDropsIsChargedToNobody() {
    device.load(p -> p.priority = (int) (p.tag % 10), p -> p.dropped = p.tag < 100);
    SwitchNode node = new SwitchNode(simulation, device);
    in = node.addPort(0, LineClock.UNLIMITED_BPS, 0);
    out = node.addPort(1, 100_000_000, 1_000_000);
    out.connect(sink);
    out.setScheduling(QueueScheduling.parse("1:1,0:1"));
    inject(0, 125, 100);
    for (int i = 1; i < 4; i++) {
      inject(i, 1_000, 11);
      inject(i, 125, 101);
      inject(i, 125, 100);
    }
    simulation.runUntil(1_000_000);
    // Dropped frames change no tag: 1 still goes first, twice as 0 was sent before.
    assertThat(tags()).containsExactly(100L, 101L, 101L, 100L, 101L, 100L, 100L);
  }

  @Test
  void aShapedLevelKeepsItsRateAndLeavesTheRestToOthers() {
    build(100_000_000, 1_000_000);
    out.setScheduling(QueueScheduling.parse("7@20M/0"));
    keepBacklogged(7, 1_250, 1_000_000_000);
    keepBacklogged(0, 1_250, 1_000_000_000);
    simulation.runUntil(1_000_000_000);
    // A second at 20 and at 80 Mbit/s: a frame of 7 starts every 500 us, or when the line is free.
    assertThat(out.queueStatistics(7).sentBytes()).isCloseTo(2_500_000, within(1_250L));
    assertThat(out.queueStatistics(0).sentBytes()).isCloseTo(10_000_000, within(2_500L));
  }

  @Test
  void anIdleLineWakesUpForAShapedLevelExactly() {
    build(100_000_000, 1_000_000);
    out.setScheduling(
        QueueScheduling.complete(
            List.of(
                new QueueScheduling.Level(
                    false, List.of(new QueueScheduling.Input(7, 1)), 3_000_000, 125))));
    for (int i = 0; i < 4; i++) {
      inject(0, 125, 17);
    }
    simulation.runUntil(10_000_000);
    // 125 bytes take 10 us of line and 333 1/3 us of the level's rate; one frame may be ahead.
    assertThat(sink.captures().stream().map(CapturingSink.Capture::nanos))
        .containsExactly(10_000L, 20_000L, 343_333L, 676_666L);
    assertThat(out.statistics().busyNanos()).isEqualTo(40_000);
  }

  @Test
  void aChangeOfSchedulingReleasesWhatWasHeldBack() {
    build(100_000_000, 1_000_000);
    out.setScheduling(QueueScheduling.parse("7@1k"));
    inject(0, 125, 17);
    inject(0, 125, 27);
    simulation.runUntil(1_000_000);
    assertThat(tags()).containsExactly(17L);
    simulation.execute(() -> out.setScheduling(QueueScheduling.STRICT));
    simulation.runUntil(2_000_000);
    assertThat(sink.captures().get(1).nanos()).isEqualTo(1_010_000);
  }

  @Test
  void aPortThatIsNotUpLosesWhatItHasAndDiscardsTheRest() {
    build(100_000_000, 1_000_000);
    List<String> heard = new ArrayList<>();
    SwitchNode node = new SwitchNode(simulation, device);
    node.setPortListener(port -> heard.add(port.number() + " " + port.isUp()));
    in = node.addPort(0, LineClock.UNLIMITED_BPS, 0);
    out = node.addPort(1, 100_000_000, 1_000_000);
    out.connect(sink);
    for (int i = 0; i < 3; i++) {
      inject(i, 1_250, 10);
    }
    simulation.schedule(50_000, (now, a) -> out.setEnabled(false), 0);
    inject(60_000, 1_250, 10);
    simulation.schedule(200_000, (now, a) -> out.setLinkUp(false), 0);
    simulation.schedule(300_000, (now, a) -> out.setEnabled(true), 0);
    simulation.schedule(400_000, (now, a) -> out.setLinkUp(true), 0);
    inject(500_000, 1_250, 20);
    simulation.schedule(700_000, (now, a) -> in.setEnabled(false), 0);
    inject(800_000, 1_250, 30);
    simulation.runUntil(1_000_000);
    assertThat(tags()).containsExactly(20L);
    assertThat(heard).containsExactly("1 false", "1 false", "1 false", "1 true", "0 false");
    assertThat(out.lastChangeNanos()).isEqualTo(400_000);
    assertThat(out.counters()).isEqualTo(new PortCounters(0, 0, 0, 0, 0, 0, 1_250, 1, 0, 0, 4, 0));
    assertThat(in.counters()).isEqualTo(new PortCounters(7_500, 6, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0));
    assertThat(device.pipeline().outstanding()).isZero();
  }

  @Test
  void framesAreCountedByTheirDestination() {
    build(100_000_000, 1_000_000);
    byte[] broadcast = new byte[60];
    java.util.Arrays.fill(broadcast, 0, 6, (byte) 0xff);
    byte[] group = new byte[70];
    group[0] = 1;
    byte[] tooShort = {(byte) 0xff, (byte) 0xff};
    for (byte[] frame : List.of(broadcast, group, tooShort, new byte[80], new byte[0])) {
      simulation.schedule(0, (now, a) -> in.receive(frame, 0, frame.length, 0, now), 0);
    }
    simulation.runUntil(1_000_000);
    assertThat(in.counters()).isEqualTo(new PortCounters(212, 2, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0));
    assertThat(out.counters()).isEqualTo(new PortCounters(0, 0, 0, 0, 0, 0, 212, 2, 2, 1, 0, 0));
    in.resetStatistics();
    assertThat(in.statistics().receivedPackets()).isZero();
    assertThat(in.counters().inOctets()).isEqualTo(212);
  }

  /** Levels, arrivals and limits of one trial. */
  record Trial(
      QueueScheduling scheduling,
      List<ReferenceQueues.Arrival> arrivals,
      long limitBytes,
      int limitPackets) {}

  @Property(seed = "1", tries = 500)
  void everyFrameLeavesWhenTheReferenceSaysSo(@ForAll("trials") Trial trial) {
    Simulation virtual = new Simulation(1);
    TestDevice switched = new TestDevice();
    switched.load(p -> p.priority = (int) (p.tag % 10), p -> {});
    SwitchNode node = new SwitchNode(virtual, switched);
    SwitchPort from = node.addPort(0, LineClock.UNLIMITED_BPS, 0);
    SwitchPort to = node.addPort(1, 1_000_000_000, 0);
    for (int queue = 0; queue < QueueScheduling.QUEUES; queue++) {
      to.setQueueLimits(queue, trial.limitBytes(), trial.limitPackets());
    }
    to.setScheduling(trial.scheduling());
    virtual.runUntil(0);
    List<ReferenceQueues.Departure> departures = new ArrayList<>();
    to.connect(
        (bytes, offset, length, tag, nowNanos) ->
            departures.add(new ReferenceQueues.Departure(nowNanos, tag)));
    for (ReferenceQueues.Arrival arrival : trial.arrivals()) {
      virtual.schedule(
          arrival.nanos(),
          (now, a) ->
              from.receive(new byte[arrival.bytes()], 0, arrival.bytes(), arrival.id(), now),
          0);
    }
    virtual.runUntil(1_000_000_000_000L);

    ReferenceQueues reference =
        new ReferenceQueues(
            trial.scheduling(), 1_000_000_000, trial.limitBytes(), trial.limitPackets());
    reference.run(trial.arrivals());
    assertThat(departures).isEqualTo(reference.departures);
    assertThat(to.statistics().tailDropPackets()).isEqualTo(reference.dropped.size());
    assertThat(switched.pipeline().outstanding()).isZero();
  }

  @Provide
  Arbitrary<Trial> trials() {
    Arbitrary<List<int[]>> arrivals =
        Combinators.combine(
                Arbitraries.longs().between(0, 100_000),
                Arbitraries.integers().between(0, 7),
                Arbitraries.integers().between(1, 2_000))
            .as((nanos, queue, bytes) -> new int[] {(int) (long) nanos, queue, bytes})
            .list()
            .ofMinSize(1)
            .ofMaxSize(120);
    return Combinators.combine(
            schedulings(),
            arrivals,
            Arbitraries.of(0L, 3_000L, 1_000_000L),
            Arbitraries.of(1, 3, 1_000))
        .as(
            (scheduling, frames, limitBytes, limitPackets) -> {
              List<int[]> sorted = new ArrayList<>(frames);
              sorted.sort(Comparator.comparingInt(frame -> frame[0]));
              List<ReferenceQueues.Arrival> list = new ArrayList<>();
              for (int[] frame : sorted) {
                list.add(
                    new ReferenceQueues.Arrival(
                        frame[0], frame[1], frame[2], 10L * list.size() + frame[1]));
              }
              return new Trial(scheduling, list, limitBytes, limitPackets);
            });
  }

  /** Weights are powers of two, with which tags have no fractions beyond what is carried. */
  private static Arbitrary<QueueScheduling> schedulings() {
    return Arbitraries.integers()
        .map(
            seed -> {
              Random random = new Random(seed);
              List<Integer> queues = new ArrayList<>(List.of(0, 1, 2, 3, 4, 5, 6, 7));
              Collections.shuffle(queues, random);
              List<QueueScheduling.Level> levels = new ArrayList<>();
              while (!queues.isEmpty()) {
                int size = 1 + random.nextInt(queues.size());
                boolean weighted = random.nextBoolean();
                List<QueueScheduling.Input> inputs = new ArrayList<>();
                for (int queue : queues.subList(0, size)) {
                  inputs.add(
                      new QueueScheduling.Input(queue, weighted ? 1 << random.nextInt(8) : 1));
                }
                queues.subList(0, size).clear();
                boolean shaped = random.nextInt(3) == 0;
                levels.add(
                    new QueueScheduling.Level(
                        weighted,
                        inputs,
                        shaped ? 7_000_000 + random.nextInt(900_000_000) : LineClock.UNLIMITED_BPS,
                        shaped ? random.nextInt(5_000) : 0));
              }
              return new QueueScheduling(levels);
            });
  }

  @Property(seed = "1", tries = 100)
  void bytesPerWeightDifferByNoMoreThanAFrameOfEach(@ForAll("weights") List<Integer> weights) {
    QueueScheduler scheduler = new QueueScheduler();
    List<QueueScheduling.Input> inputs = new ArrayList<>();
    for (int queue = 0; queue < weights.size(); queue++) {
      inputs.add(new QueueScheduling.Input(queue, weights.get(queue)));
    }
    scheduler.set(
        QueueScheduling.complete(
            List.of(new QueueScheduling.Level(true, inputs, LineClock.UNLIMITED_BPS, 0))));
    for (int queue = 0; queue < weights.size(); queue++) {
      scheduler.filled(queue);
    }
    Random random = new Random(weights.hashCode());
    long[] sent = new long[weights.size()];
    for (int frame = 0; frame < 20_000; frame++) {
      int queue = scheduler.next(0);
      int bytes = 1 + random.nextInt(9_000);
      scheduler.charge(queue, bytes, 0);
      sent[queue] += bytes;
      for (int other = 0; other < sent.length; other++) {
        double difference =
            (double) sent[queue] / weights.get(queue) - (double) sent[other] / weights.get(other);
        // A thousandth of a byte for tags that differ by less than they can show.
        assertThat(Math.abs(difference))
            .isLessThanOrEqualTo(
                9_000.0 / weights.get(queue) + 9_000.0 / weights.get(other) + 0.002);
      }
    }
  }

  @Provide
  Arbitrary<List<Integer>> weights() {
    return Arbitraries.oneOf(
            Arbitraries.integers().between(1, 10),
            Arbitraries.integers().between(1, QueueScheduling.MAX_WEIGHT))
        .list()
        .ofMinSize(2)
        .ofMaxSize(8);
  }

  @Test
  void schedulingsAreReadAsTheyAreWritten() {
    QueueScheduling read = QueueScheduling.parse("7@2M/6:3,5:1/1,2");
    assertThat(read.levels()).hasSize(6);
    assertThat(read.levels().get(0).rateBps()).isEqualTo(2_000_000);
    assertThat(read.levels().get(1).weighted()).isTrue();
    assertThat(read.levels().get(1).inputs())
        .containsExactly(new QueueScheduling.Input(6, 3), new QueueScheduling.Input(5, 1));
    assertThat(read.levels().get(2).weighted()).isFalse();
    assertThat(read.levels().subList(3, 6))
        .containsExactly(
            QueueScheduling.Level.of(4), QueueScheduling.Level.of(3), QueueScheduling.Level.of(0));
    assertThat(QueueScheduling.parse("7/6")).isEqualTo(QueueScheduling.STRICT);
  }

  @Test
  void schedulingsThatCannotBeAreRefused() {
    assertRefused("8", "level '8': must be queues 0..7 such as 7 or 6:3,5:1, and may end in @RATE");
    assertRefused(
        "7//6", "level '': must be queues 0..7 such as 7 or 6:3,5:1, and may end in @RATE");
    assertRefused("7,7", "queue 7: must be named once");
    assertRefused("7:1,6", "level '7:1,6': must have a weight for each queue or for none");
    assertRefused("7:0", "weight 0 of queue 7: must be 1..1000000");
    assertRefused("7@fast", "rate 'fast' of level '7@fast': must be bit/s such as 800k, 20M or 1G");
    assertRefused("7@99999999999999G", "rateBps 10000000000001: must be 1..10000000000000");
    assertRefused("7@0", "rateBps 0: must be 1..10000000000000");
    assertThatThrownBy(() -> new QueueScheduling(List.of(QueueScheduling.Level.of(0))))
        .hasMessage("queue 1: must be in a level");
    assertThatThrownBy(
            () -> new QueueScheduling.Level(false, List.of(), LineClock.UNLIMITED_BPS, 0))
        .hasMessage("a level without queues: must have at least one");
    build(1, 1);
    assertThatThrownBy(() -> out.setQueueLimits(8, 1, 1)).hasMessage("queue 8: must be 0..7");
    assertThatThrownBy(() -> out.setQueueLimits(0, 1, -1))
        .hasMessage("queueLimitPackets -1 of port 1: must be at least 0");
  }

  private static void assertRefused(String text, String message) {
    assertThatThrownBy(() -> QueueScheduling.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}
