package net.sluice.emulator.netsim.host.tcp;

import net.sluice.emulator.netsim.traffic.Ecn;

/**
 * The ACE field of RFC 9768: the three flags AE, CWR and ECE as the lowest bits of a count of the
 * packets that came in with CE. In the handshake they stand for a codepoint instead.
 */
final class AceField {

  /** Both ends count from this number, so that a field of zeros is none (section 3.2.1). */
  static final long FIRST_COUNT = 5;

  private static final int MASK = 7;

  private AceField() {}

  /** The flags that carry a count. */
  static int flags(long count) {
    return ((count & 4) != 0 ? TcpSegment.AE : 0)
        | ((count & 2) != 0 ? TcpSegment.CWR : 0)
        | ((count & 1) != 0 ? TcpSegment.ECE : 0);
  }

  /** The number that a segment's flags carry, 0..7. */
  static int value(TcpSegment segment) {
    return (segment.has(TcpSegment.AE) ? 4 : 0)
        | (segment.has(TcpSegment.CWR) ? 2 : 0)
        | (segment.has(TcpSegment.ECE) ? 1 : 0);
  }

  /** Tables 2 and 3: how the codepoint of a SYN or a SYN/ACK is reported. */
  static int handshakeFlags(int ecnBits) {
    return flags(
        switch (Ecn.values()[ecnBits]) {
          case NOT_ECT -> 2;
          case ECT_1 -> 3;
          case ECT_0 -> 4;
          case CE -> 6;
        });
  }

  /** Table 4: the count that begins with a report of the codepoint of the SYN/ACK. */
  static long firstCount(int handshakeValue) {
    return handshakeValue == 6 ? FIRST_COUNT + 1 : FIRST_COUNT;
  }

  /**
   * By how much a count has grown, sections 3.2.2.2 and 3.2.2.5.2: as little as the field allows,
   * unless so many packets arrived that it may have gone round; then as much as they allow.
   *
   * @param arrived packets reported as arrived with this field and not before
   */
  static long growth(int value, long count, long arrived) {
    long least = value - count & MASK;
    return arrived <= MASK ? least : arrived - (arrived - least & MASK);
  }
}
