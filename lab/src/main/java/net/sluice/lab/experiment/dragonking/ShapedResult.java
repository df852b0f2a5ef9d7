package net.sluice.lab.experiment.dragonking;

/**
 * Measurements of a {@link Load} through the compiled program.
 *
 * @param departures what came of its packets
 * @param nanos for how long it was sent
 * @param dropped packets that the program dropped
 * @param pipeBytes bytes that entered each pipe, the front one first
 */
record ShapedResult(Departures departures, long nanos, long dropped, long[] pipeBytes) {
  /**
   * How unevenly the pipes are used: the variance of their parts of all bytes over the mean part
   * (the paper's CV, section V-G); 0 if no packet waited.
   */
  double unevenness() {
    double total = 0;
    for (long bytes : pipeBytes) {
      total += bytes;
    }
    if (total == 0) {
      return 0;
    }
    double mean = 1.0 / pipeBytes.length;
    double variance = 0;
    for (long bytes : pipeBytes) {
      variance += (bytes / total - mean) * (bytes / total - mean) / pipeBytes.length;
    }
    return variance / mean;
  }

  /** Rate of what left, over what is asked for all limits. */
  double ofAggregate(Load load) {
    return departures.sentBps(nanos) / ((double) load.limits() * load.askedBps());
  }
}
