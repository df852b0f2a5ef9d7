package net.sluice.emulator.netsim.traffic;

/** The ECN codepoints of RFC 3168, in order of their two-bit value. */
public enum Ecn {
  /** The transport does not understand ECN. */
  NOT_ECT,
  /** ECN-capable, codepoint 01. */
  ECT_1,
  /** ECN-capable, codepoint 10, used by RFC 3168 transports. */
  ECT_0,
  /** Congestion experienced: a router marked the packet instead of dropping it. */
  CE;

  /** The codepoint, 0..3. */
  public int bits() {
    return ordinal();
  }
}
