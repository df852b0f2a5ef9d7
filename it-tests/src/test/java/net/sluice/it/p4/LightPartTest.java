package net.sluice.it.p4;

import static net.sluice.it.p4.PipelineContract.CORE;
import static net.sluice.it.p4.PipelineContract.FPGA_DOWN;
import static net.sluice.it.p4.PipelineContract.LINE_A;
import static net.sluice.it.p4.PipelineContract.prefix;
import static net.sluice.it.p4.PipelineContract.unshaped;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.sluice.embedded.fpga.ModelRegisters;
import net.sluice.emulator.netsim.FrameReceiver;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.emulator.netsim.fpga.FpgaModel;
import net.sluice.emulator.netsim.traffic.ArrivalProcess;
import net.sluice.emulator.netsim.traffic.FlowSpec;
import net.sluice.emulator.netsim.traffic.FlowTag;
import net.sluice.emulator.netsim.traffic.FrameBuilder;
import net.sluice.emulator.netsim.traffic.TrafficSource;
import net.sluice.intents.compile.AqmTuning;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.marker.csaqm.tables.RateBins;
import net.sluice.intents.marker.csaqm.tables.ValueCode;
import net.sluice.intents.plan.FpgaLevel;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.FpgaSetting.BucketSize;
import net.sluice.intents.plan.FpgaSetting.QueueDepth;
import net.sluice.intents.plan.FpgaSetting.RateWord;
import net.sluice.intents.plan.QueueId;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.limit.PolicyFlowsEntry;
import net.sluice.intents.plan.entry.limit.SidecarEntry;
import net.sluice.intents.plan.entry.limit.TrafficClassEntry;
import net.sluice.intents.plan.entry.marker.PolicyValueEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.V1ModelPipeline;
import org.junit.jupiter.api.Test;

/**
 * Light flows where the switch does not hold their subscriber back: at a congested port, whose
 * threshold drops what is worth less, and at the FPGA, in whose queue for light flows they wait.
 * Virtual time.
 */
class LightPartTest {
  private static final SwitchPipeline PROGRAM = V1ModelPipeline.load();
  private static final long LINE_BPS = 50_000_000;
  private static final long SECOND = 1_000_000_000L;
  private static final long WARM_UP = 3 * SECOND;
  private static final long END = 9 * SECOND;
  private static final int FLOOD_BYTES = 1_250;
  private static final int CALL_BYTES = 200;
  private static final long CALL_BPS = 50 * 8 * CALL_BYTES;
  private static final int POLICY = 1;
  private static final int CUSTOMER = QueueId.of(5, 42, 33);
  private static final FpgaProfile FPGA = FpgaProfile.withClock(FpgaModel.DEFAULT_CLOCK_HZ);

  /** What was sent and what arrived of a flow between {@link #WARM_UP} and {@link #END}. */
  private static final class Flow {
    final int subscriber;
    final FlowSpec spec;
    long bytes;
    long packets;
    long longestNanos;

    Flow(int subscriber, int port, int frameBytes, long bps) {
      this.subscriber = subscriber;
      spec =
          new FlowSpec(
              new FrameBuilder()
                  .addresses("203.0.113.1", "10.0.0." + subscriber)
                  .ports(port, port)
                  .frameBytes(frameBytes)
                  .build(),
              bps,
              0,
              END,
              ArrivalProcess.poisson());
    }

    double bps() {
      return bytes * 8.0 * SECOND / (END - WARM_UP);
    }

    /** The part that arrived of what a call sends. */
    double ofCall() {
      return bps() / CALL_BPS;
    }
  }

  private static Flow call(int subscriber) {
    return new Flow(subscriber, 5_060, CALL_BYTES, CALL_BPS);
  }

  private static Flow flood(int subscriber) {
    return new Flow(subscriber, 80, FLOOD_BYTES, LINE_BPS);
  }

  /** Flows that all have the same rate. */
  private static List<Flow> equal(int subscriber, int flows) {
    return IntStream.range(0, flows)
        .mapToObj(i -> new Flow(subscriber, 1_000 + i, FLOOD_BYTES, LINE_BPS / flows))
        .toList();
  }

