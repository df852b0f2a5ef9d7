package net.sluice.emulator.netsim.host.tcp.congestion;

import net.sluice.emulator.netsim.Prng;

/** Which congestion control a connection uses. */
public enum CongestionAlgorithm {
  /** RFC 5681, known as Reno or NewReno. */
  NEW_RENO,
  /** RFC 9438. */
  CUBIC,
  /** Version 1, draft-cardwell-iccrg-bbr-congestion-control-00, which paces its segments. */
  BBR,
  /** RFC 9331's example of a sender that takes the low-latency way: RFC 8257 for the Internet. */
  PRAGUE;

  /** Whether it needs to know how many packets were marked. */
  public boolean needsAccurateFeedback() {
    return this == PRAGUE;
  }

  /**
   * Begins.
   *
   * @param rttNanos round-trip time of the handshake, nanoseconds; 0 when unknown
   * @param accurateFeedback whether the other side reports how many packets were marked
   * @param minRttNanos as which round-trip time shorter ones count in its growth, nanoseconds; 0
   *     for none
   * @param random for what is left to chance
   */
  public CongestionControl start(
      int smss,
      long initialWindowBytes,
      long rttNanos,
      long nowNanos,
      boolean accurateFeedback,
      long minRttNanos,
      Prng random) {
    return switch (this) {
      case NEW_RENO -> new NewReno(smss, initialWindowBytes);
      case CUBIC -> new Cubic(smss, initialWindowBytes);
      case BBR -> new Bbr(smss, initialWindowBytes, rttNanos, nowNanos, random);
      case PRAGUE -> {
        NewReno reno = new NewReno(smss, initialWindowBytes);
        yield accurateFeedback ? new Prague(reno, smss, rttNanos, nowNanos, minRttNanos) : reno;
      }
    };
  }
}
