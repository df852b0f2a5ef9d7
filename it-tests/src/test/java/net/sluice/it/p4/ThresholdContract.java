package net.sluice.it.p4;

import static net.sluice.intents.value.Direction.DOWN;
import static net.sluice.it.p4.PipelineContract.dropped;
import static net.sluice.it.p4.PipelineContract.forwarded;
import static net.sluice.it.p4.PipelineContract.in;
import static net.sluice.it.p4.PipelineContract.oneBin;
import static net.sluice.it.p4.PipelineContract.out;
import static net.sluice.it.p4.PipelineContract.prefix;
import static net.sluice.it.p4.PipelineContract.rewritten;
import static net.sluice.it.p4.PipelineContract.unshaped;
import static net.sluice.it.p4.PipelineContract.value;
import static net.sluice.it.p4.TestFrame.CE;
import static net.sluice.it.p4.TestFrame.ECT0;
import static net.sluice.it.p4.TestFrame.ECT1;
import static net.sluice.it.p4.TestFrame.NOT_ECT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import net.sluice.intents.plan.entry.forwarding.EgressPortEntry;
import net.sluice.intents.plan.entry.queue.CongestionThresholdEntry;
import net.sluice.intents.plan.entry.queue.Gain;
import net.sluice.pipeconf.DropReason;
import org.junit.jupiter.api.Test;

/**
 * What is worth less than the congestion threshold value is dropped or marked. No queue is needed
 * for that: a loop without patience (period 0, overload 0) raises the threshold with every packet,
 * and one with a period of an hour leaves it where it is.
 */
interface ThresholdContract extends PipelineContract {
  /** A delay that no packet has, us. */
  long NEVER = 0xffff_ffffL;

  /** Thresholds outlive entries, so each behaviour has a port that no other has used. */
  int FIRST_PORT = 20;

  /** The switch behind {@link #NEXT_SWITCH}. */
  SwitchUnderTest next();

  @Test
  default void whatIsWorthLessIsDroppedAndCounted() {
    int port = FIRST_PORT;
    raise(dut(), port, 20_000, NEVER);
    TestFrame v4 = TestFrame.from("203.0.113.1", "10.0.0.1");
    TestFrame v6 = TestFrame.from("2001:db8:ffff::1", "2001:db8:1::1");
    for (TestFrame frame : List.of(v4, v6, v4.options(new byte[] {1, 1, 1, 0}))) {
      for (int value : new int[] {0, 1, 19_999, 20_000}) {
        TestFrame valued = frame.packetValue(value);
        expectDrop(
            valued.at(TRUNK),
            in(1, DOWN, 1, valued.length()),
            dropped(DropReason.BELOW_THRESHOLD, 1, valued.length()));
      }
      TestFrame best = frame.packetValue(0xffff);
      expect(
          best.at(TRUNK),
          forwarded(frame, port).at(port),
          in(1, DOWN, 1, best.length()),
          out(1, DOWN, 1, best.length()));
    }
  }

  @Test
  default void thresholdIsTheLeastValueThatPasses() {
    int port = FIRST_PORT + 1;
    raise(dut(), port, 30_000, NEVER);
    int below = 30_000;
    int passes = 0xffff;
    while (passes - below > 1) {
      int middle = (below + passes) / 2;
      if (passesThreshold(dut(), middle)) {
        passes = middle;
      } else {
        below = middle;
      }
    }
    List<PortFrame> sent = new ArrayList<>();
    List<Boolean> expected = new ArrayList<>();
    for (int value = Math.max(0, passes - 20); value <= Math.min(0xffff, passes + 20); value++) {
      sent.add(probe(value).at(TRUNK));
      expected.add(value >= passes);
    }
    assertThat(dut().pass(sent).stream().map(out -> !out.isEmpty()).toList()).isEqualTo(expected);
  }

  @Test
  default void ecnCapablePacketsAreMarkedInstead() {
    int port = FIRST_PORT + 2;
    raise(dut(), port, 20_000, NEVER);
    TestFrame v4 = TestFrame.from("203.0.113.1", "10.0.0.1");
    TestFrame v6 = TestFrame.from("2001:db8:ffff::1", "2001:db8:1::1");
    for (TestFrame frame : List.of(v4, v6, v4.options(new byte[] {1, 7, 1, 0, 5, 4, 3, 2}))) {
      for (int ecn : new int[] {ECT0, ECT1, CE}) {
        TestFrame poor = frame.ecn(ecn).packetValue(20_000);
        expect(
            poor.at(TRUNK),
            forwarded(frame, port).ecn(CE).at(port),
            in(1, DOWN, 1, poor.length()),
            out(1, DOWN, 1, poor.length()));
        TestFrame rich = frame.ecn(ecn).packetValue(0xffff);
        assertThat(send(rich.at(TRUNK)).out())
            .containsExactly(List.of(forwarded(frame, port).ecn(ecn).at(port)));
      }
      TestFrame deaf = frame.ecn(NOT_ECT).packetValue(20_000);
      expectDrop(
          deaf.at(TRUNK),
          in(1, DOWN, 1, deaf.length()),
          dropped(DropReason.BELOW_THRESHOLD, 1, deaf.length()));
    }
    // Both words of the checksum change at once: with every TTL, and around every carry.
    List<PortFrame> sent = new ArrayList<>();
    List<List<PortFrame>> expected = new ArrayList<>();
    for (int checksum = 0xfe00; checksum < 0xffff; checksum++) {
      int ttl = 2 + checksum % 254;
      for (int ecn : new int[] {ECT0, ECT1}) {
        TestFrame frame = v4.ttl(ttl).ecn(ecn).optionsForChecksum(checksum);
        sent.add(frame.packetValue(5).at(TRUNK));
        expected.add(List.of(rewritten(frame, port).ttl(ttl - 1).ecn(CE).at(port)));
      }
    }
    assertThat(dut().pass(sent)).isEqualTo(expected);
  }

