package net.sluice.it.p4;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.sluice.core.SetOutcome;
import net.sluice.core.testing.ControllerRig;
import net.sluice.core.testing.MemoryTarget;
import net.sluice.core.testing.TestNetwork;
import net.sluice.embedded.fpga.ModelRegisters;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.emulator.netsim.fpga.FpgaModel;
import net.sluice.emulator.netsim.traffic.FlowSpec;
import net.sluice.emulator.netsim.traffic.FlowTag;
import net.sluice.emulator.netsim.traffic.FrameBuilder;
import net.sluice.emulator.netsim.traffic.TrafficSource;
import net.sluice.emulator.server.EmbeddedSwitch;
import net.sluice.fpga.FpgaRegisters;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.V1ModelPipeline;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two subscribers exchange what they have, in one set of changes, while packets go to both and come
 * from both. Each write is made by itself at the emulated switch and its FPGAs, in an order that
 * the seed chooses among those that the controller allows, and a tenth of a second of traffic
 * passes before the next.
 */
class ExchangeTrafficTest {
  private static final String A = "10.0.0.1";
  private static final String B = "10.0.0.2";
  private static final String HOST = "198.51.100.1";

  // As the network of the rig is cabled.
  private static final int FPGA_DOWN = 3;
  private static final int FPGA_UP = 4;
  private static final int CORE = 5;

  private static final Line FIRST = new Line(0, 1, VlanTags.pair(100, 1));
  private static final Line SECOND = new Line(0, 2, VlanTags.pair(100, 2));
  private static final Line ELSEWHERE = new Line(1, 2, VlanTags.pair(100, 2));

  private static final int FRAME_BYTES = 500;
  private static final long PROBE_BPS = 800 * 8L * FRAME_BYTES;
  private static final long FLOOD_BPS = 40_000_000;

  // Each has room for both probes: between two writes both may be under one of them.
  private static final long LOW_BPS = 8_000_000;
  private static final long HIGH_BPS = 12_000_000;
  private static final int BURST_BYTES = 10_000;
  private static final Duration BETWEEN_WRITES = Duration.ofMillis(100);
  // A grant lies at or above what was asked for.
  private static final double GRANTED = 1.01;

  private static final int SEEDS = 2;
  private static final SwitchPipeline PROGRAM = V1ModelPipeline.load();
  private static final int TYPE_AT = 12;
  private static final int TAG_BYTES = 4;

  // The flows.
  private static final int TO_A = 0;
  private static final int TO_B = 1;
  private static final int FROM_A = 2;
  private static final int FROM_B = 3;
  private static final int FLOWS = 4;

  /** A port, and the VLAN tags of a packet there. */
  private static String place(int port, byte[] bytes, int offset) {
    ByteBuffer frame = ByteBuffer.wrap(bytes);
    StringBuilder place = new StringBuilder().append(port);
    for (int at = offset + TYPE_AT; isTag(frame.getShort(at) & 0xffff); at += TAG_BYTES) {
      place.append(' ').append(frame.getShort(at + 2) & 0xfff);
    }
    return place.toString();
  }

  private static boolean isTag(int etherType) {
    return etherType == TestFrame.S_TAG || etherType == TestFrame.C_TAG;
  }

  /** Where a subscriber is. */
  private record Line(int bngPort, int tree, VlanTags tags) {
    int port() {
      return 1 + bngPort;
    }

    /** The {@link #place} of its packets. */
    String place() {
      return port() + " " + tags.sVlan() + " " + tags.cVlan();
    }

    FrameBuilder sent() {
      return new FrameBuilder().vlans(tags.sVlan(), tags.cVlan());
    }
  }

  private static Change subscriber(String id, Line line, String address) {
    return new Change.Put(
        new Subscriber(
            id,
            "gold",
            List.of(IpPrefix.parse(address + "/32")),
            Optional.of(line.tags),
            new Attachment(line.bngPort, line.tree)));
  }

  private static Change limit(String id, String of, long bps, Enforcement by) {
    return new Change.Put(
        new RateLimit(
            id,
            new Scope.OfSubscriber(of),
            OptionalLong.of(bps),
            OptionalLong.of(bps),
            OptionalInt.of(BURST_BYTES),
            Optional.of(by)));
  }

  /** Makes the target of a copy hold what that of the controller holds. */
  private static <E> void copy(Map<Object, E> from, Map<Object, E> to, BiConsumer<Op, E> write) {
    from.forEach(
        (key, entity) -> {
          E before = to.put(key, entity);
          if (!entity.equals(before)) {
            write.accept(before == null ? Op.INSERT : Op.MODIFY, entity);
          }
        });
    for (Object key : List.copyOf(to.keySet())) {
      if (!from.containsKey(key)) {
        write.accept(Op.DELETE, to.remove(key));
      }
    }
  }

  /** The FPGA of a direction that gets the writes of the one that the controller writes. */
  private static final class FpgaCopy {
    private final MemoryTarget<FpgaSetting> written;
    private final FpgaRegisters registers;
    private final Map<Object, FpgaSetting> settings = new LinkedHashMap<>();