  /** An emulated switch with a line to the subscribers 1 to 4 of one policy. */
  private static EmulatedSwitch start(boolean lightFirst, SubscriberData... subscribers) {
    EmulatedSwitch dut = EmulatedSwitch.start(PROGRAM);
    List<SwitchEntry> entries = new ArrayList<>(PipelineContract.ports());
    for (SubscriberData subscriber : subscribers) {
      entries.add(prefix("10.0.0." + subscriber.index() + "/32", subscriber));
    }
    if (lightFirst) {
      entries.add(new PolicyFlowsEntry(POLICY, QueueId.CLASSES - 1));
    }
    dut.control().insert(entries);
    return dut;
  }

  private static void run(Simulation simulation, SwitchNode node, long lineBps, List<Flow> flows) {
    SwitchPort core = node.addPort(CORE, 10_000_000_000L, 1 << 20);
    node.addPort(LINE_A, lineBps, 1 << 20)
        .connect(
            (bytes, offset, length, tag, now) -> {
              if (now >= WARM_UP) {
                Flow flow = flows.get(FlowTag.flowId(tag));
                flow.bytes += length;
                flow.packets++;
                flow.longestNanos = Math.max(flow.longestNanos, FlowTag.ageNanos(tag, now));
              }
            });
    TrafficSource source = new TrafficSource(simulation, core, 1);
    flows.forEach(flow -> source.addFlow(flow.spec));
    simulation.runUntil(END);
  }

  /** Four subscribers under one policy behind a line that drops by value. */
  private static void atPort(boolean lightFirst, List<Flow> flows) {
    SubscriberData[] subscribers =
        IntStream.rangeClosed(1, 4)
            .mapToObj(index -> unshaped(index, POLICY, LINE_A))
            .toArray(SubscriberData[]::new);
    try (EmulatedSwitch dut = start(lightFirst, subscribers)) {
      RateBins bins =
          new RateBins(1e9, PROGRAM.profile().rateUnitBps(), PROGRAM.profile().rateKeyBits());
      List<SwitchEntry> entries = new ArrayList<>();
      bins.entries().forEach(entries::add);
      RandomRates.BITS_16.entries().forEach(entries::add);
      IntStream.range(0, RateBins.BINS)
          .mapToObj(
              bin -> new PolicyValueEntry(POLICY, bin, ValueCode.encode(1e12 / bins.upperBps(bin))))
          .forEach(entries::add);
      entries.add(AqmTuning.forPort(LINE_A, LINE_BPS));
      dut.control().insert(entries);
      Simulation simulation = new Simulation(7);
      run(simulation, new SwitchNode(simulation, dut.device()), LINE_BPS, flows);
    }
  }

  private static double share(List<Flow> flows, int subscriber) {
    return flows.stream().filter(f -> f.subscriber == subscriber).mapToDouble(Flow::bps).sum()
        / (LINE_BPS / 4.0);
  }

  /** A call beside its subscriber's flood loses nothing, and its subscriber gets its share. */
  @Test
  void atCongestedPortAHeavyFlowIsDroppedBeforeALightOneOfItsSubscriber() {
    List<Flow> flows = List.of(call(1), flood(1), flood(2), flood(3), flood(4));
    atPort(true, flows);
    assertThat(flows.get(0).ofCall()).isCloseTo(1, within(0.06));
    IntStream.rangeClosed(1, 4)
        .forEach(i -> assertThat(share(flows, i)).as("share of %d", i).isCloseTo(1, within(0.04)));
    List<Flow> asTheyCome = List.of(call(1), flood(1), flood(2), flood(3), flood(4));
    atPort(false, asTheyCome);
    assertThat(asTheyCome.get(0).ofCall()).isLessThan(0.4);
  }

