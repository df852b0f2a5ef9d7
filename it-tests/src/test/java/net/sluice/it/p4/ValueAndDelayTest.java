package net.sluice.it.p4;

import static net.sluice.it.p4.PipelineContract.LINE_A;
import static net.sluice.it.p4.PipelineContract.TRUNK;
import static net.sluice.it.p4.PipelineContract.prefix;
import static net.sluice.it.p4.PipelineContract.unshaped;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import net.sluice.emulator.netsim.EventHandler;
import net.sluice.emulator.netsim.PortStatistics;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.intents.compile.AqmTuning;
import net.sluice.intents.model.policy.AqmKind;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.queue.MirrorEntry;
import net.sluice.intents.plan.entry.queue.QueueAqmEntry;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.V1ModelPipeline;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Twice what a line carries, in packets of any value between two: which of them are lost, and how
 * long the others wait, where CoDel manages the queue, the port drops by value, or both. Virtual
 * time.
 */
class ValueAndDelayTest {
  private static final SwitchPipeline PROGRAM = V1ModelPipeline.load();
  private static final long LINE_BPS = 50_000_000;
  private static final double PORT_MILLIS =
      AqmTuning.forPort(LINE_A, LINE_BPS).targetMicros() / 1e3;
  private static final int MIRROR = 68;
  private static final int PAYLOAD_BYTES = 1_200;
  private static final double OVERLOAD = 2;
  private static final int LEAST_VALUE = 20_000;
  private static final int VALUES = 10_000;
  private static final double TARGET_MILLIS = 5;
  private static final long MILLI = 1_000_000;
  private static final long WARM_UP = 2_000 * MILLI;
  private static final long MEASURED = 6_000 * MILLI;

  /** CoDel's interval: what the loop knows of the queue is at most that old. */
  private static final long LAG = 100 * MILLI;

  private static final long WINDOW = 250 * MILLI;

  /** A packet on its way to the switch. */
  private static final class Sent {
    final long nanos;
    final int value;
    boolean delivered;

    Sent(long nanos, int value) {
      this.nanos = nanos;
      this.value = value;
    }
  }

  private record Result(List<Sent> sent, PortStatistics line) {
    double meanMillis() {
      return line.queueDelayNanos().getMean() / MILLI;
    }

    /** The most by which a lost packet was worth more than one that came later and passed. */
    int worstInversion() {
      int worst = 0;
      for (int i = 0; i < sent.size(); i++) {
        Sent lost = sent.get(i);
        for (int j = i + 1;
            !lost.delivered && j < sent.size() && sent.get(j).nanos <= lost.nanos + LAG;
            j++) {
          if (sent.get(j).delivered) {
            worst = Math.max(worst, lost.value - sent.get(j).value);
          }
        }
      }
      return worst;
    }

    /** The part that was delivered of what is worth at least or less than the middle. */
    double delivered(boolean upperHalf) {
      return sent.stream()
          .filter(packet -> packet.value >= LEAST_VALUE + VALUES / 2 == upperHalf)
          .mapToInt(packet -> packet.delivered ? 1 : 0)
          .average()
          .orElseThrow();
    }

    /** The part that was delivered in each window. */
    List<Double> deliveredByWindow() {
      List<Double> parts = new ArrayList<>();
      for (long begin = WARM_UP; begin < WARM_UP + MEASURED; begin += WINDOW) {
        long from = begin;
        parts.add(
            sent.stream()
                .filter(packet -> packet.nanos >= from && packet.nanos < from + WINDOW)
                .mapToInt(packet -> packet.delivered ? 1 : 0)
                .average()
                .orElseThrow());
      }
      return parts;
    }
  }

  @ParameterizedTest
  @EnumSource
  void withBothLoopsWhatIsWorthLeastGoesAtCodelsDelay(AqmKind kind) {
    Result both = run(codel(kind, TARGET_MILLIS), values());
    print("both, " + kind, both);
    assertThat(both.meanMillis()).isBetween(0.5 * TARGET_MILLIS, 1.5 * TARGET_MILLIS);
    assertThat(both.line().utilisation()).isGreaterThan(0.98);
    assertThat(both.line().egressDropPackets()).isZero();
    assertThat(both.line().tailDropPackets()).isZero();
    assertThat(both.worstInversion()).isLessThan(VALUES / 20);
    assertThat(both.delivered(true)).isGreaterThan(0.97);
    assertThat(both.delivered(false)).isLessThan(0.03);
    // The threshold stays where it belongs: half of the packets pass in every quarter of a second.
    assertThat(both.deliveredByWindow()).allMatch(part -> part > 0.45 && part < 0.55);
  }

