package net.sluice.it.p4;

import static net.sluice.intents.value.Direction.DOWN;
import static net.sluice.it.p4.PipelineContract.CORE;
import static net.sluice.it.p4.PipelineContract.LINE_A;
import static net.sluice.it.p4.PipelineContract.prefix;
import static net.sluice.it.p4.PipelineContract.unshaped;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import net.sluice.emulator.server.EmbeddedSwitch;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.plan.entry.limit.LoopPortEntry;
import net.sluice.intents.plan.entry.limit.PolicyDelayEntry;
import net.sluice.intents.plan.entry.limit.PolicyFlowsEntry;
import net.sluice.intents.plan.entry.limit.RateWord;
import net.sluice.intents.plan.entry.limit.SubscriberLimitEntry;
import net.sluice.intents.plan.entry.limit.WaitSetting;
import net.sluice.intents.plan.entry.limit.WaitSetting.Managed;
import net.sluice.pipeconf.CounterCodec.Point;
import net.sluice.pipeconf.CounterCodec.Reading.OfDrops;
import net.sluice.pipeconf.CounterCodec.Reading.OfSubscriber;
import net.sluice.pipeconf.DropReason;
import net.sluice.pipeconf.V1ModelPipeline;
import net.sluice.pipeconf.WaitRange;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How the packets of a subscriber under a shaped limit are counted, in virtual time. */
class LimitEventsTest {
  private static final int PIPES = 4;
  private static final int FIRST_LOOP = 500;
  private static final long LOOP_BPS = 1_000_000_000;
  private static final long BUFFER_BYTES = 15_000_000;
  private static final Attachment TREE = new Attachment(1, 2);
  private static final int SUBSCRIBER = 5;
  private static final int POLICY = 3;
  private static final int RATE_BPS = 10_000_000;
  private static final int BYTES = 1_000;
  private static final int HEADERS = 42;

  private static final long MILLI = 1_000_000;
  private static final long LONGEST_NANOS = 100 * MILLI;
  private static final int TARGET_NANOS = 5_000_000;
  private static final int INTERVAL_MICROS = 100_000;

  private static final int FLOOD = 1;
  private static final int CALL = 2;

  private FramesThrough network;
  private EmbeddedSwitch dut;
  private ControlClient control;
  private int sent;
  private int left;

  @BeforeEach
  void start() {
    network = new FramesThrough(0);
    dut = network.embedded();
    control = new ControlClient(network.channel(), FramesThrough.DEVICE_ID, V1ModelPipeline.load());
    dut.port(LINE_A).connect((bytes, offset, length, tag, nowNanos) -> left++);
    control.insert(PipelineContract.ports());
    control.insert(List.of(prefix("10.0.0.1/32", unshaped(SUBSCRIBER, POLICY, LINE_A))));
    for (int pipe = 0; pipe < PIPES; pipe++) {
      dut.port(FIRST_LOOP + pipe).setRateBps(LOOP_BPS);
      control.insert(List.of(new LoopPortEntry(pipe, FIRST_LOOP + pipe, BUFFER_BYTES)));
    }
    control.insert(
        List.of(new SubscriberLimitEntry(SUBSCRIBER, DOWN, TREE, RateWord.nearest(RATE_BPS))));
    run(1);
  }

  @AfterEach
  void stop() {
    control.close();
    network.close();
  }

  private void run(long millis) {
    dut.run(Duration.ofMillis(millis));
  }

  private void policy(Managed aqm, boolean ecn, boolean lightFirst) {
    WaitSetting setting =
        new WaitSetting(LONGEST_NANOS, aqm, TARGET_NANOS, INTERVAL_MICROS, ecn, false);
    control.insert(List.of(new PolicyDelayEntry(POLICY, setting)));
    if (lightFirst) {
      control.insert(List.of(new PolicyFlowsEntry(POLICY, 0)));
    }
  }

  private void send(int flow, int ecn) {
    sent++;
    dut.send(
        CORE,
        TestFrame.from("203.0.113.1", "10.0.0.1")
            .ecn(ecn)
            .payload(TestFrame.udp(flow, 9, BYTES - HEADERS))
            .bytes()
            .toByteArray());
  }

  /** Twice the limit for 0.8 s, and a packet of a call every 20 ms beside it. */
  private void flood(int ecn) {
    for (int millis = 0; millis < 800; millis += 2) {
      for (int i = 0; i < 5; i++) {
        send(FLOOD, ecn);
      }
      if (millis % 20 == 0) {
        send(CALL, ecn);
      }
      run(2);
    }
    run(200);
  }

