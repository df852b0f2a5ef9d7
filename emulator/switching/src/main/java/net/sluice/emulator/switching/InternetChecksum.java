package net.sluice.emulator.switching;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The Internet checksum, RFC 1071. Sums are kept wide and folded at the end: as 2^16 is 1 modulo
 * 2^16 - 1, adding 32-bit words gives the same checksum as adding 16-bit words, at a fraction of
 * the cost.
 */
public final class InternetChecksum {

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final long LOW_WORD = 0xFFFF_FFFFL;

  private InternetChecksum() {}

  /**
   * Sum over a range, equal modulo 2^16 - 1 to that of its 16-bit words; an odd last byte counts as
   * the high half of a word. Of at most 2^30 bytes.
   */
  public static long sum(byte[] bytes, int from, int length) {
    long sum = 0;
    int at = from;
    int end = from + length;
    for (; at + 8 <= end; at += 8) {
      long word = (long) LONGS.get(bytes, at);
      sum += (word >>> 32) + (word & LOW_WORD);
    }
    for (; at + 2 <= end; at += 2) {
      sum += (bytes[at] & 0xff) << 8 | bytes[at + 1] & 0xff;
    }
    if (at < end) {
      sum += (bytes[at] & 0xff) << 8;
    }
    return sum;
  }

  /**
   * The checksum to send for words that add up to this; 0 for words that include a right checksum.
   */
  public static int finish(long sum) {
    // Of 64 bits; the second addition leaves at most 18, the fourth at most 16.
    long folded = (sum & LOW_WORD) + (sum >>> 32);
    folded = (folded & 0xffff) + (folded >>> 16);
    folded = (folded & 0xffff) + (folded >>> 16);
    folded = (folded & 0xffff) + (folded >>> 16);
    return (int) (~folded & 0xffff);
  }

  /** As {@link #finish}, with 0 sent as all ones: in UDP, 0 means that there is no checksum. */
  public static int finishUdp(long sum) {
    int checksum = finish(sum);
    return checksum == 0 ? 0xffff : checksum;
  }
}
