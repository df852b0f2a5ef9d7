package net.sluice.it.p4;

import static net.sluice.intents.value.Direction.DOWN;
import static net.sluice.it.p4.PipelineContract.CORE;
import static net.sluice.it.p4.PipelineContract.FPGA_DOWN;
import static net.sluice.it.p4.PipelineContract.LINE_A;
import static net.sluice.it.p4.PipelineContract.prefix;
import static net.sluice.it.p4.PipelineContract.unshaped;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.sluice.emulator.server.EmbeddedSwitch;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.limit.LoopPortEntry;
import net.sluice.intents.plan.entry.limit.PortLimitEntry;
import net.sluice.intents.plan.entry.limit.RateWord;
import net.sluice.intents.plan.entry.limit.SidecarEntry;
import net.sluice.intents.plan.entry.limit.SubscriberLimitEntry;
import net.sluice.intents.plan.entry.limit.TreeLimitEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.pipeconf.CounterCodec.Point;
import net.sluice.pipeconf.CounterCodec.Reading.OfDrops;
import net.sluice.pipeconf.CounterCodec.Reading.OfSubscriber;
import net.sluice.pipeconf.DropReason;
import net.sluice.pipeconf.V1ModelPipeline;
import net.sluice.pipeconf.p4info.V1ModelProgram;
import net.sluice.pipeconf.table.GateCodec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Update;

/** Limits that the switch shapes, in virtual time against WF2Q+ as written down here. */
class SwitchShapingTest {
  private static final int PIPES = 4;
  private static final int FIRST_LOOP = 500;
  private static final int HEADERS = 42;
  private static final int SEQUENCE_BYTES = 4;
  private static final Attachment TREE = new Attachment(1, 2);
  private static final Attachment OTHER_TREE = new Attachment(1, 3);
  private static final long BUFFER_BYTES = 15_000_000;

  /** On the way round, and where the clock counts whole microseconds. */
  private static final long TURN_NANOS = 3_000;

  private static final long MILLI = 1_000_000;
  private static final long HORIZON_NANOS = 1L << 30;

  private static final int SUSPENDED = 255;
  private static final int QUEUE_TAG_BYTES = 4;

  private static final int ENTERED = 0;
  private static final int SENT = 2;
  private static final int MISSED = 3;

  private FramesThrough network;
  private EmbeddedSwitch dut;
  private ControlClient control;

  /** When the packet of a number left, in the order of leaving. */
  private final List<Integer> left = new ArrayList<>();

  private final Map<Integer, Long> leftNanos = new TreeMap<>();

  @BeforeEach
  void start() {
    network = new FramesThrough(0);
    dut = network.embedded();
    control = new ControlClient(network.channel(), FramesThrough.DEVICE_ID, V1ModelPipeline.load());
    dut.port(LINE_A)
        .connect(
            (bytes, offset, length, tag, nowNanos) -> {
              int sequence = ByteBuffer.wrap(bytes).getInt(offset + length - SEQUENCE_BYTES);
              left.add(sequence);
              leftNanos.put(sequence, nowNanos);
            });
    control.insert(PipelineContract.ports());
    for (int i = 1; i <= 6; i++) {
      control.insert(List.of(prefix("10.0.0." + i + "/32", unshaped(i, 0, LINE_A))));
    }
  }

  @AfterEach
  void stop() {
    control.close();
    network.close();
  }

  private void loops(long rateBps, long bufferBytes) {
    for (int pipe = 0; pipe < PIPES; pipe++) {
      dut.port(FIRST_LOOP + pipe).setRateBps(rateBps);
      control.insert(List.of(new LoopPortEntry(pipe, FIRST_LOOP + pipe, bufferBytes)));
    }
  }

  private static int word(long rateBps) {
    return rateBps == 0 ? RateWord.UNLIMITED : RateWord.nearest(rateBps);
  }

  private static SwitchEntry limit(int subscriber, Attachment at, long rateBps) {
    return new SubscriberLimitEntry(subscriber, DOWN, at, word(rateBps));
  }

  /** A packet of a subscriber's one flow; its number is in its last bytes. */
  private static byte[] frame(int subscriber, int sequence, int bytes) {
    byte[] frame =
        TestFrame.from("203.0.113.1", "10.0.0." + subscriber)
            .payload(TestFrame.udp(1, 9, bytes - HEADERS))
            .bytes()
            .toByteArray();
    ByteBuffer.wrap(frame).putInt(bytes - SEQUENCE_BYTES, sequence);
    return frame;
  }

