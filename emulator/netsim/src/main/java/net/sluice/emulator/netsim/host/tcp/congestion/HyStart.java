package net.sluice.emulator.netsim.host.tcp.congestion;

/**
 * HyStart++, RFC 9406: leaves the first slow start when the round-trip time begins to grow, before
 * the queue overflows. Growth slows down for some rounds first; should the round-trip time come
 * back down, slow start goes on as before.
 */
final class HyStart {

  static final long MIN_THRESHOLD_NANOS = 4_000_000L;
  static final long MAX_THRESHOLD_NANOS = 16_000_000L;
  static final int RTT_DIVISOR = 8;
  static final int SAMPLES = 8;
  static final int GROWTH_DIVISOR = 4;
  static final int CONSERVATIVE_ROUNDS = 5;

  private static final long NONE = Long.MAX_VALUE;

  private long lastRoundNanos = NONE;
  private long thisRoundNanos = NONE;
  private int samples;
  private boolean conservative;
  private long baselineNanos;
  private int conservativeRounds;
  private boolean done;

  /**
   * A round-trip time was measured during slow start.
   *
   * @param rttNanos the measurement
   * @param newRound whether it is the first of another round trip
   */
  void onSample(long rttNanos, boolean newRound) {
    if (newRound) {
      lastRoundNanos = thisRoundNanos;
      thisRoundNanos = NONE;
      samples = 0;
      if (conservative && ++conservativeRounds >= CONSERVATIVE_ROUNDS) {
        done = true;
      }
    }
    thisRoundNanos = Math.min(thisRoundNanos, rttNanos);
    samples++;
    if (samples < SAMPLES) {
      return;
    }
    if (conservative) {
      if (thisRoundNanos < baselineNanos) {
        conservative = false;
      }
    } else if (lastRoundNanos != NONE && thisRoundNanos >= lastRoundNanos + threshold()) {
      conservative = true;
      conservativeRounds = 0;
      baselineNanos = thisRoundNanos;
    }
  }

  private long threshold() {
    return Math.max(
        MIN_THRESHOLD_NANOS, Math.min(lastRoundNanos / RTT_DIVISOR, MAX_THRESHOLD_NANOS));
  }

  /** Divisor of slow start's growth: 1, or more during conservative slow start. */
  int growthDivisor() {
    return conservative ? GROWTH_DIVISOR : 1;
  }

  /** Whether slow start is over. */
  boolean done() {
    return done;
  }
}
