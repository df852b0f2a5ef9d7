package net.sluice.emulator.netsim.traffic;

/**
 * The Internet checksum, RFC 1071: one's complement of the one's complement sum of 16-bit
 * big-endian words.
 */
final class Checksum {

  private Checksum() {}

  /**
   * Plain sum of the 16-bit words of a range; an odd last byte counts as the high half of a word.
   */
  static long sum(byte[] bytes, int from, int length) {
    long sum = 0;
    int end = from + length;
    int i = from;
    for (; i + 1 < end; i += 2) {
      sum += (bytes[i] & 0xff) << 8 | bytes[i + 1] & 0xff;
    }
    if (i < end) {
      sum += (bytes[i] & 0xff) << 8;
    }
    return sum;
  }

  /** The checksum of words that add up to this. */
  static int finish(long sum) {
    long folded = sum;
    while (folded >>> 16 != 0) {
      folded = (folded & 0xffff) + (folded >>> 16);
    }
    return (int) (~folded & 0xffff);
  }

  /** As {@link #finish}, with 0 sent as all ones: in UDP, 0 means that there is no checksum. */
  static int finishUdp(long sum) {
    int checksum = finish(sum);
    return checksum == 0 ? 0xffff : checksum;
  }
}