  private long now() {
    return dut.simulation().nowNanos();
  }

  private void runUntil(long nanos) {
    dut.run(Duration.ofNanos(nanos - now()));
  }

  private long register(String name, int cell) {
    return control.register(name, cell);
  }

  private long pipeEvents(int pipe, int event) {
    CounterEntry.Builder cell =
        CounterEntry.newBuilder().setCounterId(V1ModelProgram.DESCRIPTOR.pipeEvents().id());
    cell.getIndexBuilder().setIndex(4L * pipe + event);
    return control
        .read(List.of(Entity.newBuilder().setCounterEntry(cell).build()))
        .get(0)
        .getCounterEntry()
        .getData()
        .getPacketCount();
  }

  private long missed() {
    long all = 0;
    for (int pipe = 0; pipe < PIPES; pipe++) {
      all += pipeEvents(pipe, MISSED);
    }
    return all;
  }

  /** WF2Q+ of one limit: when the packet before finishes, in nanoseconds. */
  private static final class Limit {
    private double finish;
    private double rateBps;

    void rate(int word) {
      rateBps = word == 0 ? 0 : 8e9 * Math.pow(2, word / 256.0 - 18);
    }

    double start(double now) {
      return rateBps == 0 ? now : Math.max(finish, now);
    }

    void goOn(double now, int bytes) {
      if (rateBps != 0) {
        finish = start(now) + bytes * 8e9 / rateBps;
      }
    }
  }

  /** When a packet starts under all of its limits; each goes on from its own start. */
  private static double start(double now, int bytes, Limit... limits) {
    double latest = Arrays.stream(limits).mapToDouble(limit -> limit.start(now)).max().orElse(now);
    for (Limit limit : limits) {
      limit.goOn(now, bytes);
    }
    return latest;
  }

  /** The product's table is in 1/65536. */
  private static double tolerance(double ahead) {
    return 2 + 2e-5 * ahead;
  }

  private void assertLeft(int sequence, double start, double arrived, long windowNanos) {
    assertThat(leftNanos.get(sequence)).as("packet %s left", sequence).isNotNull();
    assertThat(leftNanos.get(sequence) - start)
        .as("packet %s after its start, ns", sequence)
        .isBetween(-tolerance(start - arrived), windowNanos + tolerance(start - arrived));
  }

  /**
   * A burst leaves at the limit's rate, each packet within a turn of its start, wherever the
   * clock's 32 bits go round or change their sign meanwhile.
   */
  @ParameterizedTest
  @CsvSource({
    "60000, 100, 30, 100000000, 1000000",
    "1000000, 1514, 40, 1000000000, 1000000",
    "1000000000, 1514, 400, 100000000000, 1000000",
    "1000000000, 64, 400, 100000000000, 2147383647",
    "30000000, 1000, 50, 10000000000, 2145483647",
    "30000000, 1000, 50, 10000000000, 4290967295",
    "30000000, 1000, 50, 10000000000, 12880901887",
  })
  void burstLeavesAtTheRateOfItsLimit(
      long rateBps, int bytes, int packets, long loopBps, long beginNanos) {
    loops(loopBps, BUFFER_BYTES);
    control.insert(List.of(limit(1, TREE, rateBps)));
    Limit limit = new Limit();
    limit.rate(word(rateBps));
    runUntil(beginNanos);
    double now = beginNanos / 1_000 * 1_000;
    double[] starts = new double[packets];
    for (int i = 0; i < packets; i++) {
      dut.send(CORE, frame(1, i, bytes));
      starts[i] = start(now, bytes, limit);
    }
    runUntil(beginNanos + (long) (limit.finish - now) + 10 * MILLI);
    long turn = (packets + 1L) * bytes * 8 * 1_000_000_000 / loopBps + TURN_NANOS;
    for (int i = 0; i < packets; i++) {
      assertThat(left.get(i)).isEqualTo(i);
      assertLeft(i, starts[i], now, turn);
    }
    double seconds = (leftNanos.get(packets - 1) - leftNanos.get(0)) / 1e9;
    double measured = 8.0 * bytes * (packets - 1) / seconds;
    assertThat(measured / rateBps).as("rate over the limit's").isCloseTo(1, within(0.01));
  }

