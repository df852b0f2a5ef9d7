package net.sluice.emulator.netsim;

import org.HdrHistogram.Histogram;

/**
 * Statistics of a switch port since they were last reset. Sizes are frame bytes without FCS.
 *
 * @param intervalNanos time since the reset, nanoseconds
 * @param receivedPackets frames that came in on the port
 * @param receivedBytes their bytes
 * @param ingressDrops of those, frames the ingress pipeline dropped
 * @param enqueuedPackets frames put into the port's queue
 * @param tailDropPackets frames that did not fit into the queue
 * @param tailDropBytes their bytes
 * @param egressDropPackets frames the egress pipeline dropped after they had left the queue
 * @param sentPackets frames sent completely
 * @param sentBytes their bytes as sent
 * @param busyNanos time the line was sending, nanoseconds
 * @param queuedPackets frames in the queue now
 * @param queuedBytes their bytes
 * @param queueDelayNanos time in the queue of every frame that left it, nanoseconds; a copy
 */
public record PortStatistics(
    long intervalNanos,
    long receivedPackets,
    long receivedBytes,
    long ingressDrops,
    long enqueuedPackets,
    long tailDropPackets,
    long tailDropBytes,
    long egressDropPackets,
    long sentPackets,
    long sentBytes,
    long busyNanos,
    int queuedPackets,
    long queuedBytes,
    Histogram queueDelayNanos) {

  private static final double BITS_PER_BYTE = 8;
  private static final double NANOS_PER_SECOND = 1e9;

  /** Share of the interval during which the line was sending, 0..1; 0 for an empty interval. */
  public double utilisation() {
    return intervalNanos == 0 ? 0 : (double) busyNanos / intervalNanos;
  }

  /** Frame bits sent per second of the interval; 0 for an empty interval. */
  public double sentBps() {
    return intervalNanos == 0 ? 0 : sentBytes * BITS_PER_BYTE * NANOS_PER_SECOND / intervalNanos;
  }
}
