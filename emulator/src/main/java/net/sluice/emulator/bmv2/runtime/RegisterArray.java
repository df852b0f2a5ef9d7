package net.sluice.emulator.bmv2.runtime;

/**
 * A register array: unsigned cells of at most 64 bits, kept in the smallest Java array that holds
 * them.
 */
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
    longs = widthBits > 32 ? new long[size] : null;
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

  /** The cells, if they are 33 to 64 bits wide. */
  public long[] longs() {
    return longs;
  }

  /** A cell's value, unsigned. */
  public long get(int index) {
    if (bytes != null) {
      return bytes[index] & 0xffL;
    }
    if (shorts != null) {
      return shorts[index] & 0xffffL;
    }
    return ints != null ? ints[index] & 0xffffffffL : longs[index];
  }

  /** Sets a cell, truncated to its width. */
  public void set(int index, long value) {
    long cell = widthBits >= 64 ? value : value & (1L << widthBits) - 1;
    if (bytes != null) {
      bytes[index] = (byte) cell;
    } else if (shorts != null) {
      shorts[index] = (short) cell;
    } else if (ints != null) {
      ints[index] = (int) cell;
    } else {
      longs[index] = cell;
    }
  }
}
