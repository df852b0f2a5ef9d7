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
import org.junit.jupiter.params.provider.CsvSource;
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

  /** Bins for rates from 140 bit/s up to 14 Mbit/s. */
  private static final RateBins SLOW_BINS =
      new RateBins(14e6, PROGRAM.profile().rateUnitBps(), PROGRAM.profile().rateKeyBits());

  private static final int SLOW_FRAME_BYTES = 1_500;

  /** Half-life of the rate filter, us. */
  private static final double HALF_LIFE_MICROS = 65_536;

  private static final double TIME_CONSTANT_MICROS = HALF_LIFE_MICROS / Math.log(2);

  /** A table entry's greatest error, as a part of a steady flow's rate, and of what it weighs. */
  private static final double WEIGHT_ERROR = 1.0 / 64;

  /**
   * A flow of constant rate R has packets in bin max(0, bin(R) - y(rnd)), rnd even over 65,536
   * numbers: Pearson's chi-square over all draws.
   */
  @ParameterizedTest
  @CsvSource({"BITS_16, 1", "BITS_16, 2", "PAPER_8_BITS, 3"})
  void binsOfASteadyFlowFollowTheRandomFraction(RandomRates rates, long seed) {
    SteadyFlow flow = new SteadyFlow(1_250, 1_024);
    int rateBin = BINS.binOfBps(flow.rateBps());
    // The filter's error is far below the distance to the bin's ends.
    assertThat(BINS.binOfBps(flow.rateBps() * 1.001)).isEqualTo(rateBin);
    assertThat(BINS.binOfBps(flow.rateBps() * 0.999)).isEqualTo(rateBin);

    int packets = 100 * 256;
    int[] seen = flow.bins(rates, packets, seed);
    double[] expected = new double[RateBins.BINS];
    double[] probabilities = probabilities(rates);
    for (int offset = 0; offset < RateBins.BINS; offset++) {
      expected[Math.max(0, rateBin - offset)] += packets * probabilities[offset];
    }
    double chiSquare = 0;
    int outcomes = 0;
    double rareExpected = 0;
    int rareSeen = 0;
    for (int bin = 0; bin < RateBins.BINS; bin++) {
      if (expected[bin] == 0) {
        assertThat(seen[bin]).as("packets in bin %d, which no draw leads to", bin).isZero();
      }
      // Bins too rare for the statistic are one outcome together with the next ones up.
      rareExpected += expected[bin];
      rareSeen += seen[bin];
      if (rareExpected >= 10) {
        outcomes++;
        chiSquare += (rareSeen - rareExpected) * (rareSeen - rareExpected) / rareExpected;
        rareExpected = 0;
        rareSeen = 0;
      }
    }
    // Beyond these is one run in a million, on either side: too even is as wrong as too uneven.
    assertThat(chiSquare)
        .isBetween(chiSquareQuantile(outcomes - 1, -4.75), chiSquareQuantile(outcomes - 1, 4.75));
    // What the marker is for: of a flow at R, the packets in bins up to rate r are a share r / R.
    int sum = 0;
    for (int bin = 0; bin < rateBin; bin++) {
      sum += seen[bin];
      double share = Math.pow(RateBins.BASE, bin + 1 - rateBin);
      assertThat((double) sum / packets)
          .as("share up to bin %d", bin)
          .isCloseTo(share, within(0.02));
    }
  }

  /** What thresholds at a part of a steady flow's rate let through: that part. */
  @ParameterizedTest
  @ValueSource(longs = {21, 22})
  void floodGetsItsShare(long seed) {
    SteadyFlow flow = new SteadyFlow(1_250, 128);
    int packets = 400_000;
    int[] seen = flow.bins(RandomRates.BITS_16, packets, seed);
    for (int times : new int[] {2, 18, 59, 69, 177, 200}) {
      double shareBps = flow.rateBps() / times;
      long accepted = 0;
      for (int bin = 0; bin < RateBins.BINS; bin++) {
        // A bin has the value of its upper end.
        accepted += BINS.upperBps(bin) <= shareBps ? seen[bin] : 0;
      }
      double deviation = Math.sqrt((times - 1.0) / packets);
      assertThat((double) accepted / packets * times)
          .as("part of its share that %d times the share gets", times)
          .isCloseTo(1, within(Math.max(0.05, 3 * deviation)));
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
    try (EmulatedSwitch dut = start(BINS, seed)) {
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
        double gap = (now - last[flow]) / TIME_CONSTANT_MICROS;
        bytes[flow] *= Math.exp(-gap);
        last[flow] = now;
        double read = bytes[flow] + frameBytes * weight(gap);
        double slack = frameBytes * Math.min(WEIGHT_ERROR, WEIGHT_ERROR / gap) + 0.005 * read;
        bytes[flow] += frameBytes;
        int measured = bin(dut, now, frame(flow + 1, frameBytes));
        int low = BINS.binOfBps(bps(read - slack));
        int high = BINS.binOfBps(bps(read + slack));
        if (measured < low || measured > high) {
          wrong.add(String.format("packet %d: bin %d, not %d..%d", i, measured, low, high));
        }
        compared++;
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(compared).isEqualTo(20_000);
  }

  /** Whatever the gap between its packets, a steady flow's rate is measured as it is. */
  @ParameterizedTest
  @ValueSource(ints = {1, 7, 30, 65, 95, 130, 200, 380, 1_000, 2_900, 10_000, 60_000})
  void rateOfASteadyFlowIsRightAtAnyGap(int gapMillis) {
    long gapMicros = gapMillis * 1_000L + 77;
    double rateBps = SLOW_FRAME_BYTES * 8 / (gapMicros * 1e-6);
    int low = SLOW_BINS.binOfBps(measurable(rateBps * (1 - WEIGHT_ERROR - 0.004)));
    int high = SLOW_BINS.binOfBps(measurable(rateBps * (1 + WEIGHT_ERROR + 0.004)));
    try (EmulatedSwitch dut = start(SLOW_BINS, 31)) {
      ByteString frame = frame(1, SLOW_FRAME_BYTES);
      long now = 1_000_000;
      long measureFrom = now + Math.max(2 * gapMicros, (long) (30 * HALF_LIFE_MICROS));
      for (int measured = 0; measured < 50; now += gapMicros) {
        int bin = bin(dut, now, frame);
        if (now >= measureFrom) {
          assertThat(bin).isBetween(low, high);
          measured++;
        }
      }
    }
  }

  /**
   * Of a flow with Poisson arrivals the mean of one over the measured rate is right, by which
   * packets beyond a share are accepted: exactly for gaps far above and far below the filter's time
   * constant, within 3 % between.
   */
  @ParameterizedTest
  @ValueSource(ints = {3, 10, 30, 100, 300, 1_000, 5_000})
  void poissonFlowIsAcceptedByItsRateAtAnyGap(int meanGapMillis) {
    double rateBps = SLOW_FRAME_BYTES * 8 / (meanGapMillis * 1e-3);
    Random random = new Random(meanGapMillis);
    int packets = 20_000;
    double sum = 0;
    try (EmulatedSwitch dut = start(SLOW_BINS, 41)) {
      ByteString frame = frame(1, SLOW_FRAME_BYTES);
      double now = 10_000_000;
      for (int i = -200; i < packets; i++) {
        now -= Math.log(1 - random.nextDouble()) * meanGapMillis * 1_000;
        int bin = bin(dut, (long) now, frame);
        // The middle of the bin, on a logarithmic scale.
        double measuredBps = SLOW_BINS.upperBps(bin) / Math.sqrt(RateBins.BASE);
        sum += i < 0 ? 0 : rateBps / measuredBps;
      }
    }
    assertThat(sum / packets).isCloseTo(1, within(0.03 + 3 / Math.sqrt(packets)));
  }

  /** Same seed, same values; another seed, others: the switch's only chance is its seed. */
  @Test
  void seedDecidesEveryDraw() {
    assertThat(drawnBins(5)).isEqualTo(drawnBins(5)).isNotEqualTo(drawnBins(6));
  }

  private static List<Integer> drawnBins(long seed) {
    try (EmulatedSwitch dut = start(BINS, seed)) {
      dut.control().insert(RandomRates.BITS_16.entries().toList());
      ByteString frame = frame(1, 1_000);
      return IntStream.range(0, 200).mapToObj(i -> bin(dut, 1_000_000 + 500L * i, frame)).toList();
    }
  }

  /** A flow of equal frames at equal intervals. */
  private record SteadyFlow(int frameBytes, long intervalMicros) {
    double rateBps() {
      return frameBytes * 8 / (intervalMicros * 1e-6);
    }

    /** How many of its packets are in which bin, once the filter has forgotten that it began. */
    int[] bins(RandomRates rates, int packets, long seed) {
      int[] seen = new int[RateBins.BINS];
      try (EmulatedSwitch dut = start(BINS, seed)) {
        dut.control().insert(rates.entries().toList());
        long now = 1_000_000;
        ByteString frame = frame(1, frameBytes);
        long measureFrom = now + (long) (30 * HALF_LIFE_MICROS);
        for (int measured = 0; measured < packets; now += intervalMicros) {
          int bin = bin(dut, now, frame);
          if (now >= measureFrom) {
            seen[bin]++;
            measured++;
          }
        }
      }
      return seen;
    }
  }

  private static EmulatedSwitch start(RateBins bins, long seed) {
    EmulatedSwitch dut = EmulatedSwitch.start(PROGRAM, seed);
    List<SwitchEntry> entries = new ArrayList<>(PipelineContract.ports());
    bins.entries().forEach(entries::add);
    IntStream.range(0, RateBins.BINS)
        .mapToObj(bin -> new PolicyValueEntry(1, bin, bin))
        .forEach(entries::add);
    for (int subscriber = 1; subscriber <= 3; subscriber++) {
      entries.add(prefix("10.0.0." + subscriber + "/32", unshaped(subscriber, 1, NEXT_SWITCH)));
    }
    dut.control().insert(entries);
    return dut;
  }

  /** Of each number of bins the probability that it is taken off, not as the product has it. */
  private static double[] probabilities(RandomRates rates) {
    double base = Math.pow(100_000, 1.0 / 1_023);
    double[] probabilities = new double[RateBins.BINS];
    if (rates == RandomRates.PAPER_8_BITS) {
      // The paper's figure 2.
      for (int random = 0; random < 256; random++) {
        int offset =
            random == 0 ? 1_023 : (int) Math.round(-Math.log(random / 255.0) / Math.log(base));
        probabilities[offset] += 1.0 / 256;
      }
    } else {
      for (int offset = 1; offset < RateBins.BINS; offset++) {
        long atLeast = Math.round(65_536 * Math.pow(base, 1 - offset));
        long more = offset == RateBins.BINS - 1 ? 0 : Math.round(65_536 * Math.pow(base, -offset));
        probabilities[offset] = (atLeast - more) / 65_536.0;
      }
    }
    return probabilities;
  }

  /** What of a packet counts in the rate read at it, the gap before it in time constants. */
  private static double weight(double gap) {
    return gap < 1e-3 ? 0.5 - gap / 12 : 1 / gap - 1 / Math.expm1(gap);
  }

  private static double bps(double bytes) {
    return bytes * 8 / (TIME_CONSTANT_MICROS * 1e-6);
  }

  /** The rate of the nearest key. */
  private static double measurable(double rateBps) {
    return SLOW_BINS.keyOfBps(rateBps) * PROGRAM.profile().rateUnitBps();
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