  /** What cannot be seen of single packets: the register's time for the shortest frames. */
  @ParameterizedTest
  @CsvSource({"100000000000, 64", "100000000000, 1514", "40000000000, 65", "25000000000, 127"})
  void timesAreExactAtTheHighestRates(long rateBps, int bytes) {
    loops(100_000_000_000L, BUFFER_BYTES);
    control.insert(List.of(limit(1, TREE, rateBps)));
    runUntil(MILLI);
    for (int i = 0; i < 2_000; i++) {
      dut.send(CORE, frame(1, i, bytes));
    }
    runUntil(2 * MILLI);
    long units = register("subscriber_finish", 2) - MILLI * RateWord.UNITS_PER_NANO;
    assertThat(units).isEqualTo(2_000 * RateWord.elapsed(word(rateBps), bytes));
    double exact = 2_000 * bytes * 8e9 / rateBps;
    assertThat(units / (double) RateWord.UNITS_PER_NANO / exact).isCloseTo(1, within(0.003));
    assertThat(left).hasSize(2_000).isSorted();
  }

  /** Any silence, also one of half a round of the clock and more, leaves a limit idle. */
  @ParameterizedTest
  @ValueSource(longs = {900, 2_200, 3_500, 4_290, 4_300, 6_500})
  void limitThatWasIdleLetsTheNextPacketGoAtOnce(long silentMillis) {
    loops(1_000_000_000, BUFFER_BYTES);
    control.insert(List.of(limit(1, TREE, 1_000_000)));
    runUntil(MILLI);
    dut.send(CORE, frame(1, 0, 1_000));
    dut.send(CORE, frame(1, 1, 1_000));
    runUntil(MILLI + silentMillis * MILLI);
    dut.send(CORE, frame(1, 2, 1_000));
    long sent = now();
    runUntil(sent + MILLI);
    assertThat(left).containsExactly(0, 1, 2);
    assertThat(leftNanos.get(2)).isEqualTo(sent);
  }

  /**
   * Random traffic of subscribers of two trees of a port, under limits of all three levels that
   * change meanwhile, while an agent moves the windows on: every packet leaves within a turn of its
   * start, in the order of its flow, and none is lost.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void everyPacketLeavesWithinAWindowOfItsStart(long seed) {
    long loopBps = 1_000_000_000L;
    loops(loopBps, BUFFER_BYTES);
    Random random = new Random(seed);
    Limit[] own = new Limit[7];
    Limit[] trees = {new Limit(), new Limit()};
    Limit port = new Limit();
    for (int i = 1; i <= 6; i++) {
      own[i] = new Limit();
      int word = i == 6 ? 0 : word(4_000_000 + random.nextInt(20_000_000));
      own[i].rate(word);
      control.insert(List.of(new SubscriberLimitEntry(i, DOWN, tree(i), word)));
    }
    int treeWord = word(20_000_000 + random.nextInt(10_000_000));
    trees[0].rate(treeWord);
    int portWord = word(40_000_000 + random.nextInt(10_000_000));
    port.rate(portWord);
    control.insert(
        List.of(new TreeLimitEntry(TREE, DOWN, treeWord), new PortLimitEntry(1, DOWN, portWord)));
    Windows windows = new Windows(400_000);
    runUntil(4_250 * MILLI);
    windows.slide();
    List<Double> starts = new ArrayList<>();
    List<Long> arrived = new ArrayList<>();
    List<Integer> of = new ArrayList<>();
    List<Integer> sizes = new ArrayList<>();
    long most = 0;
    long mostBytes = 0;
    while (now() < 4_310 * MILLI) {
      for (int burst = random.nextInt(4); burst > 0; burst--) {
        int subscriber = 1 + random.nextInt(6);
        int bytes = 64 + random.nextInt(1_451);
        dut.send(CORE, frame(subscriber, starts.size(), bytes));
        long at = now() / 1_000 * 1_000;
        double start = start(at, bytes, own[subscriber], trees[subscriber <= 3 ? 0 : 1], port);
        starts.add(start);
        arrived.add(at);
        of.add(subscriber);
        sizes.add(bytes);
        most = Math.max(most, (long) (start - at));
      }
      runUntil(now() + 1);
      long waiting = 0;
      for (int i = 0; i < starts.size(); i++) {
        waiting += starts.get(i) > now() - MILLI ? sizes.get(i) : 0;
      }
      mostBytes = Math.max(mostBytes, waiting);
      if (random.nextInt(40) == 0) {
        int changed = 1 + random.nextInt(5);
        int word = word(4_000_000 + random.nextInt(20_000_000));
        own[changed].rate(word);
        control.modify(new SubscriberLimitEntry(changed, DOWN, tree(changed), word));
      }
      if (random.nextInt(2) == 0) {
        windows.slide();
      }
      runUntil(now() + 1 + random.nextInt(800_000));
    }
    runUntil(now() + most + 10 * MILLI);
    assertThat(most).as("there is a backlog, ns").isGreaterThan(2 * MILLI);
    assertThat(left).as("packets that left").hasSize(starts.size());
    long turn = mostBytes * 8 * 1_000_000_000 / loopBps + TURN_NANOS;
    for (int i = 0; i < starts.size(); i++) {
      assertLeft(i, starts.get(i), arrived.get(i), turn);
    }
    for (int subscriber = 1; subscriber <= 6; subscriber++) {
      int one = subscriber;
      assertThat(left.stream().filter(i -> of.get(i) == one)).isSorted();
    }
    assertThat(missed()).isZero();
    for (int pipe = 0; pipe < PIPES; pipe++) {
      assertThat(pipeEvents(pipe, ENTERED)).as("packets into pipe %s", pipe).isPositive();
      assertThat(pipeEvents(pipe, SENT)).as("packets out of pipe %s", pipe).isPositive();
    }
  }

  private static Attachment tree(int subscriber) {
    return subscriber <= 3 ? TREE : OTHER_TREE;
  }

  /** The windows of the gate, moved as the paper does: from low to high, at rising priority. */
  private final class Windows {
    private static final long ROUND = 1L << 32;

