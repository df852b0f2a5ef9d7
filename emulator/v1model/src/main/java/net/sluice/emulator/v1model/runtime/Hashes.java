package net.sluice.emulator.v1model.runtime;

import net.sluice.emulator.switching.InternetChecksum;

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

  /** CRC-32 of Ethernet (IEEE 802.3). */
  public static long crc32(byte[] b, int n) {
    int crc = -1;
    for (int i = 0; i < n; i++) {
      crc = crc >>> 8 ^ CRC32[(crc ^ b[i]) & 0xff];
    }
    return ~crc & 0xffffffffL;
  }

  /** bmv2's {@code hash_ex}: FNV-1a over signed bytes, with a final mix. */
  public static long hashEx(byte[] b, int n) {
    int hash = 0x811c9dc5;
    for (int i = 0; i < n; i++) {
      hash = (hash ^ b[i]) * 16777619;
    }
    hash += hash << 13;
    hash ^= hash >>> 7;
    hash += hash << 3;
    hash ^= hash >>> 17;
    hash += hash << 5;
    return hash & 0xffffffffL;
  }

  /** CRC-8/SMBUS: polynomial 0x07, not reflected, from 0. */
  public static long crc8(byte[] b, int n) {
    int crc = 0;
    for (int i = 0; i < n; i++) {
      crc ^= b[i] & 0xff;
      for (int bit = 0; bit < 8; bit++) {
        crc = (crc & 0x80) != 0 ? crc << 1 ^ 0x07 : crc << 1;
      }
    }
    return crc & 0xffL;
  }

  /** A CRC of 64 bits: polynomial 0x1b (ISO 3309), reflected, from 0. */
  public static long crc64(byte[] b, int n) {
    long crc = 0;
    for (int i = 0; i < n; i++) {
      crc ^= b[i] & 0xff;
      for (int bit = 0; bit < 8; bit++) {
        crc = (crc & 1) != 0 ? crc >>> 1 ^ 0xD800000000000000L : crc >>> 1;
      }
    }
    return crc;
  }

  /** A Toeplitz hash with bmv2's initial key: zeros, which make every hash 0. */
  public static long toeplitz(byte[] b, int n) {
    return 0;
  }

  private static final long X1 = 0x9E3779B185EBCA87L;
  private static final long X2 = 0xC2B2AE3D27D4EB4FL;
  private static final long X3 = 0x165667B19E3779F9L;
  private static final long X4 = 0x85EBCA77C2B2AE63L;
  private static final long X5 = 0x27D4EB2F165667C5L;

  /** xxHash, 64 bits, seed 0 (as its specification, version 0.1.1, has it). */
  public static long xxh64(byte[] b, int n) {
    int at = 0;
    long h = X5;
    if (n >= 32) {
      long v1 = Long.sum(X1, X2);
      long v2 = X2;
      long v3 = 0;
      long v4 = -X1;
      for (; at + 32 <= n; at += 32) {
        v1 = round(v1, little(b, at, 8));
        v2 = round(v2, little(b, at + 8, 8));
        v3 = round(v3, little(b, at + 16, 8));
        v4 = round(v4, little(b, at + 24, 8));
      }
      h =
          Long.rotateLeft(v1, 1)
              + Long.rotateLeft(v2, 7)
              + Long.rotateLeft(v3, 12)
              + Long.rotateLeft(v4, 18);
      h = merge(merge(merge(merge(h, v1), v2), v3), v4);
    }
    h += n;
    for (; at + 8 <= n; at += 8) {
      h = Long.rotateLeft(h ^ round(0, little(b, at, 8)), 27) * X1 + X4;
    }
    if (at + 4 <= n) {
      h = Long.rotateLeft(h ^ little(b, at, 4) * X1, 23) * X2 + X3;
      at += 4;
    }
    for (; at < n; at++) {
      h = Long.rotateLeft(h ^ (b[at] & 0xff) * X5, 11) * X1;
    }
    h = (h ^ h >>> 33) * X2;
    h = (h ^ h >>> 29) * X3;
    return h ^ h >>> 32;
  }

  private static long round(long accumulator, long input) {
    return Long.rotateLeft(accumulator + input * X2, 31) * X1;
  }

  private static long merge(long h, long accumulator) {
    return (h ^ round(0, accumulator)) * X1 + X4;
  }

  private static long little(byte[] b, int at, int count) {
    long value = 0;
    for (int i = count - 1; i >= 0; i--) {
      value = value << 8 | b[at + i] & 0xff;
    }
    return value;
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
    return InternetChecksum.finish(InternetChecksum.sum(b, 0, n));
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
   * {@code base} plus the hash modulo {@code modulus}; all unsigned, a modulus of 0 counts as 1.
   */
  public static long inRange(long hash, long base, long modulus) {
    return (modulus == 0 ? 0 : Long.remainderUnsigned(hash, modulus)) + base;
  }
}
