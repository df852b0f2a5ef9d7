package net.sluice.emulator.netsim.host.tcp;

/** Which congestion control a connection uses. */
public enum CongestionAlgorithm {
  /** RFC 5681, known as Reno or NewReno. */
  NEW_RENO,
  /** RFC 9438. */
  CUBIC;

  CongestionControl start(int smss, long initialWindowBytes) {
    return this == NEW_RENO
        ? new NewReno(smss, initialWindowBytes)
        : new Cubic(smss, initialWindowBytes);
  }
}