    private final GateCodec gate = GateCodec.of(V1ModelProgram.DESCRIPTOR);
    private final long windowNanos;
    private List<TableEntry> inForce = List.of();
    private int priority = 1;

    Windows(long windowNanos) {
      this.windowNanos = windowNanos;
    }

    void slide() {
      List<TableEntry> before = inForce;
      inForce = new ArrayList<>();
      priority++;
      long low = now() - (1L << 31);
      for (int pipe = 0; pipe < PIPES; pipe++) {
        long high = pipe == 3 ? now() + (1L << 31) - 1 : now() + (pipe + 1) * windowNanos - 1;
        long from = Math.floorMod(low, ROUND);
        long to = Math.floorMod(high, ROUND);
        if (from <= to) {
          put(from, to, pipe);
        } else {
          put(from, ROUND - 1, pipe);
          put(0, to, pipe);
        }
        low = high + 1;
      }
      before.forEach(entry -> write(Update.Type.DELETE, entry));
    }

    private void put(long low, long high, int pipe) {
      TableEntry entry = gate.entry(low, high, pipe, priority);
      inForce.add(entry);
      write(Update.Type.INSERT, entry);
    }

    /** One at a time, and packets pass in between. */
    private void write(Update.Type type, TableEntry entry) {
      Update.Builder update = Update.newBuilder().setType(type);
      update.getEntityBuilder().setTableEntry(entry);
      control.write(List.of(update.build()));
      runUntil(now() + 1_000);
    }
  }

  /** Without an agent all wait in the last pipe, and each packet goes in time all the same. */
  @Test
  void withoutAnAgentAllWaitInTheLastPipe() {
    loops(10_000_000_000L, BUFFER_BYTES);
    control.insert(List.of(limit(1, TREE, 10_000_000)));
    runUntil(MILLI);
    for (int i = 0; i < 20; i++) {
      dut.send(CORE, frame(1, i, 1_000));
    }
    runUntil(MILLI + 1);
    assertThat(pipeEvents(3, ENTERED)).isEqualTo(19);
    assertThat(register("SluiceIngress.shape.earliest_start.earliest_start", 3))
        .isBetween(MILLI + 795_000, MILLI + 805_000);
    runUntil(30 * MILLI);
    assertThat(left).hasSize(20).isSorted();
    assertThat(pipeEvents(3, SENT)).isEqualTo(19);
    assertThat(pipeEvents(0, SENT)).isEqualTo(1);
    assertThat(missed()).isPositive();
  }

