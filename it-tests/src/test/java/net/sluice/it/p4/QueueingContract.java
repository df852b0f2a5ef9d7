package net.sluice.it.p4;

import static net.sluice.it.p4.PipelineContract.CORE;
import static net.sluice.it.p4.PipelineContract.LINE_A;
import static net.sluice.it.p4.PipelineContract.prefix;
import static net.sluice.it.p4.PipelineContract.unshaped;
import static net.sluice.it.p4.PipelineContract.watched;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import net.sluice.emulator.netsim.PortStatistics;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.emulator.netsim.traffic.CapturingSink;
import net.sluice.emulator.netsim.traffic.Ecn;
import net.sluice.emulator.netsim.traffic.FlowSpec;
import net.sluice.emulator.netsim.traffic.FlowTag;
import net.sluice.emulator.netsim.traffic.FrameBuilder;
import net.sluice.emulator.netsim.traffic.TrafficSource;
import net.sluice.intents.compile.AqmTuning;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.marker.csaqm.tables.RateBins;
import net.sluice.intents.marker.csaqm.tables.ValueCode;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.marker.PolicyValueEntry;
import net.sluice.pipeconf.CounterCodec.Reading;
import net.sluice.pipeconf.CounterCodec.Reading.OfDrops;
import net.sluice.pipeconf.DropReason;
import org.junit.jupiter.api.Test;

/**
 * A queue that really builds, in the emulator's virtual time: the threshold is raised by delay,
 * what is worth less goes, and the delay stays near its target.
 */
interface QueueingContract {
  long LINE_BPS = 50_000_000;
  long SECOND = 1_000_000_000L;
  long WARM_UP = 3 * SECOND;
  long MEASURED = 5 * SECOND;
  int FRAME_BYTES = 1_250;
  int IP_ECN_AT = 15;
  int SUBSCRIBERS = 5;

  /** Offers of floods, in multiples of their share. */
  int[] FLOODS = {18, 59, 69, 177, 200};

  /** A switch that runs the program, in which everything is ready but entries. */
  EmulatedSwitch start();

  /** Bins up to a rate, in the program's unit. */
  RateBins bins(double maxRateBps);

  /** What each subscriber got of one line. */
  record Result(double[] receivedBps, long[] ceMarked, PortStatistics line, long belowThreshold) {}

  @Test
  default void thresholdGivesEqualSubscribersEqualSharesAtTheTargetDelay() {
    // 1 offers less than its share, the others two to eight times theirs.
    Result result = run(Ecn.NOT_ECT, 5, 20, 20, 40, 80);
    assertThat(result.line().sentBps()).isCloseTo(LINE_BPS, within(LINE_BPS * 0.02));
    assertThat(result.line().tailDropPackets()).isZero();
    assertThat(result.receivedBps()[0]).isCloseTo(5e6, within(5e6 * 0.02));
    for (int i = 1; i < SUBSCRIBERS; i++) {
      assertThat(result.receivedBps()[i])
          .as("rate of %d", i)
          .isCloseTo(11.25e6, within(11.25e6 * 0.1));
    }
    assertThat(result.belowThreshold()).isPositive();
    double meanDelayMillis = result.line().queueDelayNanos().getMean() / 1e6;
    double targetMillis = AqmTuning.forPort(LINE_A, LINE_BPS).targetMicros() / 1e3;
    assertThat(meanDelayMillis).isBetween(targetMillis * 0.5, targetMillis * 1.5);
    assertThat(result.ceMarked()).containsOnly(0);
  }

  @Test
  default void ecnCapablePacketsAreMarkedAndStillDroppedWhereTheSendersDoNotListen() {
    Result result = run(Ecn.ECT_0, 5, 20, 20, 40, 80);
    // Senders that ignore their marks fill the queue up to where marks become drops.
    assertThat(result.belowThreshold()).isPositive();
    assertThat(result.line().tailDropPackets()).isZero();
    long overloadMicros = AqmTuning.forPort(LINE_A, LINE_BPS).overloadMicros();
    double meanMicros = result.line().queueDelayNanos().getMean() / 1e3;
    assertThat(meanMicros).isLessThan(overloadMicros);
    assertThat(result.line().sentBps()).isCloseTo(LINE_BPS, within(LINE_BPS * 0.02));
    for (int i = 1; i < SUBSCRIBERS; i++) {
      assertThat(result.ceMarked()[i]).as("marks of %d", i).isPositive();
    }
  }