    FpgaCopy(
        MemoryTarget<FpgaSetting> written,
        Direction direction,
        Simulation simulation,
        SwitchPort at) {
      this.written = written;
      FpgaModel fpga = new FpgaModel(simulation, at);
      at.connect(fpga);
      registers = ModelRegisters.driverOf(fpga, direction);
    }

    void copy() {
      List<FpgaSetting> changed = new ArrayList<>();
      ExchangeTrafficTest.copy(written.content(), settings, (op, setting) -> changed.add(setting));
      assertThat(registers.write(changed).toCompletableFuture().join()).isEmpty();
    }
  }

  /** A controller, the switch and FPGAs that get its writes, and traffic through these. */
  private static final class Run implements AutoCloseable {
    private final Random random;
    private final ControllerRig rig;
    private final FramesThrough network = new FramesThrough(0);
    private final EmbeddedSwitch dut = network.embedded();
    private final ControlClient control =
        new ControlClient(network.channel(), FramesThrough.DEVICE_ID, PROGRAM);
    private final Map<Object, SwitchEntry> entries = new LinkedHashMap<>();
    private final List<FpgaCopy> fpgas = new ArrayList<>();
    private final TrafficSource source;
    private final long[] packets = new long[FLOWS];
    private final long[] mostPackets = new long[FLOWS];
    private final List<Set<String>> places =
        Stream.<Set<String>>generate(TreeSet::new).limit(FLOWS).toList();

    /** Two subscribers, the second at a line of the test's choice; of each flow so much. */
    Run(int seed, Line second, Enforcement one, Enforcement other) {
      random = new Random(seed);
      rig =
          ControllerRig.create(
              TestNetwork.smallConfig(PROGRAM.profile())
                  .batchSize(1 + random.nextInt(3))
                  .window(8));
      Simulation simulation = dut.simulation();
      fpgas.add(new FpgaCopy(rig.down, Direction.DOWN, simulation, dut.port(FPGA_DOWN)));
      fpgas.add(new FpgaCopy(rig.up, Direction.UP, simulation, dut.port(FPGA_UP)));
      SwitchPort core = dut.port(CORE);
      List<SwitchPort> enters =
          List.of(core, core, dut.port(FIRST.port()), dut.port(second.port()));
      for (int port : List.of(FIRST.port(), ELSEWHERE.port(), CORE)) {
        dut.port(port)
            .connect((bytes, offset, length, tag, now) -> arrived(port, bytes, offset, tag));
      }
      source =
          new TrafficSource(
              simulation,
              (bytes, offset, length, tag, now) ->
                  enters.get(FlowTag.flowId(tag)).receive(bytes, offset, length, tag, now),
              1);
      for (FrameBuilder frame :
          List.of(
              new FrameBuilder().addresses(HOST, A),
              new FrameBuilder().addresses(HOST, B),
              FIRST.sent().addresses(A, HOST),
              second.sent().addresses(B, HOST))) {
        source.addFlow(FlowSpec.cbr(frame.frameBytes(FRAME_BYTES).build(), 0));
      }
      rig.time.pass(Duration.ofSeconds(1));
      rig.accept(TestNetwork.policy("gold", BuiltInFunction.GOLD));
      make(
          subscriber("a", FIRST, A),
          subscriber("b", second, B),
          limit("low", "a", LOW_BPS, one),
          limit("high", "b", HIGH_BPS, other));
      rig.time.pass(Duration.ofSeconds(1));
      copy();
      dut.run(Duration.ofSeconds(1));
    }

    private void arrived(int port, byte[] bytes, int offset, long tag) {
      int flow = FlowTag.flowId(tag);
      packets[flow]++;
      places.get(flow).add(place(port, bytes, offset));
    }

    private void make(Change... changes) {
      SetOutcome outcome = rig.controller.applyTogether(List.of(changes), false);
      assertThat(outcome.isMade()).as(outcome.outcomes().toString()).isTrue();
    }

    private void copy() {
      ExchangeTrafficTest.copy(
          rig.switchTarget.content(),
          entries,
          (op, entry) -> control.write(control.program().updates(op, entry)));
      fpgas.forEach(FpgaCopy::copy);
    }

    private void afterAWrite() {
      copy();
      pass();
    }

    private void pass() {
      long[] before = packets.clone();
      dut.run(BETWEEN_WRITES);
      for (int flow = 0; flow < FLOWS; flow++) {
        mostPackets[flow] = Math.max(mostPackets[flow], packets[flow] - before[flow]);
      }
    }

    /** Makes changes together while each flow sends at a rate. */
    void exchange(long rateBps, Change... changes) {
      IntStream.range(0, FLOWS).forEach(flow -> source.setRateBps(flow, rateBps));
      // The bursts are used up.
      dut.run(BETWEEN_WRITES);
      pass();
      rig.switchTarget.afterEachWrite(this::afterAWrite);
      rig.down.afterEachWrite(this::afterAWrite);
      rig.up.afterEachWrite(this::afterAWrite);
      rig.switchTarget.overtake(random, Duration.ofMillis(20));
      rig.down.overtake(random, Duration.ofMillis(20));
      rig.up.overtake(random, Duration.ofMillis(20));
      make(changes);
      rig.time.pass(Duration.ofSeconds(2));
      assertThat(rig.controller.summary().isAllInstalled()).isTrue();
    }

