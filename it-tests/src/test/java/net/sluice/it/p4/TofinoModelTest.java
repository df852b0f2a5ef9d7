package net.sluice.it.p4;

import static net.sluice.it.p4.PipelineContract.dropped;
import static net.sluice.it.p4.PipelineContract.forwarded;
import static net.sluice.it.p4.PipelineContract.out;
import static net.sluice.it.p4.PipelineContract.prefix;
import static net.sluice.it.p4.PipelineContract.route;
import static net.sluice.it.p4.PipelineContract.unshaped;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.entry.queue.CongestionThresholdEntry;
import net.sluice.intents.plan.entry.queue.Gain;
import net.sluice.intents.plan.entry.queue.MirrorEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.intents.plan.entry.subscriber.SubscriberVlanEntry;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.DropReason;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import p4.config.v1.P4InfoOuterClass.Action;
import p4.config.v1.P4InfoOuterClass.MatchField;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.config.v1.P4InfoOuterClass.Table;

/** Behaviours of the program for Tofino, in its frame of v1model on the emulated switch. */
class TofinoModelTest
    implements ClassificationContract,
        ForwardingContract,
        SidecarContract,
        PacketValueContract,
        ThresholdContract,
        VirtualTimeContract {
  private static final long SEED = 20_002;

  /** Ticks of the program's clock are 256 ns, those of delays four of them. */
  private static final int TICK_BITS = 8;

  private static EmulatedSwitch dut;
  private static EmulatedSwitch next;

  @BeforeAll
  static void start() {
    dut = start(SEED);
    next = start(SEED + 1);
  }

  private static EmulatedSwitch start(long seed) {
    EmulatedSwitch started = EmulatedSwitch.start(TofinoModel.load(), seed);
    // Not one of a test's entries, which go with it.
    started
        .control()
        .write(
            started
                .control()
                .program()
                .updates(Op.INSERT, new MirrorEntry(TofinoModel.RECIRCULATION_PORT)));
    return started;
  }

  @AfterAll
  static void stop() {
    dut.close();
    next.close();
  }

  @Override
  public EmulatedSwitch dut() {
    return dut;
  }

  @Override
  public SwitchUnderTest next() {
    return next;
  }

  @Test
  void modelIsOfTheSourcesBesideIt() throws IOException, InterruptedException {
    Process stamp =
        new ProcessBuilder("bash", "../p4/compile.sh", "--stamp", "tna/model")
            .redirectErrorStream(true)
            .start();
    String printed = new String(stamp.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(stamp.waitFor()).isZero();
    assertThat(Files.readString(Path.of("..", "p4", "p4c-out", "tna", "model", "SOURCES.sha256")))
        .as("./sluice p4 --model makes it anew")
        .isEqualTo(printed);
  }

  /** What drives the program on a chip drives the model: tables, keys and actions are the same. */
  @Test
  void everyTableOfTheCompiledProgramIsInTheModel() {
    List<String> expected = new ArrayList<>();
    for (String build : List.of("tofino", "tofino-codel")) {
      P4Info compiled = TofinoModel.p4Info(build);
      compiled.getTablesList().stream()
          .filter(table -> !table.getPreamble().getName().matches(".*\\.instance[3-7]\\..*"))
          .forEach(table -> expected.add(describe(table, compiled)));
    }
    P4Info model = TofinoModel.load().p4Info();
    List<String> actual = new ArrayList<>();
    model.getTablesList().forEach(table -> actual.add(describe(table, model)));
    assertThat(expected).hasSizeGreaterThan(12);
    assertThat(actual).containsAll(expected);
  }

  private static String describe(Table table, P4Info info) {
    StringBuilder text = new StringBuilder(table.getPreamble().getName());
    for (MatchField field : table.getMatchFieldsList()) {
      text.append(' ').append(field.getId()).append(':').append(field.getName());
      text.append(' ').append(field.getMatchType()).append(field.getBitwidth());
    }
    for (var reference : table.getActionRefsList()) {
      Action action =
          info.getActionsList().stream()
              .filter(a -> a.getPreamble().getId() == reference.getId())
              .findAny()
              .orElseThrow();
      text.append(' ').append(action.getPreamble().getName());
      action
          .getParamsList()
          .forEach(p -> text.append(' ').append(p.getName()).append(p.getBitwidth()));
    }
    return text.append(' ').append(table.getSize()).toString();
  }

  /** Only the FPGA may say which line a frame is from. */
  @Test
  void destinationAddressNamesALineFromTheFpgaOnly() {
    installPorts();
    SubscriberData line = new SubscriberData(1, 0, LINE_A, 0, false, false);
    install(
        route("198.51.100.0/24", CORE),
        prefix("10.0.0.9/32", unshaped(2, 0, LINE_B)),
        prefix("10.0.0.8/32", unshaped(3, 0, LINE_A)),
        new SubscriberVlanEntry(LINE_A, VlanTags.pair(100, 7), line));
    TestFrame frame = SidecarContract.ofPort(TestFrame.from("10.0.0.9", "198.51.100.1"), LINE_A);
    TestFrame tagged = frame.tags(TestFrame.S_TAG, 100, 7);
    TestFrame other = SidecarContract.ofPort(TestFrame.from("10.0.0.8", "198.51.100.1"), LINE_A);
    for (int port : new int[] {LINE_A, LINE_B, CORE, TRUNK}) {
      for (TestFrame each : List.of(tagged, frame, other, other.tag(TestFrame.C_TAG, 8))) {
        expectDrop(each.at(port), dropped(DropReason.SPOOFED_SOURCE, 1, each.length()));
      }
    }
    expect(
        tagged.at(FPGA_UP),
        forwarded(frame, CORE).at(CORE),
        out(1, Direction.UP, 1, tagged.length()));
  }

  // ---- the threshold loop, step by step

  /**
   * What a loop does, in the words of shared/dropper/threshold/threshold_loop.p4, on a clock of
   * 1,024 ns.
   */
  private static final class Reference {
    private final int proportional;
    private final int integralUp;
    private final int integralDown;
    private final long push;
    private final long target;
    private final long overload;
    private long previous;
    private long threshold;

    Reference(Gain gain, long target, long overload) {
      proportional = gain == Gain.FAST ? 13 : gain == Gain.MEDIUM ? 11 : 9;
      integralUp = gain == Gain.FAST ? 6 : gain == Gain.MEDIUM ? 2 : 0;
      integralDown = gain == Gain.SLOW ? 2 : 0;
      push = (gain == Gain.FAST ? 128L : gain == Gain.MEDIUM ? 64 : 32) << 16;
      this.target = target;
      this.overload = overload;
    }

    private long integral(long ticks) {
      return ticks << integralUp >> integralDown;
    }

    /** The threshold after a report, 16.16 fixed point. */
    long step(long delay) {
      long step =
          delay == 0
              ? -push
              : integral(delay)
                  - integral(target)
                  + (delay << proportional)
                  - previous
                  + (delay >= overload ? push : 0);
      previous = delay << proportional;
      threshold = Math.max(0, Math.min(0xffff_ffffL, threshold + step));
      return threshold;
    }
  }

  private CongestionThresholdEntry steered(int port, Gain gain, long period, long idle) {
    return new CongestionThresholdEntry(
        port, gain, 5_000, 20_000, period, idle, ThresholdContract.NEVER);
  }

  private PortFrame best() {
    return TestFrame.from("203.0.113.1", "10.0.0.1").packetValue(0xffff).at(TRUNK);
  }

  private static long ticks(long micros) {
    return micros * 1_000 >> TICK_BITS;
  }

  @ParameterizedTest
  @EnumSource(Gain.class)
  void everyReportStepsTheThresholdByTheControlLaw(Gain gain) {
    int port = 80 + gain.ordinal();
    installPorts();
    install(prefix("10.0.0.1/32", unshaped(1, 0, port)), steered(port, gain, 0, 30_000_000));
    Reference reference = new Reference(gain, 5_000, 20_000);
    Random random = new Random(gain.ordinal());
    long now = dut.nowMicros();
    for (int i = 0; i < 2_000; i++) {
      // Longer than the next packet waits less, so that packets leave in the order they came.
      now += 50_000 + random.nextInt(1_000);
      int delay =
          random.nextInt(8) == 0 ? 0 : random.nextInt(random.nextBoolean() ? 6_000 : 40_000);
      if (dut.passAt(now, delay, best()).isEmpty()) {
        // Nothing reported. The threshold is as high as it can be.
        continue;
      }
      long expected = reference.step(ticks(now + delay) - ticks(now) >> 2);
      assertThat(threshold(port))
          .as("threshold after packet %d, %d us", i, delay)
          .isEqualTo(expected);
    }
  }

  @Test
  void loopStepsOnceAPeriod() {
    int port = 83;
    installPorts();
    install(prefix("10.0.0.1/32", unshaped(1, 0, port)), steered(port, Gain.FAST, 5_000, 500_000));
    // A period of 5,000 is 5.12 ms: six packets of one millisecond.
    assertThat(steps(port, 100, 1_000)).isBetween(16, 18);
  }

  /** How often the threshold changes while packets leave after 30 ms in the queue. */
  private int steps(int port, int packets, long everyMicros) {
    int steps = 0;
    long before = threshold(port);
    for (int i = 0; i < packets; i++) {
      dut.passAt(dut.nowMicros() + everyMicros, 30_000, best());
      long after = threshold(port);
      steps += after == before ? 0 : 1;
      before = after;
    }
    return steps;
  }

  @Test
  void portReportsAtMostEvery131Micros() {
    int port = 84;
    installPorts();
    install(prefix("10.0.0.1/32", unshaped(1, 0, port)), steered(port, Gain.FAST, 0, 500_000));
    // 512 ticks of 256 ns are 131 us: every fourteenth packet.
    assertThat(steps(port, 1_000, 10)).isBetween(71, 72);
  }

  /** Without the mirror session nothing steers, and nothing is dropped. */
  @Test
  void withoutReportsEverythingPasses() {
    try (EmulatedSwitch mute = EmulatedSwitch.start(TofinoModel.load(), SEED)) {
      mute.control().insert(PipelineContract.ports());
      mute.control()
          .insert(
              List.of(
                  prefix("10.0.0.1/32", unshaped(1, 0, LINE_A)),
                  steered(LINE_A, Gain.FAST, 0, 500_000)));
      PortFrame poor = TestFrame.from("203.0.113.1", "10.0.0.1").packetValue(0).at(TRUNK);
      for (int i = 0; i < 100; i++) {
        assertThat(mute.passAt(mute.nowMicros() + 1_000, 100_000, poor)).hasSize(1);
      }
    }
  }

  /** A held threshold drops until {@code idle_micros} after the last report, and not longer. */
  @Test
  void thresholdHoldsForTheIdleTimeAfterAReport() {
    int port = 85;
    installPorts();
    install(prefix("10.0.0.1/32", unshaped(1, 0, port)), steered(port, Gain.FAST, 0, 10_000));
    for (int i = 0; i < 100; i++) {
      dut.passAt(dut.nowMicros() + 1_000, 50_000, best());
    }
    long reported = dut.nowMicros() + 50_000;
    PortFrame poor = TestFrame.from("203.0.113.1", "10.0.0.1").packetValue(1).at(TRUNK);
    // 10,000 are 10.24 ms.
    assertThat(dut.passAt(reported + 10_230, 0, poor)).isEmpty();
    assertThat(dut.passAt(reported + 10_250, 0, poor)).hasSize(1);
  }

  private static long threshold(int port) {
    return dut.control().register("congestion_threshold", port);
  }
}
