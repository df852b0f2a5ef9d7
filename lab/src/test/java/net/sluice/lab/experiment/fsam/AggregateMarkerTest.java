package net.sluice.lab.experiment.fsam;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Random;
import net.sluice.emulator.netsim.LineClock;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.aggregate.Aggregate;
import net.sluice.intents.model.aggregate.AggregateMarker;
import org.junit.jupiter.api.Test;

/** The compiled program's marks on random traffic, beside the formulas in floating point. */
class AggregateMarkerTest {
  private static final long BEGIN_MICROS = 20_000_000;
  private static final int BITS_PER_BYTE = 8;

  /** Half a step of the tables of logarithms and of the gaps' shares. */
  private static final double RESOLUTION = 0.01;

  /** Random packets of flows that pause and come back, and what the program makes of them. */
  private static final class Traffic {
    private final Random random = new Random(7);
    private final double[] flowBps;
    private final int[] dscp;
    private final double[] next;
    private final boolean pauses;
    private final Simulation simulation = new Simulation(11);
    private final SwitchPort in;
    final DiffservSwitch edge;
    private int mark = -1;

    int flow;
    int bits;
    long micros;

    Traffic(Aggregate aggregate, boolean pauses, int[] dscp, double... flowBps) {
      this.flowBps = flowBps;
      this.dscp = dscp;
      this.pauses = pauses;
      edge =
          DiffservSwitch.edge(
              11, IpPrefix.parse("10.1.0.0/16"), IpPrefix.parse("203.0.113.0/24"), aggregate);
      SwitchNode node = new SwitchNode(simulation, edge.device());
      in = node.addPort(DiffservSwitch.IN_PORT, LineClock.UNLIMITED_BPS, 1 << 20);
      node.addPort(DiffservSwitch.OUT_PORT, LineClock.UNLIMITED_BPS, 1 << 20)
          .connect((bytes, offset, length, tag, now) -> mark = Frames.dscp(bytes, offset));
      next = new double[flowBps.length];
      for (int i = 0; i < next.length; i++) {
        next[i] = BEGIN_MICROS + random.nextDouble() * 10_000;
      }
    }

    /** The next packet; whether it is IN. */
    boolean send() {
      flow = 0;
      for (int i = 1; i < next.length; i++) {
        flow = next[i] < next[flow] ? i : flow;
      }
      micros = Math.max(micros + 1, (long) next[flow]);
      int bytes = 100 + random.nextInt(1_300);
      bits = bytes * BITS_PER_BYTE;
      double gap = -Math.log(1 - random.nextDouble()) * 750 * BITS_PER_BYTE / flowBps[flow] * 1e6;
      next[flow] += gap + (pauses && random.nextInt(200) == 0 ? random.nextInt(3_000_000) : 0);
      byte[] buffer = Frames.udp(bytes, flow + 1, dscp[flow]);
      simulation.runUntil(micros * 1_000);
      mark = -1;
      in.receive(buffer, 0, bytes, 0, micros * 1_000);
      simulation.runUntil(micros * 1_000 + 1);
      assertThat(mark).isIn(Aggregate.IN_DSCP, Aggregate.OUT_DSCP);
      return mark == Aggregate.IN_DSCP;
    }
  }

  /** How often packets are IN beside their probabilities, by tenths of it. */
  private static final class Calibration {
    private final double[] expected = new double[10];
    private final double[] variance = new double[10];
    private final int[] marked = new int[10];
    private final int[] packets = new int[10];

    void add(double probability, boolean in) {
      if (probability == 0 || probability == 1) {
        assertThat(in).isEqualTo(probability == 1);
        return;
      }
      int tenth = (int) (10 * probability);
      expected[tenth] += probability;
      variance[tenth] += probability * (1 - probability);
      marked[tenth] += in ? 1 : 0;
      packets[tenth]++;
    }

    void assertWithin(int atLeast) {
      int seen = 0;
      for (int i = 0; i < 10; i++) {
        if (packets[i] > 500) {
          assertThat((double) marked[i])
              .as("tenth %d of %d packets", i, packets[i])
              .isCloseTo(expected[i], within(4 * Math.sqrt(variance[i]) + RESOLUTION * packets[i]));
          seen++;
        }
      }
      assertThat(seen).isGreaterThanOrEqualTo(atLeast);
    }
  }

  private static final int[] NO_DSCP = new int[4];

  @Test
  void tokenBucketMarksEachPacketAsTheFormulaDoes() {
    Aggregate aggregate = Aggregate.up(777_000, 12_500, new AggregateMarker.TokenBucket());
    Traffic traffic = new Traffic(aggregate, true, NO_DSCP, 3e5, 5e5, 8e5, 2e5);
    ReferenceMarker reference = new ReferenceMarker(aggregate, 1, new double[4], 1);
    int compared = 0;
    int in = 0;
    for (int i = 0; i < 50_000; i++) {
      boolean marked = traffic.send();
      double tokens = reference.tokens(traffic.micros);
      // The switch's rate is the nearest of its own, less than a bit a second off.
      if (Math.abs(tokens - traffic.bits) > 5) {
        assertThat(marked).as("packet %d", i).isEqualTo(tokens >= traffic.bits);
        compared++;
      }
      if (marked) {
        reference.take(traffic.bits);
        in++;
      }
    }
    assertThat(compared).isGreaterThan(49_800);
    assertThat(in).isBetween(20_000, 40_000);
  }

