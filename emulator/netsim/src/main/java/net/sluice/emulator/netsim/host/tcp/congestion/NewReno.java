package net.sluice.emulator.netsim.host.tcp.congestion;

/**
 * Congestion control of RFC 5681 with appropriate byte counting, RFC 3465: one segment more per
 * window acknowledged, half the flight after congestion.
 */
final class NewReno implements CongestionControl {

  private final int smss;
  private final long initialWindowBytes;
  private long cwndBytes;
  private long ssthreshBytes = Long.MAX_VALUE;
  private long ackedInWindow;

  NewReno(int smss, long initialWindowBytes) {
    this.smss = smss;
    this.initialWindowBytes = initialWindowBytes;
    this.cwndBytes = initialWindowBytes;
  }

  @Override
  public long cwndBytes() {
    return cwndBytes;
  }

  @Override
  public long ssthreshBytes() {
    return ssthreshBytes;
  }

  @Override
  public void onAck(long ackedBytes, long nowNanos, long srttNanos, boolean afterTimeout) {
    if (cwndBytes < ssthreshBytes) {
      cwndBytes += CongestionControl.slowStartIncrease(ackedBytes, smss, afterTimeout);
      return;
    }
    ackedInWindow += ackedBytes;
    if (ackedInWindow >= cwndBytes) {
      ackedInWindow -= cwndBytes;
      cwndBytes += smss;
    }
  }

  @Override
  public void onLoss(long flightBytes, long nowNanos) {
    ssthreshBytes = halved(flightBytes, smss);
    cwndBytes = ssthreshBytes;
    ackedInWindow = 0;
  }

  /** Reduces the window to so many bytes, at least two segments, and leaves slow start. */
  void reduceTo(long bytes) {
    ssthreshBytes = Math.max(bytes, 2L * smss);
    cwndBytes = ssthreshBytes;
  }

  @Override
  public void onTimeout(long flightBytes, boolean again, long nowNanos) {
    if (!again) {
      ssthreshBytes = halved(flightBytes, smss);
    }
    cwndBytes = smss;
    ackedInWindow = 0;
  }

  @Override
  public void onIdle(long nowNanos) {
    cwndBytes = Math.min(cwndBytes, initialWindowBytes);
  }

  @Override
  public void onRecoveryEnd(long flightBytes) {
    cwndBytes = Math.min(ssthreshBytes, Math.max(flightBytes, smss) + smss);
  }

  /** RFC 5681 equation (4). */
  static long halved(long flightBytes, int smss) {
    return Math.max(flightBytes / 2, 2L * smss);
  }
}