  /** The subscriber's packets by where they were counted; all have the same length. */
  private Map<Point, Long> counted() {
    Map<Point, Long> packets = new EnumMap<>(Point.class);
    control.read(control.program().readCounters(List.of(SUBSCRIBER))).stream()
        .map(entity -> control.program().decode(entity.getCounterEntry()))
        .filter(reading -> reading instanceof OfSubscriber of && of.direction() == DOWN)
        .map(OfSubscriber.class::cast)
        .forEach(
            of -> {
              packets.put(of.point(), of.packets());
              assertThat(of.bytes()).as("bytes %s", of.point()).isEqualTo(BYTES * of.packets());
            });
    return packets;
  }

  private static long letIn(Map<Point, Long> counted) {
    return Arrays.stream(WaitRange.values()).mapToLong(range -> counted.get(range.point())).sum();
  }

  private long dropped(DropReason reason) {
    return control.read(control.program().readCounters(List.of())).stream()
        .map(entity -> control.program().decode(entity.getCounterEntry()))
        .filter(r -> r instanceof OfDrops d && d.reason() == reason)
        .mapToLong(r -> ((OfDrops) r).packets())
        .sum();
  }

  /** Each packet that came was let in or dropped, and what was let in has left. */
  private void assertAllCounted(Map<Point, Long> counted) {
    assertThat(counted.get(Point.IN)).as("%s", counted).isEqualTo(sent);
    assertThat(counted.get(Point.OUT)).as("%s", counted).isEqualTo(left);
    assertThat(letIn(counted)).as("%s", counted).isEqualTo(left);
    assertThat(counted.get(Point.OVERFLOWED) + counted.get(Point.LIMIT_DROPPED))
        .as("%s", counted)
        .isEqualTo(sent - left);
    assertThat(counted.get(Point.LIMIT_DROPPED)).isEqualTo(dropped(DropReason.LIMIT_CODEL));
    assertThat(counted.get(Point.OVERFLOWED)).isEqualTo(dropped(DropReason.LIMIT_WAIT));
  }

  /** Without a policy's delay a burst waits as long as it takes: packet by packet 0.8 ms longer. */
  @Test
  void waitsAreCountedByTheirRange() {
    double eachMillis =
        RateWord.elapsed(RateWord.nearest(RATE_BPS), BYTES)
            / (double) RateWord.UNITS_PER_NANO
            / 1e6;
    Map<WaitRange, Long> expected = new EnumMap<>(WaitRange.class);
    for (int i = 0; i < 140; i++) {
      send(FLOOD, TestFrame.ECT0);
      double wait = i * eachMillis;
      WaitRange range =
          Arrays.stream(WaitRange.values())
              .filter(r -> r.upToMillis().isEmpty() || wait <= r.upToMillis().getAsInt())
              .findFirst()
              .orElseThrow();
      expected.merge(range, 1L, Long::sum);
    }
    run(200);
    Map<Point, Long> counted = counted();
    assertThat(expected).hasSize(WaitRange.values().length);
    expected.forEach(
        (range, packets) ->
            assertThat(counted.get(range.point())).as("%s", range).isEqualTo(packets));
    assertAllCounted(counted);
    assertThat(counted.get(Point.LIMIT_MARKED)).isZero();
    assertThat(counted.get(Point.LIMIT_FIRST)).isZero();
  }

  @Test
  void dropsOfAFloodAreCountedWithTheirReasonAndNoWaitIsLongerThanAllowed() {
    policy(Managed.CODEL, true, false);
    flood(TestFrame.NOT_ECT);
    Map<Point, Long> counted = counted();
    assertAllCounted(counted);
    assertThat(counted.get(Point.LIMIT_DROPPED)).as("%s", counted).isPositive();
    assertThat(counted.get(Point.OVERFLOWED)).as("%s", counted).isPositive();
    assertThat(counted.get(Point.WAITED_UP_TO_100_MILLIS)).as("%s", counted).isPositive();
    assertThat(counted.get(Point.WAITED_LONGER)).isZero();
    assertThat(counted.get(Point.LIMIT_MARKED)).isZero();
  }

  @Test
  void marksAreCountedInsteadOfDrops() {
    policy(Managed.CODEL, true, false);
    flood(TestFrame.ECT0);
    Map<Point, Long> counted = counted();
    assertAllCounted(counted);
    assertThat(counted.get(Point.LIMIT_MARKED)).as("%s", counted).isPositive();
    assertThat(counted.get(Point.LIMIT_DROPPED)).isZero();
  }

  /** The call's packets go first, but for one that finds no queue and needs not. */
  @Test
  void packetsOfALightFlowAreCountedAsFirst() {
    policy(Managed.NONE, false, true);
    flood(TestFrame.NOT_ECT);
    Map<Point, Long> counted = counted();
    assertAllCounted(counted);
    assertThat(counted.get(Point.LIMIT_FIRST)).as("%s", counted).isBetween(38L, 60L);
  }
}
