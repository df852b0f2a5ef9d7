package net.sluice.emulator.netsim.host.tcp.congestion;

import net.sluice.emulator.netsim.traffic.Ecn;

/**
 * Prague, a sender for the low-latency service of L4S: DCTCP's answer to marks (RFC 8257), made fit
 * for the Internet as RFC 9331 section 4.3 asks. For the rest it is {@link NewReno}.
 *
 * <p>Marks: alpha is the averaged part of the segments that were marked, with a gain of 1/16 a
 * round-trip time (RFC 8257 equation 1). The first mark of a round trip cuts the window by half of
 * alpha (section 3.3, step 9), at most once a round trip. Alpha is 1 until the first mark, which
 * therefore ends slow start as a loss would; before it there is nothing to average.
 *
 * <p>RFC 9331 section 4.3 demands of a sender of ECT(1) packets:
 *
 * <ul>
 *   <li>to answer a loss so that it can live beside Reno: the window is halved, also where marks
 *       have already cut it a little in the same round trip;
 *   <li>that a classic one can take its place: the configuration of a host chooses, and where the
 *       other side does not report how many segments were marked the connection has {@link NewReno}
 *       and sends ECT(0) (section 4.2);
 *   <li>to watch for bottlenecks that mark as RFC 3168 has it: not here;
 *   <li>to depend less on the round-trip time: an option, see the constructor;
 *   <li>to answer also where less than two segments are in flight: not here, two are the least;
 *   <li>to detect losses by time, so that reordering is none: not here, RFC 6675 counts segments;
 *   <li>to keep bursts short: segments are paced over the round-trip time, also in slow start.
 * </ul>
 */
final class Prague implements CongestionControl {

  /** The weight of the last round trip in alpha, g of RFC 8257. */
  static final double GAIN = 1.0 / 16;

  private static final double NANOS_PER_SECOND = 1e9;

  private final NewReno reno;
  private final int smss;
  private final long minRttNanos;
  private long srttNanos;

  private double alpha = 1;
  private boolean marksSeen;
  private long roundEndBytes;
  private long roundNanos;
  private long roundDeliveredBytes;
  private long roundMarkedBytes;
  private long cutNanos;
  private double scaledBytes;

  /**
   * Begins.
   *
   * @param reno the window, without marks
   * @param rttNanos round-trip time of the handshake, nanoseconds; 0 when unknown
   * @param minRttNanos the window of a shorter round-trip time grows as if it were this one, in
   *     bytes a second for each second, and marks cut it at most once in that time; nanoseconds, 0
   *     for none
   */
  Prague(NewReno reno, int smss, long rttNanos, long nowNanos, long minRttNanos) {
    this.reno = reno;
    this.smss = smss;
    this.srttNanos = rttNanos;
    this.minRttNanos = minRttNanos;
    this.roundNanos = nowNanos;
    this.cutNanos = nowNanos - minRttNanos;
  }

  /** The averaged part of the segments that were marked, 0..1. */
  double alpha() {
    return alpha;
  }

  @Override
  public Ecn codepoint() {
    return Ecn.ECT_1;
  }

  @Override
  public long cwndBytes() {
    return reno.cwndBytes();
  }

  @Override
  public long ssthreshBytes() {
    return reno.ssthreshBytes();
  }

  private boolean inSlowStart() {
    return reno.cwndBytes() < reno.ssthreshBytes();
  }

  @Override
  public double pacingBytesPerSecond() {
    if (srttNanos == 0) {
      return Double.POSITIVE_INFINITY;
    }
    return reno.cwndBytes() * NANOS_PER_SECOND / srttNanos;
  }

  @Override
  public void onAck(long ackedBytes, long nowNanos, long smoothedRttNanos, boolean afterTimeout) {
    srttNanos = smoothedRttNanos;
    if (inSlowStart() || srttNanos >= minRttNanos) {
      reno.onAck(ackedBytes, nowNanos, smoothedRttNanos, afterTimeout);
      return;
    }
    // A segment a round trip is RTT^2 / minRTT^2 of a segment, if the rate is to grow as it does
    // with minRTT.
    double part = (double) srttNanos / minRttNanos;
    scaledBytes += part * part * ackedBytes;
    long whole = (long) scaledBytes;
    scaledBytes -= whole;
    reno.onAck(whole, nowNanos, smoothedRttNanos, afterTimeout);
  }

  @Override
  public MarkResponse onEcn(long flightBytes, long nowNanos) {
    marksSeen = true;
    if (nowNanos - cutNanos < minRttNanos) {
      return MarkResponse.NONE;
    }
    cutNanos = nowNanos;
    reno.reduceTo((long) (reno.cwndBytes() * (1 - alpha / 2)));
    return MarkResponse.SLIGHT;
  }

  @Override
  public void onDelivery(DeliveryRate delivery, Acknowledged ack) {
    marksSeen |= ack.markedSegments() > 0;
    roundDeliveredBytes += delivery.newlyDeliveredBytes();
    roundMarkedBytes += ack.markedSegments() * smss;
    boolean over =
        delivery.newlyDeliveredBytes() > 0 && delivery.priorDeliveredBytes() >= roundEndBytes;
    if (!over || ack.nowNanos() - roundNanos < minRttNanos) {
      return;
    }
    if (marksSeen) {
      double marked = Math.min(1, (double) roundMarkedBytes / roundDeliveredBytes);
      alpha += GAIN * (marked - alpha);
    }
    roundEndBytes = delivery.deliveredBytes();
    roundNanos = ack.nowNanos();
    roundDeliveredBytes = 0;
    roundMarkedBytes = 0;
  }

  @Override
  public void onLoss(long flightBytes, long nowNanos) {
    reno.onLoss(flightBytes, nowNanos);
  }

  @Override
  public void onTimeout(long flightBytes, boolean again, long nowNanos) {
    reno.onTimeout(flightBytes, again, nowNanos);
  }

  @Override
  public void onIdle(long nowNanos) {
    reno.onIdle(nowNanos);
  }

  @Override
  public void onNotLimiting(long nowNanos) {
    reno.onNotLimiting(nowNanos);
  }

  @Override
  public void onRecoveryEnd(long flightBytes) {
    reno.onRecoveryEnd(flightBytes);
  }
}