  /**
   * Packets closer together than a loop's round wait in their limit's one pipe, whatever the gate
   * says; one that is alone, and those that a slower limit keeps apart, where the gate puts them.
   */
  @ParameterizedTest
  @CsvSource({
    // Subscriber, its rate, its tree's, packets; those that enter the pipe of subscriber 1.
    "1, 10000000000, 0, 100, 98",
    "1, 0, 10000000000, 100, 98",
    "1, 10000000000, 0, 2, 0",
    "1, 1000000000, 0, 100, 0",
    "1, 10000000000, 100000000, 100, 0",
    "2, 10000000000, 0, 100, 0",
  })
  void packetsCloserTogetherThanARoundWaitInOnePipe(
      int subscriber, long rateBps, long treeBps, int packets, int together) {
    loops(100_000_000_000L, BUFFER_BYTES);
    control.insert(
        List.of(limit(subscriber, TREE, rateBps), new TreeLimitEntry(TREE, DOWN, word(treeBps))));
    runUntil(MILLI);
    for (int i = 0; i < packets; i++) {
      dut.send(CORE, frame(subscriber, i, 1_500));
    }
    runUntil(MILLI + 1);
    // Without an agent the gate puts all into the last pipe. The first goes at once.
    assertThat(pipeEvents(1, ENTERED)).isEqualTo(together);
    runUntil(20 * MILLI);
    assertThat(left).hasSize(packets).isSorted();
  }

  private long overflowed(int subscriber) {
    return control.read(control.program().readCounters(List.of(subscriber))).stream()
        .map(entity -> control.program().decode(entity.getCounterEntry()))
        .filter(r -> r instanceof OfSubscriber s && s.point() == Point.OVERFLOWED)
        .mapToLong(r -> ((OfSubscriber) r).packets())
        .sum();
  }

  private long dropped(DropReason reason) {
    return control.read(control.program().readCounters(List.of())).stream()
        .map(entity -> control.program().decode(entity.getCounterEntry()))
        .filter(r -> r instanceof OfDrops d && d.reason() == reason)
        .mapToLong(r -> ((OfDrops) r).packets())
        .sum();
  }

  /** The buffer is all pipes'; a packet that finds none takes no time from its limit. */
  @Test
  void aboveTheBufferPacketsAreDroppedAndCountedToTheSubscriber() {
    loops(10_000_000_000L, 10_000);
    control.insert(List.of(limit(1, TREE, 10_000_000), limit(2, TREE, 10_000_000)));
    for (int round = 0; round < 3; round++) {
      long begin = (1 + 3_000L * round) * MILLI;
      runUntil(begin);
      left.clear();
      for (int i = 0; i < 20; i++) {
        dut.send(CORE, frame(1, i, 1_000));
      }
      dut.send(CORE, frame(2, 100, 1_000));
      dut.send(CORE, frame(2, 101, 1_000));
      runUntil(begin + 20 * MILLI);
      // One goes at once, ten wait.
      assertThat(left).hasSize(12).contains(100).doesNotContain(11, 101);
      assertThat(overflowed(1)).isEqualTo(9L * (round + 1));
      assertThat(overflowed(2)).isEqualTo(round + 1);
      assertThat(dropped(DropReason.SHAPING_BUFFER)).isEqualTo(10L * (round + 1));
      assertThat(leftNanos.get(10) - begin).isBetween(7_970_000L, 8_030_000L);
    }
    assertThat(register("waiting_bytes", 0) + register("waiting_bytes", 1)).isZero();
  }

  /** A packet that would start beyond the horizon is not let in, however large the buffer is. */
  @Test
  void beyondTheHorizonPacketsAreDropped() {
    loops(100_000_000, BUFFER_BYTES);
    control.insert(List.of(limit(1, TREE, 60_000)));
    runUntil(MILLI);
    for (int i = 0; i < 8; i++) {
      dut.send(CORE, frame(1, i, 1_500));
    }
    long each = Math.round(1_500 * 8e9 / RateWord.rateBps(word(60_000)));
    int held = (int) (HORIZON_NANOS / each);
    runUntil(MILLI + (held + 1) * each);
    assertThat(left).hasSize(1 + held).isSorted();
    assertThat(overflowed(1)).isEqualTo(7 - held);
  }

