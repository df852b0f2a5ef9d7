package net.sluice.pipeconf;

import net.sluice.pipeconf.p4info.SerializableEnums;

/** Why the switch dropped a packet. */
public enum DropReason {
  /** It came in on a port without a role. */
  UNKNOWN_PORT(SerializableEnums.DROP_REASON_UNKNOWN_PORT, "port without a role"),
  /** Its IPv4 header checksum was wrong. */
  BAD_CHECKSUM(SerializableEnums.DROP_REASON_BAD_CHECKSUM, "wrong IPv4 checksum"),
  /** It was neither IPv4 nor IPv6. */
  NOT_IP(SerializableEnums.DROP_REASON_NOT_IP, "neither IPv4 nor IPv6"),
  /** Its subscriber has a rate limit and there is no FPGA to enforce it. */
  NO_SIDECAR(SerializableEnums.DROP_REASON_NO_SIDECAR, "rate-limited, but no FPGA"),
  /** No route matched its destination. */
  NO_ROUTE(SerializableEnums.DROP_REASON_NO_ROUTE, "no route"),
  /** Its time to live or hop limit ran out. */
  TTL_EXPIRED(SerializableEnums.DROP_REASON_TTL_EXPIRED, "time to live expired"),
  /** Its packet value was below the port's congestion threshold value. */
  BELOW_THRESHOLD(
      SerializableEnums.DROP_REASON_BELOW_THRESHOLD,
      "packet value below the congestion threshold value"),
  /** A meter of its subscriber, tree or port was red. */
  POLICED(SerializableEnums.DROP_REASON_POLICED, "above a policed rate limit"),
  /** It was too early under a shaped rate limit, and there was no room for it to wait. */
  SHAPING_BUFFER(
      SerializableEnums.DROP_REASON_SHAPING_BUFFER, "no room in the buffer of a shaped rate limit"),
  /**
   * Its subscriber is suspended; the number is that of {@code p4/v1model/subscriber/admission.p4}.
   */
  SUSPENDED(10, "suspended subscriber"),
  /** It came from a line and belonged to no subscriber; see {@code classifier.p4} in {@code p4}. */
  NO_SUBSCRIBER(11, "of no subscriber"),
  /** It had the source address of a subscriber that is not on the line it came from. */
  SPOOFED_SOURCE(12, "source address of a subscriber elsewhere"),
  /** CoDel of its shaped rate limit dropped it; the numbers are those of {@code delay.p4}. */
  LIMIT_CODEL(13, "CoDel of a shaped rate limit"),
  /** It would have waited too long under a shaped rate limit. */
  LIMIT_WAIT(14, "longest wait of a shaped rate limit");

  private final int code;
  private final String text;

  DropReason(int code, String text) {
    this.code = code;
    this.text = text;
  }

  /** The counter's cell. */
  public int code() {
    return code;
  }

  /** For people. */
  public String text() {
    return text;
  }
}
