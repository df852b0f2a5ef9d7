package net.sluice.it.p4;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.sluice.intents.marker.csaqm.tables.RateBins;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.V1ModelPipeline;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The marker of the v1model program, with a rate filter that knows the gap before a packet. */
class MarkerStatisticsTest implements MarkerContract {
  private static final SwitchPipeline PROGRAM = V1ModelPipeline.load();
  private static final double MAX_RATE_BPS = 10e9;
  private static final RateBins BINS =
      new RateBins(MAX_RATE_BPS, PROGRAM.profile().rateUnitBps(), PROGRAM.profile().rateKeyBits());

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
    try (MarkerProbe probe = MarkerProbe.start(ProgramUnderTest.of(PROGRAM), BINS, seed)) {
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
        int measured = probe.bin(now, MarkerProbe.frame(flow + 1, frameBytes));
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
    try (MarkerProbe probe = MarkerProbe.start(ProgramUnderTest.of(PROGRAM), SLOW_BINS, 31)) {
      ByteString frame = MarkerProbe.frame(1, SLOW_FRAME_BYTES);
      long now = 1_000_000;
      long measureFrom = now + Math.max(2 * gapMicros, (long) (30 * HALF_LIFE_MICROS));
      for (int measured = 0; measured < 50; now += gapMicros) {
        int bin = probe.bin(now, frame);
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
    try (MarkerProbe probe = MarkerProbe.start(ProgramUnderTest.of(PROGRAM), SLOW_BINS, 41)) {
      ByteString frame = MarkerProbe.frame(1, SLOW_FRAME_BYTES);
      double now = 10_000_000;
      for (int i = -200; i < packets; i++) {
        now -= Math.log(1 - random.nextDouble()) * meanGapMillis * 1_000;
        int bin = probe.bin((long) now, frame);
        // The middle of the bin, on a logarithmic scale.
        double measuredBps = SLOW_BINS.upperBps(bin) / Math.sqrt(RateBins.BASE);
        sum += i < 0 ? 0 : rateBps / measuredBps;
      }
    }
    assertThat(sum / packets).isCloseTo(1, within(0.03 + 3 / Math.sqrt(packets)));
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

  @Override
  public ProgramUnderTest program() {
    return ProgramUnderTest.of(PROGRAM);
  }

  @Override
  public RateBins bins() {
    return BINS;
  }

  @Override
  public SteadyFlow steadyFlow() {
    return new SteadyFlow(1_250, 1_024);
  }

  @Override
  public double readBps(SteadyFlow flow) {
    return flow.rateBps();
  }

  @Override
  public double readError() {
    return 0.001;
  }
}
