package net.sluice.lab.experiment.dragonking;

import java.util.Arrays;

/**
 * Two token buckets a limit (RFC 2698, color-blind) with one rate for both, as the paper's
 * baselines have them. A red packet is dropped, a yellow one is not, or the size of the second
 * bucket would change nothing.
 */
final class BaselineMeters {
  private static final double NANOS_PER_SECOND = 1e9;

  private final double bitsPerNano;
  private final long peakBits;
  private final double[] peak;
  private final long[] seenNanos;
  private final long clockMask;

  /**
   * Full buckets.
   *
   * @param peakBits PBS, bits
   * @param clockMask the bits of the time between packets that the limiter keeps
   */
  BaselineMeters(int limits, double limitBps, long peakBits, long clockMask) {
    bitsPerNano = limitBps / NANOS_PER_SECOND;
    this.peakBits = peakBits;
    this.clockMask = clockMask;
    peak = new double[limits];
    Arrays.fill(peak, peakBits);
    seenNanos = new long[limits];
  }

  /** Whether a packet is let through. */
  boolean admits(int limit, long nowNanos, long bits) {
    double level =
        Math.min(peakBits, peak[limit] + (nowNanos - seenNanos[limit] & clockMask) * bitsPerNano);
    seenNanos[limit] = nowNanos;
    boolean admitted = level >= bits;
    peak[limit] = admitted ? level - bits : level;
    return admitted;
  }
}