    /** None is lost or comes twice, and they arrive at these places, in the end at the last. */
    void assertArrived(int flow, String... expected) {
      assertThat(places.get(flow)).containsExactlyInAnyOrder(expected);
      places.get(flow).clear();
      pass();
      source.setRateBps(flow, 0);
      dut.run(Duration.ofSeconds(1));
      assertThat(places.get(flow)).containsExactly(expected[expected.length - 1]);
      assertThat(packets[flow]).isEqualTo(source.offeredPackets(flow)).isGreaterThan(160);
    }

    /** Between two writes no more passes than a limit lets, with its burst. */
    void assertLimited(long rateBps) {
      long most = (long) (rateBps * GRANTED * BETWEEN_WRITES.toMillis() / 8_000) + BURST_BYTES;
      for (int flow = 0; flow < FLOWS; flow++) {
        assertThat(mostPackets[flow] * FRAME_BYTES).as("flow " + flow).isLessThanOrEqualTo(most);
      }
    }

    @Override
    public void close() {
      control.close();
      network.close();
      rig.close();
    }
  }

  private static Change[] addresses(Line second) {
    return new Change[] {subscriber("a", FIRST, B), subscriber("b", second, A)};
  }

  private static Change[] limits(Enforcement one, Enforcement other) {
    return new Change[] {limit("low", "b", LOW_BPS, one), limit("high", "a", HIGH_BPS, other)};
  }

  private static Change[] lines(Line second) {
    return new Change[] {subscriber("a", second, A), subscriber("b", FIRST, B)};
  }

  @ParameterizedTest
  @EnumSource(names = {"FPGA", "POLICE"})
  void addressesAreExchangedWithoutALoss(Enforcement by) {
    for (int seed = 0; seed < SEEDS; seed++) {
      for (Line second : List.of(SECOND, ELSEWHERE)) {
        try (Run run = new Run(seed, second, by, by)) {
          run.exchange(PROBE_BPS, addresses(second));
          run.assertArrived(TO_A, FIRST.place(), second.place());
          run.assertArrived(TO_B, second.place(), FIRST.place());
          run.assertArrived(FROM_A, "5");
          run.assertArrived(FROM_B, "5");
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"FPGA, FPGA", "POLICE, POLICE", "FPGA, POLICE"})
  void limitsAreExchangedWithoutALoss(Enforcement one, Enforcement other) {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Run run = new Run(seed, SECOND, one, other)) {
        run.exchange(PROBE_BPS, limits(one, other));
        run.assertArrived(TO_A, FIRST.place());
        run.assertArrived(TO_B, SECOND.place());
        run.assertArrived(FROM_A, "5");
        run.assertArrived(FROM_B, "5");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FPGA", "POLICE"})
  void nothingPassesBesideTheLimitsThatAreExchanged(Enforcement by) {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Run run = new Run(seed, SECOND, by, by)) {
        run.exchange(FLOOD_BPS, limits(by, by));
        run.assertLimited(HIGH_BPS);
      }
      // What waits at the FPGA leaves at the one rate, what comes at the other.
      try (Run run = new Run(seed, SECOND, by, by)) {
        run.exchange(FLOOD_BPS, addresses(SECOND));
        run.assertLimited(by == Enforcement.FPGA ? LOW_BPS + HIGH_BPS : HIGH_BPS);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FPGA", "POLICE"})
  void linesAreExchangedWithoutALoss(Enforcement by) {
    for (int seed = 0; seed < SEEDS; seed++) {
      for (Line second : List.of(SECOND, ELSEWHERE)) {
        try (Run run = new Run(seed, second, by, by)) {
          run.exchange(PROBE_BPS, lines(second));
          run.assertArrived(TO_A, FIRST.place(), second.place());
          run.assertArrived(TO_B, second.place(), FIRST.place());
          run.assertArrived(FROM_A, "5");
          run.assertArrived(FROM_B, "5");
        }
      }
    }
  }

  /** After it each has the other's name. */
  @ParameterizedTest
  @EnumSource(names = {"FPGA", "POLICE"})
  void allIsExchangedWithoutALoss(Enforcement by) {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Run run = new Run(seed, SECOND, by, by)) {
        List<Change> all = new ArrayList<>(Arrays.asList(limits(by, by)));
        all.add(subscriber("a", SECOND, B));
        all.add(subscriber("b", FIRST, A));
        run.exchange(PROBE_BPS, all.toArray(Change[]::new));
        run.assertArrived(TO_A, FIRST.place());
        run.assertArrived(TO_B, SECOND.place());
        run.assertArrived(FROM_A, "5");
        run.assertArrived(FROM_B, "5");
      }
    }
  }
}
