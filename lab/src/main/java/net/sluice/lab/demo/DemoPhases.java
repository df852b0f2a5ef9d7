package net.sluice.lab.demo;

import java.util.List;
import java.util.OptionalDouble;

/**
 * The phases of a run in virtual time.
 *
 * @param warmUpSeconds before anything is measured
 * @param measuredSeconds measured
 */
public record DemoPhases(double warmUpSeconds, double measuredSeconds) {
  /** Settling time of the marker's rate filter. */
  private static final double FILTER_SECONDS = 1;

  private static final double DEFAULT_MEASURED_SECONDS = 5;

  /** Longest measured time chosen by default. */
  private static final double MAX_CHOSEN_SECONDS = 120;

  /** Most packets simulated by default: about a minute's worth. */
  private static final double MAX_CHOSEN_PACKETS = 6e6;

  /** Accepting packets at random leaves a group's rate uncertain by this much of it. */
  private static final double AIMED_DEVIATION = 0.008;

  /** Settling time of a port's congestion threshold; slower ports have a slower loop. */
  static double settleSeconds(long bottleneckBps) {
    return bottleneckBps >= 500_000_000L ? 2 : bottleneckBps >= 50_000_000L ? 4 : 12;
  }

  /** Warm-up in front of one bottleneck, seconds. */
  public static double warmUpSeconds(long bottleneckBps) {
    return FILTER_SECONDS + settleSeconds(bottleneckBps);
  }

  /**
   * The times of a run.
   *
   * @param bottlenecksBps rates of the full lines that packets pass one after the other, at least
   *     one; each settles when those before it have
   * @param asked the measured time asked for; empty to choose as many seconds as the group with the
   *     fewest packets needs for its mean to be known well enough
   */
  static DemoPhases of(
      List<GroupSpec> groups,
      List<Double> predictedBps,
      List<Long> bottlenecksBps,
      int packetBytes,
      OptionalDouble asked) {
    double warmUp =
        FILTER_SECONDS + bottlenecksBps.stream().mapToDouble(DemoPhases::settleSeconds).sum();
    if (asked.isPresent()) {
      return new DemoPhases(warmUp, asked.getAsDouble());
    }
    double packetBits = 8.0 * packetBytes;
    double seconds = DEFAULT_MEASURED_SECONDS;
    double packetsPerSecond = 0;
    for (int g = 0; g < groups.size(); g++) {
      GroupSpec group = groups.get(g);
      double demandBps = Math.min(group.offeredBps(), group.limitBps().orElse(Long.MAX_VALUE));
      double accepted = Math.min(1, predictedBps.get(g) / demandBps);
      double arrivals = group.subscribers() * demandBps / packetBits;
      double needed = (1 - accepted) / accepted / (AIMED_DEVIATION * AIMED_DEVIATION) / arrivals;
      seconds = Math.max(seconds, needed);
      packetsPerSecond += group.subscribers() * group.offeredBps() / packetBits;
    }
    double affordable = MAX_CHOSEN_PACKETS / packetsPerSecond - warmUp;
    double chosen = Math.min(seconds, Math.min(MAX_CHOSEN_SECONDS, affordable));
    // Never less than a second, however many packets that is: the loop's swings have to average
    // out.
    return new DemoPhases(warmUp, Math.ceil(Math.max(1, chosen)));
  }
}
