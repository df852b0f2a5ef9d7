package net.sluice.emulator.netsim.host.tcp;

/** States of a connection, RFC 9293 section 3.3.2; LISTEN is a port's, not a connection's. */
public enum TcpState {
  /** A SYN was sent. */
  SYN_SENT,
  /** A SYN was received and answered. */
  SYN_RECEIVED,
  /** Data flows both ways. */
  ESTABLISHED,
  /** This side has closed; its FIN is on the way. */
  FIN_WAIT_1,
  /** This side's FIN is acknowledged. */
  FIN_WAIT_2,
  /** Both sides have closed at the same time; this side's FIN is on the way. */
  CLOSING,
  /** Both sides have closed; old segments are waited for. */
  TIME_WAIT,
  /** The other side has closed. */
  CLOSE_WAIT,
  /** The other side has closed, then this side; its FIN is on the way. */
  LAST_ACK,
  /** The connection is over. */
  CLOSED;

  /** Whether data of the other side may still come. */
  boolean receives() {
    return this == ESTABLISHED || this == FIN_WAIT_1 || this == FIN_WAIT_2;
  }

  /** Whether data or a FIN of this side may be sent or resent. */
  boolean sends() {
    return this == ESTABLISHED
        || this == CLOSE_WAIT
        || this == FIN_WAIT_1
        || this == CLOSING
        || this == LAST_ACK;
  }
}