  @Test
  void tsw2cmMarksWithTheFormulasProbability() {
    Aggregate aggregate = Aggregate.up(800_000, 12_500, new AggregateMarker.Tsw2cm(756));
    Traffic traffic = new Traffic(aggregate, true, NO_DSCP, 3e5, 5e5, 8e5, 2e5);
    ReferenceMarker reference = new ReferenceMarker(aggregate, 8, new double[4], 1);
    Calibration calibration = new Calibration();
    for (int i = 0; i < 100_000; i++) {
      boolean marked = traffic.send();
      double probability = reference.tsw2cm(traffic.bits, traffic.micros);
      if (Math.abs(probability - 1) > RESOLUTION || probability == 1 && marked) {
        calibration.add(probability, marked);
      }
    }
    calibration.assertWithin(4);
  }

  @Test
  void pamMarksWithTheFormulasProbability() {
    Aggregate aggregate = Aggregate.up(800_000, 50_000, new AggregateMarker.Pam(0.1, 0.9, 0.8, 5));
    Traffic traffic = new Traffic(aggregate, true, NO_DSCP, 3e5, 5e5, 8e5, 2e5);
    ReferenceMarker reference = new ReferenceMarker(aggregate, 1, new double[4], 1);
    Calibration calibration = new Calibration();
    for (int i = 0; i < 100_000; i++) {
      boolean marked = traffic.send();
      double probability = reference.pam(traffic.bits, traffic.micros);
      // At its edges a threshold is met a bit earlier or later.
      if (probability > 0.21 && probability < 0.99) {
        calibration.add(probability, marked);
      }
      if (marked) {
        reference.take(traffic.bits);
      }
    }
    calibration.assertWithin(5);
  }

  /** Both run on their own, as an error of the fair rate would otherwise add up. */
  @Test
  void fsamGivesEachFlowWhatTheFormulasGive() {
    Aggregate aggregate = Aggregate.up(1_000_000, 62_500, new AggregateMarker.Fsam());
    Traffic traffic = new Traffic(aggregate, false, NO_DSCP, 1e5, 4e5, 1e6, 3e6);
    ReferenceMarker reference = new ReferenceMarker(aggregate, 2, new double[] {1, 1, 1, 1}, 1);
    double[] marked = new double[4];
    double[] expected = new double[4];
    for (int i = 0; i < 600_000; i++) {
      boolean in = traffic.send();
      boolean in2 = reference.fsam(traffic.flow, traffic.bits, traffic.micros);
      marked[traffic.flow] += in ? traffic.bits : 0;
      expected[traffic.flow] += in2 ? traffic.bits : 0;
    }
    for (int flow = 0; flow < 4; flow++) {
      double packets = expected[flow] / (750 * BITS_PER_BYTE);
      assertThat(marked[flow] / expected[flow])
          .as("flow %d of %.0f packets", flow, packets)
          .isCloseTo(1, within(RESOLUTION + 4 / Math.sqrt(packets)));
    }
    // The slow flow keeps all but what its own bursts cost; the others share alike.
    assertThat(marked[3] / marked[2]).isCloseTo(1, within(0.1));
  }

  /** Of the packets after another contract has taken the number of one that has used all up. */
  private static int inOfTheFirst(AggregateMarker marker, long holder) {
    Traffic traffic =
        new Traffic(Aggregate.up(100_000, 12_500, marker), false, NO_DSCP, 3e5, 5e5, 8e5, 2e5);
    for (int i = 0; i < 2_000; i++) {
      traffic.send();
    }
    traffic.edge.replace(Aggregate.up(800_000, 50_000, marker), holder);
    int in = 0;
    for (int i = 0; i < 20; i++) {
      in += traffic.send() ? 1 : 0;
    }
    return in;
  }

  /** The bucket is full, PAM's average too, and no rate is known to be too much. */
  @Test
  void anotherHolderOfANumberFindsNothingOfTheOneBefore() {
    for (AggregateMarker marker :
        List.of(
            new AggregateMarker.TokenBucket(),
            new AggregateMarker.Tsw2cm(),
            new AggregateMarker.Pam(0.1, 0.9, 1, 16),
            new AggregateMarker.Fsam())) {
      assertThat(inOfTheFirst(marker, 2)).as(marker.text()).isEqualTo(20);
      assertThat(inOfTheFirst(marker, 1)).as(marker.text()).isLessThan(18);
    }
  }

  @Test
  void sharesFollowWeightsWithinFivePercent() {
    Aggregate aggregate =
        Aggregate.up(
            1_000_000,
            62_500,
            new AggregateMarker.Fsam(200, 200, Map.of(46, 4.0, 26, 2.0, 18, 1.0)));
    Traffic traffic = new Traffic(aggregate, false, new int[] {46, 26, 18}, 2e6, 2e6, 2e6);
    double[] marked = new double[3];
    for (int i = 0; i < 400_000; i++) {
      if (traffic.send()) {
        marked[traffic.flow] += traffic.bits;
      }
    }
    assertThat(marked[0] / marked[2]).isCloseTo(4, within(0.2));
    assertThat(marked[1] / marked[2]).isCloseTo(2, within(0.1));
  }
}
