package net.sluice.lab.experiment.fsam;

import java.util.OptionalLong;

/**
 * A sender of an aggregate.
 *
 * @param kind how it sends
 * @param udpBps rate of UDP, bit/s of frames; empty for TCP
 */
record Source(Kind kind, OptionalLong udpBps) {
  enum Kind {
    /** A TCP flow without end. */
    LONG,
    /** TCP flows of 20 KB, one a second on average. */
    MICE,
    /** UDP at a constant rate. */
    UDP
  }

  static final Source TCP = new Source(Kind.LONG, OptionalLong.empty());
  static final Source MICE = new Source(Kind.MICE, OptionalLong.empty());

  static Source udp(long bps) {
    return new Source(Kind.UDP, OptionalLong.of(bps));
  }
}
