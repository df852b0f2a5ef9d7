package net.sluice.emulator.netsim.host.tcp.congestion;

import net.sluice.emulator.netsim.traffic.Ecn;

/**
 * Congestion control: how much a sender may have in flight, and how fast it may send. Windows are
 * bytes. An implementation keeps its own state and gets events with their times; it has no clock,
 * and randomness only if it is given some.
 *
 * <p>Common to those that work by losses: slow start up to ssthresh with appropriate byte counting
 * (RFC 3465, two segments an acknowledgement), ssthresh never below two segments, one segment after
 * a timeout.
 */
public sealed interface CongestionControl permits NewReno, Cubic, Bbr, Prague {

  /** The congestion window, bytes, at least one segment. */
  long cwndBytes();

  /** The slow start threshold, bytes; Long.MAX_VALUE before the first congestion. */
  long ssthreshBytes();

  /** Bytes of segments a second that may be sent, evenly spaced; infinite for no spacing. */
  default double pacingBytesPerSecond() {
    return Double.POSITIVE_INFINITY;
  }

  /**
   * New data was acknowledged outside fast recovery.
   *
   * @param ackedBytes how much
   * @param nowNanos virtual time, nanoseconds
   * @param srttNanos smoothed round-trip time, nanoseconds; 0 when unknown
   * @param afterTimeout whether lost data is still being resent after a timeout
   */
  void onAck(long ackedBytes, long nowNanos, long srttNanos, boolean afterTimeout);

  /**
   * A segment that was sent once was acknowledged; told before {@link #onAck}.
   *
   * @param rttNanos its round-trip time, nanoseconds
   * @param newRound whether everything sent before the last round began has been acknowledged, so
   *     that another round trip begins
   */
  default void onRttSample(long rttNanos, boolean newRound) {}

  /**
   * An acknowledgement has come in, in whatever phase; told after all else that it makes happen.
   *
   * @param delivery what was delivered, and how fast
   * @param ack what it made of what was in flight
   */
  default void onDelivery(DeliveryRate delivery, Acknowledged ack) {}

  /** The application had nothing to send until nothing was in flight, and now has. */
  default void onRestart() {}

  /**
   * The application or the receiver, not this window or its pace, limited what was sent: the window
   * must not grow, and the time passes for nothing.
   */
  default void onNotLimiting(long nowNanos) {}

  /** A loss was found by duplicate or selective acknowledgements; bytes in flight at that time. */
  void onLoss(long flightBytes, long nowNanos);

  /** The effect of a mark on the window. */
  enum MarkResponse {
    /** It is as it was. */
    NONE,
    /** Reduced by less than for a loss: a loss among the same data reduces it again. */
    SLIGHT,
    /** Reduced as for a loss: a loss among the same data needs no reduction of its own. */
    AS_LOSS
  }

  /** The network marked congestion; bytes in flight at that time. */
  default MarkResponse onEcn(long flightBytes, long nowNanos) {
    onLoss(flightBytes, nowNanos);
    return MarkResponse.AS_LOSS;
  }

  /** The codepoint of data that the network may mark. */
  default Ecn codepoint() {
    return Ecn.ECT_0;
  }

  /**
   * The retransmission timer expired.
   *
   * @param flightBytes bytes in flight at that time
   * @param again whether it had expired for the same data before: ssthresh then stays, RFC 5681
   *     section 3.1
   */
  void onTimeout(long flightBytes, boolean again, long nowNanos);

  /** Nothing was sent for longer than the timeout: back to the restart window, RFC 5681 4.1. */
  void onIdle(long nowNanos);

  /** Fast recovery of RFC 6582 ends: the window, at most ssthresh, fits what is in flight. */
  void onRecoveryEnd(long flightBytes);

  /**
   * The initial window, RFC 6928: ten segments, or fewer when segments are large.
   *
   * @param synLost whether a SYN was retransmitted; the window is then one segment
   */
  static long initialWindowBytes(int smss, boolean synLost) {
    return synLost ? smss : Math.min(10L * smss, Math.max(2L * smss, 14_600));
  }

  /**
   * Window increase of an acknowledgement in slow start, RFC 3465 sections 2.2 and 2.3.
   *
   * @param afterTimeout whether lost data is being resent: an acknowledgement may then cover data
   *     that left the network long ago
   */
  static long slowStartIncrease(long ackedBytes, int smss, boolean afterTimeout) {
    return Math.min(ackedBytes, afterTimeout ? smss : 2L * smss);
  }
}