  /** Where packets have no way round, a limit is not passed over. */
  @Test
  void withoutLoopPortsWhatIsAboveTheLimitIsDropped() {
    control.insert(List.of(limit(1, TREE, 10_000_000)));
    runUntil(MILLI);
    dut.send(CORE, frame(1, 0, 1_000));
    dut.send(CORE, frame(1, 1, 1_000));
    runUntil(2 * MILLI);
    dut.send(CORE, frame(1, 2, 1_000));
    runUntil(3 * MILLI);
    assertThat(left).containsExactly(0, 2);
    assertThat(overflowed(1)).isEqualTo(1);
  }

  /**
   * What a loop port loses is not waited for longer than 0.3 s, and its bytes are forgotten within
   * a round of the clock.
   */
  @Test
  void whatALoopPortLosesHoldsUpNobodyForGood() {
    loops(1_000_000_000, 5_000);
    control.insert(List.of(limit(1, TREE, 10_000_000)));
    runUntil(MILLI);
    for (int i = 0; i < 6; i++) {
      dut.send(CORE, frame(1, i, 1_000));
    }
    runUntil(2 * MILLI);
    dut.port(FIRST_LOOP + 3).setEnabled(false);
    dut.port(FIRST_LOOP + 3).setEnabled(true);
    for (int round = 1; round < 6; round++) {
      runUntil(1_100 * MILLI * round);
      for (int i = 0; i < 3; i++) {
        dut.send(CORE, frame(1, 10 * round + i, 500));
      }
    }
    runUntil(8_000 * MILLI);
    assertThat(left).contains(50, 51, 52).isSorted();
    assertThat(register("waiting_bytes", 0) + register("waiting_bytes", 1)).isZero();
  }

  /** A subscriber whose packets are dropped gives back room and turns of those that wait. */
  @Test
  void whatWaitsOfASuspendedSubscriberIsDroppedAndHoldsUpNobody() {
    loops(1_000_000_000, BUFFER_BYTES);
    control.insert(List.of(limit(1, TREE, 10_000_000)));
    runUntil(MILLI);
    for (int i = 0; i < 6; i++) {
      dut.send(CORE, frame(1, i, 1_000));
    }
    runUntil(2 * MILLI);
    control.modify(prefix("10.0.0.1/32", unshaped(1, SUSPENDED, LINE_A)));
    runUntil(10 * MILLI);
    assertThat(left).containsExactly(0, 1);
    assertThat(dropped(DropReason.SUSPENDED)).isEqualTo(4);
    assertThat(register("waiting_bytes", 0) + register("waiting_bytes", 1)).isZero();
    control.modify(prefix("10.0.0.1/32", unshaped(1, 0, LINE_A)));
    dut.send(CORE, frame(1, 6, 1_000));
    dut.send(CORE, frame(1, 7, 1_000));
    runUntil(12 * MILLI);
    assertThat(left).containsExactly(0, 1, 6, 7);
  }

  /** What waits leaves at its time, not by the FPGA; what comes then goes there. */
  @Test
  void aLimitThatPassesToTheFpgaLosesNothingThatWaits() {
    loops(1_000_000_000, BUFFER_BYTES);
    control.insert(List.of(limit(1, TREE, 10_000_000), new SidecarEntry(DOWN, FPGA_DOWN)));
    List<Integer> queued = new ArrayList<>();
    dut.port(FPGA_DOWN).connect((bytes, offset, length, tag, nowNanos) -> queued.add(length));
    runUntil(MILLI);
    for (int i = 0; i < 6; i++) {
      dut.send(CORE, frame(1, i, 1_000));
    }
    runUntil(2 * MILLI);
    control.modify(prefix("10.0.0.1/32", new SubscriberData(1, 0, LINE_A, 5, true, false)));
    dut.send(CORE, frame(1, 6, 1_000));
    runUntil(10 * MILLI);
    assertThat(left).containsExactly(0, 1, 2, 3, 4, 5);
    assertThat(queued).containsExactly(1_000 + QUEUE_TAG_BYTES);
  }
}