  @Test
  default void lineThatIsNotFullLosesAndMarksNothing() {
    Result result = run(Ecn.ECT_0, 5, 8, 8, 8, 8);
    assertThat(result.belowThreshold()).isZero();
    assertThat(result.line().tailDropPackets()).isZero();
    assertThat(result.ceMarked()).containsOnly(0);
    assertThat(result.line().sentBps()).isCloseTo(37e6, within(37e6 * 0.01));
  }

  /**
   * Five of fifty equal subscribers flood the line, the worst with 200 times its share: each gets
   * no more and no less than the 45 that send three times theirs.
   */
  @Test
  default void floodsGetTheirShares() {
    int[] offeredMbps = new int[50];
    Arrays.fill(offeredMbps, 3);
    System.arraycopy(FLOODS, 0, offeredMbps, 0, FLOODS.length);
    long measured = 10 * SECOND;
    Result result = run(Ecn.NOT_ECT, measured, offeredMbps);
    assertThat(result.line().sentBps()).isCloseTo(LINE_BPS, within(LINE_BPS * 0.02));
    double share = LINE_BPS / 50.0;
    double packets = share * measured / SECOND / (8 * FRAME_BYTES);
    double deviation = Math.sqrt(1 / packets);
    for (int i = 0; i < FLOODS.length; i++) {
      assertThat(result.receivedBps()[i] / share)
          .as("part of its share that %d times the share got", FLOODS[i])
          .isCloseTo(1, within(Math.max(0.05, 3 * deviation)));
    }
  }

  private Result run(Ecn ecn, int... offeredMbps) {
    return run(ecn, MEASURED, offeredMbps);
  }

  private Result run(Ecn ecn, long measured, int... offeredMbps) {
    try (EmulatedSwitch dut = start()) {
      dut.control().insert(entries(offeredMbps.length));
      Simulation simulation = new Simulation(7);
      SwitchNode node = new SwitchNode(simulation, dut.device());
      SwitchPort core = node.addPort(CORE, 10_000_000_000L, 1 << 20);
      SwitchPort line = node.addPort(LINE_A, LINE_BPS, 1 << 20);
      CapturingSink sink = new CapturingSink();
      line.connect(sink);
      TrafficSource source = new TrafficSource(simulation, core, 1);
      for (int i = 0; i < offeredMbps.length; i++) {
        source.addFlow(
            FlowSpec.cbr(
                new FrameBuilder()
                    .addresses("203.0.113.1", "10.0.0." + (i + 1))
                    .ecn(ecn)
                    .frameBytes(FRAME_BYTES)
                    .build(),
                offeredMbps[i] * 1_000_000L));
      }
      simulation.runUntil(WARM_UP);
      sink.captures().clear();
      node.resetStatistics();
      CounterSnapshot before = CounterSnapshot.of(dut.control(), watched(dut));
      simulation.runUntil(WARM_UP + measured);
      CounterSnapshot after = CounterSnapshot.of(dut.control(), watched(dut));
      double[] received = new double[offeredMbps.length];
      long[] marked = new long[offeredMbps.length];
      for (CapturingSink.Capture capture : sink.captures()) {
        int flow = FlowTag.flowId(capture.tag());
        received[flow] += capture.bytes().length * 8.0 * SECOND / measured;
        if ((capture.bytes()[IP_ECN_AT] & 3) == TestFrame.CE) {
          marked[flow]++;
        }
      }
      return new Result(received, marked, line.statistics(), belowThreshold(after, before));
    }
  }

  private static long belowThreshold(CounterSnapshot after, CounterSnapshot before) {
    for (Reading reading : after.since(before)) {
      if (reading instanceof OfDrops) {
        OfDrops drops = (OfDrops) reading;
        if (drops.reason() == DropReason.BELOW_THRESHOLD) {
          return drops.packets();
        }
      }
    }
    return 0;
  }

  /** Value of a rate: 10^12 / rate, the silver class. */
  private List<SwitchEntry> entries(int subscribers) {
    RateBins bins = bins(1e9);
    List<SwitchEntry> entries = new ArrayList<>(PipelineContract.ports());
    bins.entries().forEach(entries::add);
    RandomRates.BITS_16.entries().forEach(entries::add);
    IntStream.range(0, RateBins.BINS)
        .mapToObj(bin -> new PolicyValueEntry(1, bin, ValueCode.encode(1e12 / bins.upperBps(bin))))
        .forEach(entries::add);
    for (int subscriber = 1; subscriber <= subscribers; subscriber++) {
      entries.add(prefix("10.0.0." + subscriber + "/32", unshaped(subscriber, 1, LINE_A)));
    }
    entries.add(AqmTuning.forPort(LINE_A, LINE_BPS));
    return entries;
  }
}
