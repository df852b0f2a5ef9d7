package net.sluice.emulator.netsim.host.tcp;

/**
 * Round-trip time estimation and the retransmission timeout, RFC 6298, with the gains of RFC 7323
 * appendix G for several samples a round trip.
 */
final class RtoEstimator {

  private static final double ALPHA = 1.0 / 8;
  private static final double BETA = 1.0 / 4;
  private static final int K = 4;
  private static final long AFTER_SYN_LOSS_NANOS = 3_000_000_000L;

  private final long granularityNanos;
  private final long minNanos;
  private final long maxNanos;
  private double srttNanos;
  private double rttvarNanos;
  private boolean sampled;
  private long rtoNanos;

  /**
   * An estimator without samples.
   *
   * @param initialNanos timeout before the first sample; RFC 6298 says 1 s
   * @param granularityNanos the least that variation adds to the smoothed time (G)
   * @param minNanos least timeout
   * @param maxNanos greatest timeout
   */
  RtoEstimator(long initialNanos, long granularityNanos, long minNanos, long maxNanos) {
    this.granularityNanos = granularityNanos;
    this.minNanos = minNanos;
    this.maxNanos = maxNanos;
    this.rtoNanos = initialNanos;
  }

  /**
   * Adds a measurement, which ends any backoff.
   *
   * @param rttNanos round-trip time, at least 0
   * @param samplesPerRound how many measurements a round trip gives, at least 1
   */
  void sample(long rttNanos, int samplesPerRound) {
    if (sampled) {
      double error = rttNanos - srttNanos;
      rttvarNanos += BETA / samplesPerRound * (Math.abs(error) - rttvarNanos);
      srttNanos += ALPHA / samplesPerRound * error;
    } else {
      sampled = true;
      srttNanos = rttNanos;
      rttvarNanos = rttNanos / 2.0;
    }
    compute();
  }

  /** The timer has expired: twice the timeout, up to the greatest. */
  void backOff() {
    rtoNanos = Math.min(maxNanos, 2 * rtoNanos);
  }

  /** RFC 6298 (5.7): a SYN was lost, and the estimate may be far too short. */
  void afterSynLoss() {
    rtoNanos = Math.max(rtoNanos, AFTER_SYN_LOSS_NANOS);
  }

  /** The timeout now, nanoseconds. */
  long rtoNanos() {
    return rtoNanos;
  }

  /** Smoothed round-trip time, nanoseconds; 0 before the first sample. */
  long srttNanos() {
    return Math.round(srttNanos);
  }

  /** Its variation, nanoseconds; 0 before the first sample. */
  long rttvarNanos() {
    return Math.round(rttvarNanos);
  }

  private void compute() {
    double nanos = srttNanos + Math.max(granularityNanos, K * rttvarNanos);
    rtoNanos = Math.max(minNanos, Math.min(maxNanos, Math.round(nanos)));
  }
}
