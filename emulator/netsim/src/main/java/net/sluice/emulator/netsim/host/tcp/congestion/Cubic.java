package net.sluice.emulator.netsim.host.tcp.congestion;

/**
 * CUBIC, RFC 9438: in congestion avoidance the window is a cubic function of the time since the
 * last reduction, but never less than what Reno would have. Windows in its formulas are segments,
 * times are seconds. The first slow start ends by {@link HyStart}, if not by congestion.
 */
final class Cubic implements CongestionControl {

  /** The constant C, segments per cubic second. */
  static final double C = 0.4;

  /** Factor of the window after a reduction (beta). */
  static final double BETA = 0.7;

  /** Additive increase that makes the Reno-friendly window fair to Reno, RFC 9438 section 4.3. */
  static final double ALPHA = 3 * (1 - BETA) / (1 + BETA);

  private static final double NANOS_PER_SECOND = 1e9;
  private static final double MAX_TARGET = 1.5;
  private static final long NONE = -1;

  private final int smss;
  private final long initialWindowBytes;
  private final HyStart hyStart = new HyStart();
  private double cwnd;
  private double ssthresh = Double.MAX_VALUE;
  private double wMax;
  private double cwndPrior;
  private double wEst;
  private double k;
  private long epochStartNanos = NONE;
  private long notLimitingSinceNanos = NONE;
  // Whether the next epoch follows a reduction that was not a timeout; otherwise it is centred on
  // its own start, RFC 9438 sections 4.8 and 4.10.
  private boolean reduced;

  Cubic(int smss, long initialWindowBytes) {
    this.smss = smss;
    this.initialWindowBytes = initialWindowBytes;
    this.cwnd = (double) initialWindowBytes / smss;
  }

  /** W_cubic(t), equation (1). */
  static double window(double tSeconds, double k, double wMax) {
    double d = tSeconds - k;
    return C * d * d * d + wMax;
  }

  /** K, equation (2): seconds until the window is back at W_max. */
  static double k(double wMax, double cwndEpoch) {
    // StrictMath, so that every machine computes the same value.
    return StrictMath.cbrt((wMax - cwndEpoch) / C);
  }

  @Override
  public long cwndBytes() {
    return Math.max(smss, (long) (cwnd * smss));
  }

  @Override
  public long ssthreshBytes() {
    return inFirstSlowStart() ? Long.MAX_VALUE : (long) (ssthresh * smss);
  }

  @Override
  public void onAck(long ackedBytes, long nowNanos, long srttNanos, boolean afterTimeout) {
    if (notLimitingSinceNanos != NONE) {
      if (epochStartNanos != NONE) {
        // Section 5.8: time during which the window did not limit does not count. The epoch may
        // have begun within that time.
        epochStartNanos += nowNanos - Math.max(notLimitingSinceNanos, epochStartNanos);
      }
      notLimitingSinceNanos = NONE;
    }
    if (cwnd < ssthresh) {
      long increase = CongestionControl.slowStartIncrease(ackedBytes, smss, afterTimeout);
      cwnd += (double) increase / smss / (inFirstSlowStart() ? hyStart.growthDivisor() : 1);
      return;
    }
    if (epochStartNanos == NONE) {
      beginEpoch(nowNanos);
    }
    double acked = (double) ackedBytes / smss;
    wEst += (wEst < cwndPrior ? ALPHA : 1) * acked / cwnd;
    double t = (nowNanos - epochStartNanos) / NANOS_PER_SECOND;
    if (window(t, k, wMax) < wEst) {
      // The window never falls here, though the cubic target, a round trip ahead, may have raised
      // it above the estimate.
      cwnd = Math.max(cwnd, wEst);
      return;
    }
    double target = window(t + srttNanos / NANOS_PER_SECOND, k, wMax);
    target = Math.max(cwnd, Math.min(MAX_TARGET * cwnd, target));
    cwnd += (target - cwnd) / cwnd * acked;
  }

  @Override
  public void onRttSample(long rttNanos, boolean newRound) {
    if (inFirstSlowStart()) {
      hyStart.onSample(rttNanos, newRound);
      if (hyStart.done()) {
        ssthresh = cwnd;
      }
    }
  }

  private boolean inFirstSlowStart() {
    return ssthresh == Double.MAX_VALUE;
  }

  private void beginEpoch(long nowNanos) {
    epochStartNanos = nowNanos;
    wEst = cwnd;
    if (reduced && cwnd < wMax) {
      k = k(wMax, cwnd);
    } else {
      k = 0;
      wMax = cwnd;
    }
    reduced = false;
  }

  @Override
  public void onNotLimiting(long nowNanos) {
    if (notLimitingSinceNanos == NONE) {
      notLimitingSinceNanos = nowNanos;
    }
  }

  @Override
  public void onLoss(long flightBytes, long nowNanos) {
    reduce(flightBytes);
    cwnd = ssthresh;
    reduced = true;
  }

  @Override
  public void onTimeout(long flightBytes, boolean again, long nowNanos) {
    if (!again) {
      reduce(flightBytes);
    }
    epochStartNanos = NONE;
    cwnd = 1;
    reduced = false;
  }

  /** Sections 4.6 and 4.7: ssthresh, and the window to return to. */
  private void reduce(long flightBytes) {
    // Fast convergence: a flow that did not get back to its last maximum makes room for others.
    wMax = cwnd < wMax ? cwnd * (1 + BETA) / 2 : cwnd;
    cwndPrior = cwnd;
    ssthresh = Math.max(2, (double) flightBytes / smss * BETA);
    epochStartNanos = NONE;
  }

  @Override
  public void onIdle(long nowNanos) {
    cwnd = Math.min(cwnd, (double) initialWindowBytes / smss);
    onNotLimiting(nowNanos);
  }

  @Override
  public void onRecoveryEnd(long flightBytes) {
    cwnd = Math.min(ssthresh, (double) Math.max(flightBytes, smss) / smss + 1);
  }
}
