package net.sluice.emulator.netsim;

/**
 * The transmission times of a line of a given bit rate. The end of a transmission is kept exactly,
 * as whole nanoseconds and a fraction with the rate as its denominator, so that a line that never
 * pauses never drifts: n frames take n * bits / rate, rounded once. A line that was idle starts at
 * a whole nanosecond.
 */
public final class LineClock {

  /** Highest rate, 10 Tbit/s: keeps every product below within 64 bits. */
  public static final long MAX_RATE_BPS = 10_000_000_000_000L;

  /** Rate of a line that takes no time at all: whatever it is given has been sent at once. */
  public static final long UNLIMITED_BPS = Long.MAX_VALUE;

  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private long rateBps;
  private long endNanos;
  private long endNumerator;

  /**
   * A line that has sent nothing.
   *
   * @param rateBps bit/s, 1..{@link #MAX_RATE_BPS}, or {@link #UNLIMITED_BPS}
   */
  public LineClock(long rateBps) {
    this.rateBps = checkRate(rateBps);
  }

  /** Bit/s. */
  public long rateBps() {
    return rateBps;
  }

  /** Changes the rate of later frames; a transmission under way keeps its end. */
  public void setRateBps(long newRateBps) {
    checkRate(newRateBps);
    if (newRateBps != rateBps) {
      // The fraction has the old rate as its denominator; rounding up to a whole nanosecond happens
      // once per change.
      endNanos = endNanos();
      endNumerator = 0;
      rateBps = newRateBps;
    }
  }

  /** First whole nanosecond at which everything given so far has been sent. */
  public long endNanos() {
    return endNumerator == 0 ? endNanos : endNanos + 1;
  }

  /**
   * Sends so many bits as soon as the line is free.
   *
   * @param nowNanos virtual time, nanoseconds; the earliest start
   * @param bits 0..2^32
   * @return first whole nanosecond at which they have been sent
   */
  public long send(long nowNanos, long bits) {
    if (nowNanos > endNanos()) {
      endNanos = nowNanos;
      endNumerator = 0;
    }
    if (rateBps == UNLIMITED_BPS) {
      return endNanos();
    }
    long numerator = bits * NANOS_PER_SECOND + endNumerator;
    endNanos += numerator / rateBps;
    endNumerator = numerator % rateBps;
    return endNanos();
  }

  static long checkRate(long rateBps) {
    if (rateBps < 1 || rateBps > MAX_RATE_BPS && rateBps != UNLIMITED_BPS) {
      throw new IllegalArgumentException("rateBps " + rateBps + ": must be 1.." + MAX_RATE_BPS);
    }
    return rateBps;
  }
}
