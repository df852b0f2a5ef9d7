package net.sluice.emulator.bmv2.runtime;

import java.math.BigInteger;

/** A register array: unsigned cells, kept in the smallest Java array that holds them. */
public final class RegisterArray {

  private final String name;
  private final int widthBits;
  private final byte[] bytes;
  private final short[] shorts;
  private final int[] ints;
  private final long[] longs;
  private final int size;

  /** An array of zeros. */
  public RegisterArray(String name, int size, int widthBits) {
    this.name = name;
    this.size = size;
    this.widthBits = widthBits;
    bytes = widthBits <= 8 ? new byte[size] : null;
    shorts = widthBits > 8 && widthBits <= 16 ? new short[size] : null;
    ints = widthBits > 16 && widthBits <= 32 ? new int[size] : null;
    longs = widthBits > 32 ? new long[Math.multiplyExact(size, (widthBits + 63) / 64)] : null;
  }

  /** P4 name. */
  public String name() {
    return name;
  }

  /** Cells. */
  public int size() {
    return size;
  }

  /** Width of a cell, bits. */
  public int widthBits() {
    return widthBits;
  }

  /** The cells, if they are at most 8 bits wide. */
  public byte[] bytes() {
    return bytes;
  }

  /** The cells, if they are 9 to 16 bits wide. */
  public short[] shorts() {
    return shorts;
  }

  /** The cells, if they are 17 to 32 bits wide. */
  public int[] ints() {
    return ints;
  }

  /**
   * The cells, if they are at least 33 bits wide: 64 bits each, of wider ones as many of those as
   * it takes, the least significant first.
   */
  public long[] longs() {
    return longs;
  }

  /** A cell's value, of wider ones the lowest 64 bits, unsigned. */
  public long get(int index) {
    if (bytes != null) {
      return bytes[index] & 0xffL;
    }
    if (shorts != null) {
      return shorts[index] & 0xffffL;
    }
    return ints != null ? ints[index] & 0xffffffffL : longs[index * limbs()];
  }

  private int limbs() {
    return (widthBits + 63) / 64;
  }

  /** Sets a cell to an unsigned number, truncated to its width. */
  public void set(int index, BigInteger value) {
    BigInteger cell = value.and(BigInteger.ONE.shiftLeft(widthBits).subtract(BigInteger.ONE));
    if (bytes != null) {
      bytes[index] = cell.byteValue();
    } else if (shorts != null) {
      shorts[index] = cell.shortValue();
    } else if (ints != null) {
      ints[index] = cell.intValue();
    } else {
      for (int limb = 0; limb < limbs(); limb++) {
        longs[index * limbs() + limb] = cell.shiftRight(64 * limb).longValue();
      }
    }
  }
}
