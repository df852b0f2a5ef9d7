package net.sluice.it.p4;

import static net.sluice.it.p4.PipelineContract.CORE;
import static net.sluice.it.p4.PipelineContract.NEXT_SWITCH;
import static net.sluice.it.p4.PipelineContract.prefix;
import static net.sluice.it.p4.PipelineContract.unshaped;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.sluice.intents.marker.RandomRates;
import net.sluice.intents.marker.RateBins;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.SwitchEntry.PolicyValueEntry;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.V1ModelPipeline;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The marker (paper 000, section IV) measured from outside, in virtual time: a policy whose value
 * is the number of the bin, on a port that keeps values, shows the bin of every packet.
 */
class MarkerStatisticsTest {
  private static final SwitchPipeline PROGRAM = V1ModelPipeline.load();
  private static final double MAX_RATE_BPS = 10e9;
  private static final RateBins BINS =
      new RateBins(MAX_RATE_BPS, PROGRAM.profile().rateUnitBps(), PROGRAM.profile().rateKeyBits());
  private static final int VALUE_AT = 14;

  /** Half-life of the rate filter, us. */
  private static final double HALF_LIFE_MICROS = 65_536;

  /**
   * A flow of constant rate R has packets in bin max(0, bin(R) - y(rnd)), rnd even over 0..255:
   * Pearson's chi-square over all 256 draws.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void binsOfASteadyFlowFollowTheRandomFraction(long seed) {
    int frameBytes = 1_250;
    long intervalMicros = 1_024;
    double rateBps = frameBytes * 8 / (intervalMicros * 1e-6);
    int rateBin = BINS.binOfBps(rateBps);
    // The filter's error is far below the distance to the bin's ends.
    assertThat(BINS.binOfBps(rateBps * 1.001)).isEqualTo(rateBin);
    assertThat(BINS.binOfBps(rateBps * 0.999)).isEqualTo(rateBin);

    int packets = 100 * 256;
    int[] seen = new int[RateBins.BINS];
    try (EmulatedSwitch dut = start(seed)) {
      dut.control().insert(RandomRates.entries().toList());
      long now = 1_000_000;
      ByteString frame = frame(1, frameBytes);
      // Thirty half-lives: the filter has forgotten that the flow began.
      long measureFrom = now + (long) (30 * HALF_LIFE_MICROS);
      for (int measured = 0; measured < packets; now += intervalMicros) {
        int bin = bin(dut, now, frame);
        if (now >= measureFrom) {
          seen[bin]++;
          measured++;
        }
      }
    }
    double[] expected = new double[RateBins.BINS];
    for (int random = 0; random <= RandomRates.MAX_RANDOM; random++) {
      expected[Math.max(0, rateBin - offset(random))] += packets / 256.0;
    }
    double chiSquare = 0;
    int outcomes = 0;
    for (int bin = 0; bin < RateBins.BINS; bin++) {
      if (expected[bin] == 0) {
        assertThat(seen[bin]).as("packets in bin %d, which no draw leads to", bin).isZero();
      } else {
        outcomes++;
        double difference = seen[bin] - expected[bin];
        chiSquare += difference * difference / expected[bin];
      }
    }
    // Beyond these is one run in a million, on either side: too even is as wrong as too uneven.
    assertThat(chiSquare)
        .isBetween(chiSquareQuantile(outcomes - 1, -4.75), chiSquareQuantile(outcomes - 1, 4.75));
    // What the marker is for: of a flow at R, the packets in bins up to rate r are a share r / R.
    int sum = 0;
    for (int bin = 0; bin <= rateBin; bin++) {
      sum += seen[bin];
      double share = Math.pow(RateBins.BASE, bin - rateBin);
      assertThat((double) sum / packets)
          .as("share up to bin %d", bin)
          .isCloseTo(share, within(0.02));
    }
  }

  /**
   * Without draws the bin is that of the measured rate: against an ideal filter, packet by packet.
   */
  @ParameterizedTest
  @ValueSource(longs = {11, 12})
  void binIsThatOfTheRateMeasuredSoFar(long seed) {
    Random random = new Random(seed);
    double[] bytes = new double[3];
    long[] last = new long[3];
    List<String> wrong = new ArrayList<>();
    int compared = 0;
    try (EmulatedSwitch dut = start(seed)) {
      long now = 5_000_000;
      for (int i = 0; i < 20_000; i++) {
        // Bursts, steady stretches and silences, interleaved over three subscribers.
        int pace = random.nextInt(40) == 0 ? 60_000 : 2_000;
        now += 1 + random.nextInt(i % 4_000 < 2_000 ? 300 : pace);
        if (random.nextInt(500) == 0) {
          // Long enough to forget a part, most or all of what was counted.
          now += random.nextInt(3_000_000);
        }
        int flow = random.nextInt(3);
        int frameBytes = 60 + random.nextInt(1_440);
        bytes[flow] *= Math.pow(2, -(now - last[flow]) / HALF_LIFE_MICROS);
        last[flow] = now;
        double middle = bytes[flow] + frameBytes / 2.0;
        bytes[flow] += frameBytes;
        double rateBps = middle * 8 * Math.log(2) / (HALF_LIFE_MICROS * 1e-6);
        int measured = bin(dut, now, frame(flow + 1, frameBytes));
        int low = BINS.binOfBps(rateBps * 0.99);
        int high = BINS.binOfBps(rateBps * 1.01);
        if (measured < low || measured > high) {
          wrong.add(String.format("packet %d: bin %d, not %d..%d", i, measured, low, high));
        }
        compared++;
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(compared).isEqualTo(20_000);
  }

  /** Same seed, same values; another seed, others: the switch's only chance is its seed. */
  @Test
  void seedDecidesEveryDraw() {
    assertThat(drawnBins(5)).isEqualTo(drawnBins(5)).isNotEqualTo(drawnBins(6));
  }

  private static List<Integer> drawnBins(long seed) {
    try (EmulatedSwitch dut = start(seed)) {
      dut.control().insert(RandomRates.entries().toList());
      ByteString frame = frame(1, 1_000);
      return IntStream.range(0, 200).mapToObj(i -> bin(dut, 1_000_000 + 500L * i, frame)).toList();
    }
  }

  private static EmulatedSwitch start(long seed) {
    EmulatedSwitch dut = EmulatedSwitch.start(PROGRAM, seed);
    List<SwitchEntry> entries = new ArrayList<>(PipelineContract.ports());
    BINS.entries().forEach(entries::add);
    IntStream.range(0, RateBins.BINS)
        .mapToObj(bin -> new PolicyValueEntry(1, bin, bin))
        .forEach(entries::add);
    for (int subscriber = 1; subscriber <= 3; subscriber++) {
      entries.add(prefix("10.0.0." + subscriber + "/32", unshaped(subscriber, 1, NEXT_SWITCH)));
    }
    dut.control().insert(entries);
    return dut;
  }

  /** As the paper's figure 2 has it, not as the product computes it. */
  private static int offset(int random) {
    double base = Math.pow(100_000, 1.0 / 1_023);
    return random == 0 ? 1_023 : (int) Math.round(-Math.log(random / 255.0) / Math.log(base));
  }

  private static ByteString frame(int subscriber, int frameBytes) {
    return TestFrame.from("203.0.113.1", "10.0.0." + subscriber)
        .payload(TestFrame.udp(1, 2, frameBytes - 14 - 20 - 8))
        .bytes();
  }

  private static int bin(EmulatedSwitch dut, long micros, ByteString frame) {
    List<PortFrame> out = dut.passAt(micros, new PortFrame(CORE, frame));
    assertThat(out).hasSize(1);
    ByteString bytes = out.get(0).bytes();
    return (bytes.byteAt(VALUE_AT) & 0xff) << 8 | (bytes.byteAt(VALUE_AT + 1) & 0xff);
  }

  /** Wilson and Hilferty's approximation: the chi-square value that many deviations from normal. */
  private static double chiSquareQuantile(int degrees, double deviations) {
    double spread = 2.0 / (9 * degrees);
    return degrees * Math.pow(1 - spread + deviations * Math.sqrt(spread), 3);
  }
}