  /**
   * A flood in a hundred flows gets what a flood in one does, and a call beside it loses little.
   */
  @Test
  void manyFlowsGainNothing() {
    List<Flow> flows =
        Stream.of(equal(1, 100), List.of(call(1), flood(2), flood(3), flood(4)))
            .flatMap(List::stream)
            .toList();
    atPort(true, flows);
    IntStream.rangeClosed(1, 4)
        .forEach(i -> assertThat(share(flows, i)).as("share of %d", i).isCloseTo(1, within(0.04)));
    assertThat(flows.get(100).ofCall()).isGreaterThan(0.9);
  }

  /** A subscriber under a limit of the FPGA, whose queues hold 256 KiB each. */
  private static void atFpga(boolean lightFirst, List<Flow> flows, SwitchEntry... more) {
    SubscriberData limited = new SubscriberData(1, POLICY, LINE_A, CUSTOMER, true, false);
    try (EmulatedSwitch dut = start(lightFirst, limited)) {
      dut.control().insert(List.of(new SidecarEntry(Direction.DOWN, FPGA_DOWN)));
      dut.control().insert(List.of(more));
      Simulation simulation = new Simulation(7);
      SwitchNode node = new SwitchNode(simulation, dut.device());
      SwitchPort sidecar = node.addPort(FPGA_DOWN, 100_000_000_000L, 1 << 24);
      FpgaModel fpga = fpga(simulation, sidecar);
      sidecar.connect(fpga);
      run(simulation, node, 10 * LINE_BPS, flows);
    }
  }

  private static FpgaModel fpga(Simulation simulation, FrameReceiver back) {
    FpgaModel fpga = new FpgaModel(simulation, back);
    List<FpgaSetting> settings = new ArrayList<>();
    int word = FPGA.word(LINE_BPS / 2);
    for (FpgaLevel level : FpgaLevel.values()) {
      settings.add(new BucketSize(Direction.DOWN, level, FPGA.bucketBytes(word)));
    }
    settings.add(
        new RateWord(Direction.DOWN, FpgaLevel.CUSTOMER, QueueId.customerIndex(CUSTOMER), word));
    settings.add(
        new RateWord(Direction.DOWN, FpgaLevel.TREE, QueueId.treeIndex(5, 42), FPGA.maxRateWord()));
    settings.add(new RateWord(Direction.DOWN, FpgaLevel.PORT, 5, FPGA.maxRateWord()));
    for (int queueClass = 0; queueClass < QueueId.CLASSES; queueClass++) {
      settings.add(new QueueDepth(Direction.DOWN, queueClass, FPGA.queueDepthBytes()));
    }
    assertThat(
            ModelRegisters.driverOf(fpga, Direction.DOWN)
                .write(settings)
                .toCompletableFuture()
                .join())
        .isEmpty();
    return fpga;
  }

  private static double total(List<Flow> flows) {
    return flows.stream().mapToDouble(Flow::bps).sum();
  }

  /** A call beside a flood of twice the limit waits for two packets, the flood for 256 KiB. */
  @Test
  void atTheFpgaALightFlowHasAQueueOfItsOwn() {
    List<Flow> flows = List.of(call(1), flood(1));
    atFpga(true, flows);
    double limit = FPGA.rateBps(FPGA.word(LINE_BPS / 2));
    assertThat(flows.get(0).ofCall()).isCloseTo(1, within(0.06));
    assertThat(flows.get(0).longestNanos).isLessThan(2_000_000);
    assertThat(total(flows)).isCloseTo(limit, within(0.005 * limit));
    List<Flow> asTheyCome = List.of(call(1), flood(1));
    atFpga(false, asTheyCome);
    assertThat(asTheyCome.get(0).ofCall()).isLessThan(0.7);
    assertThat(asTheyCome.get(0).longestNanos).isGreaterThan(80_000_000);
  }

  /** What a policy says of a codepoint's class goes before what its flow is. */
  @Test
  void atTheFpgaADeclaredClassStaysWhatItIs() {
    List<Flow> flows = List.of(call(1), flood(1));
    atFpga(true, flows, new TrafficClassEntry(POLICY, 0, 1));
    assertThat(flows.get(0).longestNanos).isGreaterThan(80_000_000);
  }
}
