package net.sluice.emulator.bmv2.runtime;

/**
 * The checksum and hash algorithms of v1model, with bmv2's results. All take the first {@code n}
 * bytes of an array.
 */
public final class Hashes {

  private static final int[] CRC16 = reflectedTable(0xA001);
  private static final int[] CRC32 = reflectedTable(0xEDB88320);

  private Hashes() {}

  private static int[] reflectedTable(int polynomial) {
    int[] table = new int[256];
    for (int i = 0; i < 256; i++) {
      int crc = i;
      for (int bit = 0; bit < 8; bit++) {
        crc = (crc & 1) != 0 ? crc >>> 1 ^ polynomial : crc >>> 1;
      }
      table[i] = crc;
    }
    return table;
  }

  /** CRC-16/ARC: polynomial 0x8005, reflected, from 0. */
  public static long crc16(byte[] b, int n) {
    int crc = 0;
    for (int i = 0; i < n; i++) {
      crc = crc >>> 8 ^ CRC16[(crc ^ b[i]) & 0xff];
    }
    return crc & 0xffffL;
  }

  /** CRC-32 as Ethernet has it. */
  public static long crc32(byte[] b, int n) {
    int crc = -1;
    for (int i = 0; i < n; i++) {
      crc = crc >>> 8 ^ CRC32[(crc ^ b[i]) & 0xff];
    }
    return ~crc & 0xffffffffL;
  }

  /** CRC-16/CCITT-FALSE: polynomial 0x1021, not reflected, from 0xffff. */
  public static long crcCcitt(byte[] b, int n) {
    int crc = 0xffff;
    for (int i = 0; i < n; i++) {
      crc ^= (b[i] & 0xff) << 8;
      for (int bit = 0; bit < 8; bit++) {
        crc = (crc & 0x8000) != 0 ? crc << 1 ^ 0x1021 : crc << 1;
      }
    }
    return crc & 0xffffL;
  }

  /** The Internet checksum (RFC 1071): complement of the one's complement sum of 16-bit words. */
  public static long csum16(byte[] b, int n) {
    long sum = 0;
    int i = 0;
    for (; i + 1 < n; i += 2) {
      sum += Bytes.u16(b, i);
    }
    if (i < n) {
      sum += (b[i] & 0xffL) << 8;
    }
    return complementOf(sum);
  }

  /**
   * Folds a sum of 16-bit words, or of larger numbers shifted by whole words, into the Internet
   * checksum.
   */
  public static long complementOf(long sum) {
    long folded = (sum & 0xffffffffL) + (sum >>> 32);
    folded = (folded & 0xffff) + (folded >>> 16);
    folded = (folded & 0xffff) + (folded >>> 16);
    folded = (folded & 0xffff) + (folded >>> 16);
    return ~folded & 0xffff;
  }

  /** Exclusive or of 16-bit words, the last one padded with zeros. */
  public static long xor16(byte[] b, int n) {
    return xor(b, n, 2);
  }

  /** Exclusive or of 32-bit words, the last one padded with zeros. */
  public static long xor32(byte[] b, int n) {
    return xor(b, n, 4);
  }

  private static long xor(byte[] b, int n, int wordBytes) {
    long result = 0;
    for (int i = 0; i < n; i++) {
      result ^= (b[i] & 0xffL) << 8 * (wordBytes - 1 - i % wordBytes);
    }
    return result;
  }

  /** The first bytes, at most eight, as a number. */
  public static long identity(byte[] b, int n) {
    long result = 0;
    for (int i = 0; i < Math.min(8, n); i++) {
      result = result << 8 | b[i] & 0xff;
    }
    return result;
  }

  /**
   * A hash brought into {@code modulus} numbers from {@code base}; all unsigned, a modulus of 0
   * counts as 1.
   */
  public static long inRange(long hash, long base, long modulus) {
    return (modulus == 0 ? 0 : Long.remainderUnsigned(hash, modulus)) + base;
  }
}
