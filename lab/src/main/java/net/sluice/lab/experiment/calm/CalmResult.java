package net.sluice.lab.experiment.calm;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * Measurements of a run after its warm-up.
 *
 * @param lightWaitNanos waits of the call's and the game's packets that came in that time
 * @param lightLost part of these packets that did not leave, 0..1
 * @param flowWaitNanos waits of each heavy flow's packets that came in that time
 * @param flowBps rate of each heavy flow's frames that left, bit/s
 * @param rateBps rate of all frames that left, bit/s
 * @param neighbourLost packets lost by a neighbour under a limit of its own; 0 without one
 * @param neighbourWaitNanos waits of the neighbour's packets
 */
record CalmResult(
    Histogram lightWaitNanos,
    double lightLost,
    List<Histogram> flowWaitNanos,
    double[] flowBps,
    double rateBps,
    long neighbourLost,
    Histogram neighbourWaitNanos) {
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double PERCENTILE = 99;

  /** 99th percentile of the light flows' waits, ms. */
  double lightP99Millis() {
    return p99Millis(lightWaitNanos);
  }

  /** Mean wait of all heavy flows' packets, ms. */
  double bulkMeanMillis() {
    double packets = flowWaitNanos.stream().mapToLong(Histogram::getTotalCount).sum();
    double nanos =
        flowWaitNanos.stream().mapToDouble(flow -> flow.getMean() * flow.getTotalCount()).sum();
    return packets == 0 ? 0 : nanos / packets / NANOS_PER_MILLI;
  }

  /** 99th percentile of the waits of the worst of some heavy flows, ms. */
  double p99Millis(IntStream flows) {
    return flows.mapToDouble(flow -> p99Millis(flowWaitNanos.get(flow))).max().orElse(Double.NaN);
  }

  double neighbourP99Millis() {
    return p99Millis(neighbourWaitNanos);
  }

  /** Sum of the rates of some heavy flows, bit/s. */
  double bps(IntStream flows) {
    return flows.mapToDouble(flow -> flowBps[flow]).sum();
  }

  /** Jain's index of the heavy flows' rates, 1/flows..1. */
  double jain() {
    double sum = Arrays.stream(flowBps).sum();
    double squares = Arrays.stream(flowBps).map(rate -> rate * rate).sum();
    return squares == 0 ? 1 : sum * sum / (flowBps.length * squares);
  }

  private static double p99Millis(Histogram nanos) {
    return nanos.getValueAtPercentile(PERCENTILE) / NANOS_PER_MILLI;
  }
}
