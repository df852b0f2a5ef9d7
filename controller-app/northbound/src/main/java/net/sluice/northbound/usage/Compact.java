package net.sluice.northbound.usage;

/**
 * Whole numbers in 16 bits: exact below 4,096, then with 12 bits (0.02 %), up to 4.4e12. Greater
 * numbers have greater codes.
 */
final class Compact {
  private static final int BITS = 11;
  private static final int ONE = 1 << BITS;
  private static final int MOST = 0xffff;

  private Compact() {}

  /** The code of a number that is no less than 0. */
  static short code(long value) {
    if (value < 2 * ONE) {
      return (short) value;
    }
    int shift = Long.SIZE - Long.numberOfLeadingZeros(value) - BITS - 1;
    long rounded = value + (1L << shift - 1);
    if (rounded >>> shift == 2 * ONE) {
      shift++;
    }
    long code = ((long) shift << BITS) + (rounded >>> shift);
    return (short) Math.min(code, MOST);
  }

  /** The number of a code. */
  static long value(short code) {
    int bits = code & MOST;
    if (bits < 2 * ONE) {
      return bits;
    }
    int shift = (bits >>> BITS) - 1;
    return (long) (bits - (shift << BITS)) << shift;
  }
}