  @Test
  default void pastTheDropDelayEvenEcnCapablePacketsAreDropped() {
    int port = FIRST_PORT + 3;
    raise(dut(), port, 20_000, 0);
    TestFrame v4 = TestFrame.from("203.0.113.1", "10.0.0.1");
    TestFrame v6 = TestFrame.from("2001:db8:ffff::1", "2001:db8:1::1");
    for (TestFrame frame : List.of(v4, v6)) {
      for (int ecn : new int[] {ECT0, ECT1, CE}) {
        TestFrame poor = frame.ecn(ecn).packetValue(20_000);
        expectDrop(
            poor.at(TRUNK),
            in(1, DOWN, 1, poor.length()),
            dropped(DropReason.BELOW_THRESHOLD, 1, poor.length()));
        assertThat(send(frame.ecn(ecn).packetValue(0xffff).at(TRUNK)).out())
            .containsExactly(List.of(forwarded(frame, port).ecn(ecn).at(port)));
      }
    }
  }

  @Test
  default void eachPortHasAThresholdOfItsOwnOrNone() {
    int congested = FIRST_PORT + 4;
    int free = FIRST_PORT + 5;
    int unsteered = FIRST_PORT + 6;
    raise(dut(), congested, 20_000, NEVER);
    install(
        frozen(dut(), free, NEVER),
        prefix("10.0.0.2/32", unshaped(2, 0, free)),
        prefix("10.0.0.3/32", unshaped(3, 0, unsteered)));
    assertThat(passesThreshold(dut(), 0)).isFalse();
    for (String destination : List.of("10.0.0.2", "10.0.0.3")) {
      TestFrame frame = TestFrame.from("203.0.113.1", destination).packetValue(0);
      assertThat(send(frame.at(TRUNK)).out().get(0)).as(destination).hasSize(1);
    }
  }

  @Test
  default void valueWrittenByOneSwitchGovernsAtTheNext() {
    int port = FIRST_PORT + 7;
    raise(next(), port, 20_000, NEVER);
    try {
      next()
          .control()
          .insert(
              List.of(
                  prefix("10.0.2.1/32", unshaped(2, 1, port)),
                  prefix("10.0.2.2/32", unshaped(2, 1, port))));
      installPorts();
      install(
          oneBin(),
          value(1, 20_000),
          value(2, 0xffff),
          prefix("10.0.2.1/32", unshaped(1, 1, NEXT_SWITCH)),
          prefix("10.0.2.2/32", unshaped(2, 2, NEXT_SWITCH)));
      TestFrame poor = TestFrame.from("203.0.113.1", "10.0.2.1");
      TestFrame rich = TestFrame.from("203.0.113.1", "10.0.2.2");
      assertThat(throughBoth(poor)).isEmpty();
      assertThat(throughBoth(poor.ecn(ECT0)))
          .containsExactly(rewritten(poor, port).ttl(62).ecn(CE).at(port));
      assertThat(throughBoth(rich)).containsExactly(rewritten(rich, port).ttl(62).at(port));
    } finally {
      next().control().deleteAll();
    }
  }

  private List<PortFrame> throughBoth(TestFrame frame) {
    List<PortFrame> between = dut().pass(List.of(frame.at(CORE))).get(0);
    assertThat(between).hasSize(1);
    assertThat(between.get(0).port()).isEqualTo(NEXT_SWITCH);
    return next().pass(List.of(new PortFrame(TRUNK, between.get(0).bytes()))).get(0);
  }

  private static TestFrame probe(int value) {
    return TestFrame.from("203.0.113.1", "10.0.0.1").packetValue(value);
  }

  private static boolean passesThreshold(SwitchUnderTest dut, int value) {
    return !dut.pass(List.of(probe(value).at(TRUNK))).get(0).isEmpty();
  }

  private static CongestionThresholdEntry frozen(
      SwitchUnderTest dut, int port, long ecnDropMicros) {
    ProgramUnderTest program = dut.control().program();
    return new CongestionThresholdEntry(
        port, Gain.FAST, 0, 0, program.endlessMicros(), program.neverIdleMicros(), ecnDropMicros);
  }

  /**
   * Installs the ports and a subscriber 1 on a port whose threshold is above a value, and stays
   * there.
   */
  static void raise(SwitchUnderTest dut, int port, int aboveValue, long ecnDropMicros) {
    ControlClient control = dut.control();
    control.insert(PipelineContract.ports());
    control.insert(
        List.of(
            new EgressPortEntry(
                port,
                PipelineContract.sourceMac(port),
                PipelineContract.destinationMac(port),
                false),
            prefix("10.0.0.1/32", unshaped(1, 0, port)),
            prefix("2001:db8:1::/56", unshaped(1, 0, port)),
            new CongestionThresholdEntry(
                port, Gain.FAST, 0, 0, 0, control.program().neverIdleMicros(), ecnDropMicros)));
    // Each packet adds 128 codes or more, once a delay has been reported.
    List<PortFrame> probes = Collections.nCopies(40, probe(aboveValue).at(TRUNK));
    for (int attempt = 0; attempt < 100; attempt++) {
      if (dut.pass(probes).get(probes.size() - 1).isEmpty()) {
        control.modify(frozen(dut, port, ecnDropMicros));
        return;
      }
    }
    fail("the threshold of port %s of %s does not rise above %s", port, dut.name(), aboveValue);
  }
}
