package net.sluice.lab.experiment.fsam;

import java.util.OptionalLong;

/**
 * A sender of an aggregate.
 *
 * @param kind how it sends
 * @param udpBps rate of UDP, bit/s of frames; empty for TCP
 * @param dscp codepoint that UDP comes with
 */
record Source(Kind kind, OptionalLong udpBps, int dscp) {
  enum Kind {
    /** A TCP flow without end. */
    LONG,
    /** TCP flows of 20 KB, one a second on average. */
    MICE,
    /** UDP at a constant rate. */
    UDP
  }

  static final Source TCP = new Source(Kind.LONG, OptionalLong.empty(), 0);
  static final Source MICE = new Source(Kind.MICE, OptionalLong.empty(), 0);

  static Source udp(long bps) {
    return udp(bps, 0);
  }

  static Source udp(long bps, int dscp) {
    return new Source(Kind.UDP, OptionalLong.of(bps), dscp);
  }
}
