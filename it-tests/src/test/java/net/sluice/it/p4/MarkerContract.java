package net.sluice.it.p4;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.stream.IntStream;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.marker.csaqm.tables.RateBins;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The marker (paper 000, section IV) measured from outside, in virtual time: a policy whose value
 * is the number of the bin, on a port that keeps values, shows the bin of every packet.
 */
interface MarkerContract {
  /** Long enough for a rate filter to forget how a flow began, us. */
  long SETTLED_MICROS = 2_000_000;

  /** The program. */
  ProgramUnderTest program();

  /** Bins up to 10 Gbit/s in the program's unit. */
  RateBins bins();

  /** A flow that the program measures in the middle of a bin. */
  SteadyFlow steadyFlow();

  /** What the program's filters read of a flow in the mean, bit/s. */
  double readBps(SteadyFlow flow);

  /** How far a reading may be off that, as a part of it. */
  double readError();

  /** A flow of equal frames at equal intervals. */
  record SteadyFlow(int frameBytes, long intervalMicros) {
    double rateBps() {
      return frameBytes * 8 / (intervalMicros * 1e-6);
    }
  }

  /**
   * A flow of constant rate R has packets in bin max(0, bin(R) - y(rnd)), rnd even over 65,536
   * numbers: Pearson's chi-square over all draws.
   */
  @ParameterizedTest
  @CsvSource({"BITS_16, 1", "BITS_16, 2", "PAPER_8_BITS, 3"})
  default void binsOfASteadyFlowFollowTheRandomFraction(RandomRates rates, long seed) {
    SteadyFlow flow = steadyFlow();
    double readBps = readBps(flow);
    int rateBin = bins().binOfBps(readBps);
    // The filter's error is below the distance to the bin's ends.
    assertThat(bins().binOfBps(readBps * (1 + readError()))).isEqualTo(rateBin);
    assertThat(bins().binOfBps(readBps * (1 - readError()))).isEqualTo(rateBin);

    int packets = 100 * 256;
    int[] seen = seen(flow, rates, packets, seed);
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
  default void floodGetsItsShare(long seed) {
    SteadyFlow flow = new SteadyFlow(1_250, 128);
    int packets = 400_000;
    int[] seen = seen(flow, RandomRates.BITS_16, packets, seed);
    for (int times : new int[] {2, 18, 59, 69, 177, 200}) {
      double shareBps = readBps(flow) / times;
      long accepted = 0;
      for (int bin = 0; bin < RateBins.BINS; bin++) {
        // A bin has the value of its upper end.
        accepted += bins().upperBps(bin) <= shareBps ? seen[bin] : 0;
      }
      double deviation = Math.sqrt((times - 1.0) / packets);
      assertThat((double) accepted / packets * times)
          .as("part of its share that %d times the share gets", times)
          .isCloseTo(1, within(Math.max(0.05, 3 * deviation)));
    }
  }

  /** Same seed, same values; another seed, others: the switch's only chance is its seed. */
  @Test
  default void seedDecidesEveryDraw() {
    assertThat(drawnBins(5)).isEqualTo(drawnBins(5)).isNotEqualTo(drawnBins(6));
  }

  private List<Integer> drawnBins(long seed) {
    try (MarkerProbe probe = MarkerProbe.start(program(), bins(), seed)) {
      probe.draw(RandomRates.BITS_16);
      ByteString frame = MarkerProbe.frame(1, 1_000);
      return IntStream.range(0, 200).mapToObj(i -> probe.bin(1_000_000 + 500L * i, frame)).toList();
    }
  }

  /** How many of a flow's packets are in which bin, once the filter has settled. */
  private int[] seen(SteadyFlow flow, RandomRates rates, int packets, long seed) {
    int[] seen = new int[RateBins.BINS];
    try (MarkerProbe probe = MarkerProbe.start(program(), bins(), seed)) {
      probe.draw(rates);
      long now = 1_000_000;
      ByteString frame = MarkerProbe.frame(1, flow.frameBytes());
      long measureFrom = now + SETTLED_MICROS;
      for (int measured = 0; measured < packets; now += flow.intervalMicros()) {
        int bin = probe.bin(now, frame);
        if (now >= measureFrom) {
          seen[bin]++;
          measured++;
        }
      }
    }
    return seen;
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

  /** Wilson and Hilferty's approximation: the chi-square value that many deviations from normal. */
  private static double chiSquareQuantile(int degrees, double deviations) {
    double spread = 2.0 / (9 * degrees);
    return degrees * Math.pow(1 - spread + deviations * Math.sqrt(spread), 3);
  }
}
