package net.sluice.lab.experiment.codelact;

import java.util.Map;
import net.sluice.pipeconf.CounterCodec.QueueEvent;
import org.HdrHistogram.Histogram;

/**
 * Measurements of a run of a cell, from the start of the flows on.
 *
 * @param seconds virtual seconds
 * @param delaysNanos time in the queue of every packet that left it, dropped ones included
 * @param goodputBps bits of the streams that arrived per second
 * @param bbrGoodputBps of these, bits of flows that use BBR
 * @param events how often things happened to the managed queue
 * @param dropsBeforeQueue packets lost before the queue: at random, or to a full buffer
 * @param sampledMillis delay of what is in the queue, every {@value #SAMPLE_MILLIS} ms
 */
record CellResult(
    double seconds,
    Histogram delaysNanos,
    double goodputBps,
    double bbrGoodputBps,
    Map<QueueEvent, Long> events,
    long dropsBeforeQueue,
    double[] sampledMillis) {
  /** Time between samples of the queue, ms. */
  static final int SAMPLE_MILLIS = 10;

  private static final double NANOS_PER_MILLI = 1e6;

  /** Mean delay, ms. */
  double meanMillis() {
    return delaysNanos.getMean() / NANOS_PER_MILLI;
  }

  /** 99th percentile of the delay, ms. */
  double p99Millis() {
    return percentileMillis(99);
  }

  /** A percentile, 0..100, of the delay, ms. */
  double percentileMillis(double percentile) {
    return delaysNanos.getValueAtPercentile(percentile) / NANOS_PER_MILLI;
  }

  /** Packets lost: dropped by what keeps the delay down or for want of room. */
  double drops() {
    return events.get(QueueEvent.DROPPED) + dropsBeforeQueue;
  }

  /** Part of the goodput that flows with BBR had, 0..1; 0 if nothing arrived. */
  double bbrShare() {
    return goodputBps == 0 ? 0 : bbrGoodputBps / goodputBps;
  }

  /** How often something happened to the managed queue, per second. */
  double perSecond(QueueEvent event) {
    return events.get(event) / seconds;
  }
}
