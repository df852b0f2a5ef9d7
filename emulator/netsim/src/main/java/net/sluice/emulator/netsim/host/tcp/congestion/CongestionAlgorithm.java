package net.sluice.emulator.netsim.host.tcp.congestion;

import net.sluice.emulator.netsim.Prng;

/** Which congestion control a connection uses. */
public enum CongestionAlgorithm {
  /** RFC 5681, known as Reno or NewReno. */
  NEW_RENO,
  /** RFC 9438. */
  CUBIC,
  /** Version 1, draft-cardwell-iccrg-bbr-congestion-control-00, which paces its segments. */
  BBR;

  /**
   * Begins.
   *
   * @param rttNanos round-trip time of the handshake, nanoseconds; 0 when unknown
   * @param random for what is left to chance
   */
  public CongestionControl start(
      int smss, long initialWindowBytes, long rttNanos, long nowNanos, Prng random) {
    return switch (this) {
      case NEW_RENO -> new NewReno(smss, initialWindowBytes);
      case CUBIC -> new Cubic(smss, initialWindowBytes);
      case BBR -> new Bbr(smss, initialWindowBytes, rttNanos, nowNanos, random);
    };
  }
}
