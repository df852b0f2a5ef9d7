package net.sluice.it.p4;

import static net.sluice.it.p4.PipelineContract.prefix;
import static net.sluice.it.p4.PipelineContract.unshaped;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.sluice.intents.plan.entry.forwarding.ErrorReportEntry;
import net.sluice.intents.plan.entry.queue.CongestionThresholdEntry;
import net.sluice.intents.plan.entry.queue.Gain;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.plan.entry.subscriber.PortRoleEntry;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.PacketCodec;
import net.sluice.pipeconf.V1ModelPipeline;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import p4.v1.P4RuntimeOuterClass.Update;

/** The program's behaviours on the emulated switch. */
class EmulatedPipelineTest implements V1ModelContract, ThresholdContract, VirtualTimeContract {
  /** 2^20 us. */
  private static final long FORGET_MICROS = 1_048_576;

  private static EmulatedSwitch dut;
  private static SwitchUnderTest next;

  @BeforeAll
  static void start() {
    dut = EmulatedSwitch.start(V1ModelPipeline.load());
    next = EmulatedSwitch.start(V1ModelPipeline.load());
  }

  @AfterAll
  static void stop() {
    dut.close();
    next.close();
  }

  /** Only here is the delay known: a mark becomes a drop when it is reached. */
  @Test
  void markBecomesADropAtTheDropDelay() {
    TestFrame frame =
        TestFrame.from("203.0.113.1", "10.0.0.1").ecn(TestFrame.ECT0).packetValue(20_000);
    ThresholdContract.raise(dut, 50, 20_000, EmulatedSwitch.QUEUE_MICROS + 1);
    assertThat(send(frame.at(TRUNK)).out().get(0)).hasSize(1);
    dut.control().deleteAll();
    ThresholdContract.raise(dut, 51, 20_000, EmulatedSwitch.QUEUE_MICROS);
    assertThat(send(frame.at(TRUNK)).out().get(0)).isEmpty();
  }

  /** Only here does a second pass at once: what a port had learnt is forgotten, but not earlier. */
  @Test
  void thresholdIsForgottenAfterASecondWithoutPackets() {
    PortFrame probe = TestFrame.from("203.0.113.1", "10.0.0.1").packetValue(20_000).at(TRUNK);
    ThresholdContract.raise(dut, 52, 20_000, ThresholdContract.NEVER);
    dut.control().modify(steered(52, 0, ThresholdContract.NEVER, 1_000));
    assertThat(dut.passAt(dut.nowMicros() + FORGET_MICROS - 1, probe)).isEmpty();
    assertThat(dut.passAt(dut.nowMicros() + FORGET_MICROS, probe)).hasSize(1);
  }

  /** Ten at once, and then one in ten milliseconds; other ports have as many of their own. */
  @Test
  void aPortGivesTheControllerNoMoreThanAHundredPacketsASecond() {
    int port = 40;
    installPorts();
    install(
        new PortRoleEntry(port, PortRole.CORE, Direction.DOWN),
        new PortRoleEntry(port + 1, PortRole.CORE, Direction.DOWN),
        new ErrorReportEntry(port),
        new ErrorReportEntry(port + 1));
    TestFrame frame = TestFrame.from("203.0.113.1", "10.0.0.1").ttl(1);
    long begin = dut.nowMicros() + 1_000;
    int told = 0;
    for (int milli = 0; milli < 1_000; milli++) {
      told += dut.passAt(begin + 1_000L * milli, frame.at(port)).size();
    }
    assertThat(told).isEqualTo(10 + 100);
    assertThat(dut.passAt(dut.nowMicros(), frame.at(port + 1))).hasSize(1);
  }

  /** Also when a port may tell no more of them: which ones it tells is by chance. */
  @Test
  void copiesAreOfSendersInProportionToTheirPackets() {
    int port = 42;
    install(new PortRoleEntry(port, PortRole.ACCESS, Direction.UP, true));
    Update session = PacketCodec.copiesOfUnknown();
    dut.control().write(List.of(session));
    TestFrame often = TestFrame.from("192.0.2.1", "198.51.100.1");
    TestFrame seldom = TestFrame.from("192.0.2.2", "198.51.100.1");
    long begin = dut.nowMicros() + 1_000;
    int ofOften = 0;
    int ofSeldom = 0;
    Random order = new Random(1);
    for (int i = 0; i < 40_000; i++) {
      boolean isSeldom = order.nextInt(4) == 0;
      int copies = dut.passAt(begin + 250L * i, (isSeldom ? seldom : often).at(port)).size();
      ofOften += isSeldom ? 0 : copies;
      ofSeldom += isSeldom ? copies : 0;
    }
    dut.control().write(List.of(session.toBuilder().setType(Update.Type.DELETE).build()));
    // Four a milli, of which one in eight would be told; a hundred a second are.
    assertThat(ofOften + ofSeldom).isEqualTo(10 + 1_000);
    assertThat((double) ofSeldom / (ofOften + ofSeldom)).isBetween(0.22, 0.28);
  }

  /** The control law to the last bit, up and down: every packet is a step, each delay is known. */
  @Test
  void thresholdMovesByWhatTheDelayIsOffItsTarget() {
    int port = 53;
    installPorts();
    install(prefix("10.0.0.1/32", unshaped(1, 0, port)), steered(port, 0, 0, 0));
    TestFrame frame = TestFrame.from("203.0.113.1", "10.0.0.1");
    List<PortFrame> hundred = Collections.nCopies(100, frame.packetValue(0xffff).at(TRUNK));
    dut.pass(hundred);
    // The first packet finds no delay and an old clock; the second sees the delay appear.
    long delay = EmulatedSwitch.QUEUE_MICROS;
    long threshold = (delay << 13) + 99 * ((delay << 6) + (128 << 16));
    expectThreshold(frame, port, threshold >> 16);
    dut.control().modify(steered(port, 2_000, ThresholdContract.NEVER, 0));
    dut.pass(hundred);
    threshold -= 100 * (2_000 - delay << 6);
    expectThreshold(frame, port, threshold >> 16);
  }

  private void expectThreshold(TestFrame frame, int port, long expected) {
    dut.control().modify(steered(port, 0, 0, ThresholdContract.NEVER));
    int value = (int) expected;
    assertThat(dut.pass(List.of(frame.packetValue(value - 1).at(TRUNK))).get(0)).isEmpty();
    assertThat(dut.pass(List.of(frame.packetValue(value).at(TRUNK))).get(0)).hasSize(1);
  }

  private static CongestionThresholdEntry steered(
      int port, long targetMicros, long overloadMicros, long periodMicros) {
    return new CongestionThresholdEntry(
        port,
        Gain.FAST,
        targetMicros,
        overloadMicros,
        periodMicros,
        ThresholdContract.NEVER,
        ThresholdContract.NEVER);
  }

  @Override
  public EmulatedSwitch dut() {
    return dut;
  }

  @Override
  public SwitchUnderTest next() {
    return next;
  }
}
