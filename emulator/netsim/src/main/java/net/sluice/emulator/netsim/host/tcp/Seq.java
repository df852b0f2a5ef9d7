package net.sluice.emulator.netsim.host.tcp;

/**
 * Sequence numbers, RFC 9293 section 3.4. On the wire they are 32 bits and wrap around; inside a
 * connection they are 64-bit positions counted from the initial sequence number (the SYN is 0, the
 * first byte of data 1), which never wrap, so that everything but the wire compares plainly.
 */
final class Seq {

  private Seq() {}

  /** Whether a comes before b on the circle: is less than 2^31 behind it. */
  static boolean before(int a, int b) {
    return a - b < 0;
  }

  /** How far b is ahead of a, -2^31..2^31 - 1. */
  static int distance(int a, int b) {
    return b - a;
  }

  /** The 32-bit number of a position. */
  static int wire(int initial, long position) {
    return initial + (int) position;
  }

  /**
   * The position of a 32-bit number: of all that it may stand for, the one closest to a position
   * known to be near.
   */
  static long position(int initial, int wire, long near) {
    return near + distance(wire(initial, near), wire);
  }
}