  @Test
  void valuesAloneHoldThePortsTarget() {
    Result alone = run(values());
    print("values alone", alone);
    assertThat(alone.meanMillis()).isBetween(0.6 * PORT_MILLIS, 1.4 * PORT_MILLIS);
    assertThat(alone.worstInversion()).isLessThan(VALUES / 10);
  }

  /** From ten packets to a hundred milliseconds; the port's own target is 9.6 ms. */
  @ParameterizedTest
  @ValueSource(doubles = {2, 20, 50, 100})
  void codelsTargetIsInForceNotThePorts(double targetMillis) {
    Result both = run(codel(AqmKind.CODEL_ACT, targetMillis), values());
    print("both, target " + targetMillis, both);
    assertThat(both.meanMillis()).isBetween(0.8 * targetMillis, Math.max(4, 1.2 * targetMillis));
    assertThat(both.worstInversion()).isLessThan(VALUES / 10);
    assertThat(both.line().utilisation()).isGreaterThan(0.93);
  }

  @Test
  void codelAloneDropsWhateverIsAtHand() {
    Result alone = run(codel(AqmKind.CODEL_ACT, TARGET_MILLIS));
    print("CoDel alone", alone);
    assertThat(alone.line().egressDropPackets()).isPositive();
    assertThat(alone.delivered(true) / alone.delivered(false)).isBetween(0.95, 1.05);
    assertThat(alone.worstInversion()).isGreaterThan(VALUES * 9 / 10);
    assertThat(alone.meanMillis()).isGreaterThan(20 * TARGET_MILLIS);
  }

  private static SwitchEntry codel(AqmKind kind, double targetMillis) {
    return new QueueAqmEntry(LINE_A, 0, kind, Math.round(targetMillis * 1e3), 100_000, false);
  }

  private static SwitchEntry values() {
    return AqmTuning.forPort(LINE_A, LINE_BPS);
  }

  private static Result run(SwitchEntry... loops) {
    try (EmulatedSwitch dut = EmulatedSwitch.start(PROGRAM)) {
      dut.control().insert(PipelineContract.ports());
      dut.control()
          .insert(List.of(prefix("10.0.0.1/32", unshaped(1, 0, LINE_A)), new MirrorEntry(MIRROR)));
      dut.control().insert(List.of(loops));
      Simulation simulation = new Simulation(11);
      SwitchNode node = new SwitchNode(simulation, dut.device());
      SwitchPort trunk = node.addPort(TRUNK, 10_000_000_000L, 1 << 20);
      SwitchPort line = node.addPort(LINE_A, LINE_BPS, 4 << 20);
      node.addPort(MIRROR, 10_000_000_000L, 1 << 20);
      List<Sent> sent = new ArrayList<>();
      line.connect((bytes, offset, length, tag, now) -> sent.get((int) tag).delivered = true);
      Random random = new Random(5);
      TestFrame frame =
          TestFrame.from("203.0.113.1", "10.0.0.1").payload(TestFrame.udp(1, 2, PAYLOAD_BYTES));
      double gapNanos = frame.length() * 8e9 / LINE_BPS / OVERLOAD;
      EventHandler source =
          new EventHandler() {
            @Override
            public void onEvent(long now, long argument) {
              int value = LEAST_VALUE + random.nextInt(VALUES);
              byte[] bytes = frame.packetValue(value).at(TRUNK).bytes().toByteArray();
              sent.add(new Sent(now, value));
              trunk.receive(bytes, 0, bytes.length, sent.size() - 1, now);
              double gap = -Math.log(1 - random.nextDouble()) * gapNanos;
              simulation.schedule(now + 1 + (long) gap, this, 0);
            }
          };
      simulation.schedule(1, source, 0);
      simulation.runUntil(WARM_UP);
      node.resetStatistics();
      simulation.runUntil(WARM_UP + MEASURED);
      PortStatistics statistics = line.statistics();
      // What is still in the queue has not been lost.
      int count = sent.size();
      simulation.runUntil(WARM_UP + MEASURED + 2_000 * MILLI);
      List<Sent> measured =
          sent.subList(0, count).stream().filter(packet -> packet.nanos >= WARM_UP).toList();
      return new Result(measured, statistics);
    }
  }

  private static void print(String what, Result result) {
    System.out.printf(
        Locale.ROOT,
        "%s: mean delay %.2f ms, %.1f %% of the line, %.1f %% of the upper and %.1f %% of the lower"
            + " half delivered, worst inversion %d%n",
        what,
        result.meanMillis(),
        100 * result.line().utilisation(),
        100 * result.delivered(true),
        100 * result.delivered(false),
        result.worstInversion());
  }
}
