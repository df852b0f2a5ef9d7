package net.sluice.northbound.usage;

import java.util.Optional;
import net.sluice.pipeconf.WaitRange;

/**
 * Percentiles of the wait of packets under shaped limits, in ms. They are interpolated within the
 * ranges by which the switch counts, so that these are their resolution.
 *
 * @param p50 of half of the packets
 * @param p95 of 95 %
 * @param p99 of 99 %
 */
public record Delay(double p50, double p95, double p99) {
  /** The number of ranges. */
  static final int RANGES = WaitRange.values().length;

  private static final double HALF = 0.5;
  private static final double P95 = 0.95;
  private static final double P99 = 0.99;
  private static final double PLACES = 100;

  /** No packets, by range. */
  public static double[] none() {
    return new double[RANGES];
  }

  /**
   * The percentiles, on a straight line within a range; of the last range, which has no end, its
   * beginning.
   *
   * @param packets by range, in any unit
   */
  public static Optional<Delay> of(double[] packets) {
    double all = 0;
    for (double each : packets) {
      all += each;
    }
    return all <= 0
        ? Optional.empty()
        : Optional.of(
            new Delay(
                within(packets, HALF * all),
                within(packets, P95 * all),
                within(packets, P99 * all)));
  }

  private static double within(double[] packets, double rank) {
    double below = 0;
    double from = 0;
    double last = 0;
    for (WaitRange range : WaitRange.values()) {
      double here = packets[range.ordinal()];
      if (range.upToMillis().isEmpty()) {
        return here > 0 ? from : last;
      }
      double to = range.upToMillis().getAsInt();
      if (here > 0) {
        if (rank <= below + here) {
          return Math.round(PLACES * (from + (to - from) * (rank - below) / here)) / PLACES;
        }
        last = to;
      }
      below += here;
      from = to;
    }
    return last;
  }
}
