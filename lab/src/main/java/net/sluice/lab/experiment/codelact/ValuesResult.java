package net.sluice.lab.experiment.codelact;

import net.sluice.emulator.netsim.PortStatistics;

/**
 * Measurements of a run.
 *
 * @param line the line after the warm-up
 * @param goldBps what arrived for each Gold subscriber after the warm-up, bit/s
 * @param silverBps the same for Silver
 * @param leastLine least part of its rate that the line carried in any quarter of a second
 * @param sampledMillis delay of what is in the queue, every {@value CellResult#SAMPLE_MILLIS} ms
 *     from the first packet on
 */
record ValuesResult(
    PortStatistics line,
    double[] goldBps,
    double[] silverBps,
    double leastLine,
    double[] sampledMillis) {
  private static final double NANOS_PER_MILLI = 1e6;

  /** Mean delay after the warm-up, ms. */
  double meanMillis() {
    return line.queueDelayNanos().getMean() / NANOS_PER_MILLI;
  }

  /** 99th percentile of the delay after the warm-up, ms. */
  double p99Millis() {
    return line.queueDelayNanos().getValueAtPercentile(99) / NANOS_PER_MILLI;
  }

  /** The longest delay from the first packet on, ms. */
  double peakMillis() {
    double peak = 0;
    for (double millis : sampledMillis) {
      peak = Math.max(peak, millis);
    }
    return peak;
  }
}
