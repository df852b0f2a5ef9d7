package net.sluice.emulator.v1model.runtime;

import java.lang.reflect.Array;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;

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

  /** A cell's value, unsigned. */
  public BigInteger getBig(int index) {
    if (longs == null) {
      return BigInteger.valueOf(get(index));
    }
    byte[] bytes = new byte[8 * limbs()];
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    for (int limb = limbs() - 1; limb >= 0; limb--) {
      buffer.putLong(longs[index * limbs() + limb]);
    }
    return new BigInteger(1, bytes);
  }

  /**
   * Loads cells, so that their cache misses overlap.
   *
   * @param cells indexes, of which the first {@code count} are used
   * @return the sum of the data loaded, to be used by the caller: unused loads would be optimized
   *     away
   */
  public long load(int[] cells, int count) {
    long sum = 0;
    if (bytes != null) {
      for (int i = 0; i < count; i++) {
        sum += bytes[cells[i]];
      }
    } else if (shorts != null) {
      for (int i = 0; i < count; i++) {
        sum += shorts[cells[i]];
      }
    } else if (ints != null) {
      for (int i = 0; i < count; i++) {
        sum += ints[cells[i]];
      }
    } else {
      int limbs = limbs();
      for (int i = 0; i < count; i++) {
        sum += longs[limbs * cells[i]];
      }
    }
    return sum;
  }

  /** Sets all cells to a number, truncated to their width. */
  public void fill(BigInteger value) {
    if (size == 0) {
      return;
    }
    set(0, value);
    if (bytes != null) {
      Arrays.fill(bytes, bytes[0]);
    } else if (shorts != null) {
      Arrays.fill(shorts, shorts[0]);
    } else if (ints != null) {
      Arrays.fill(ints, ints[0]);
    } else {
      for (int i = limbs(); i < longs.length; i++) {
        longs[i] = longs[i - limbs()];
      }
    }
  }

  /** An array of its own with the same cells. */
  public RegisterArray copy() {
    RegisterArray copy = new RegisterArray(name, size, widthBits);
    copy.setAll(this);
    return copy;
  }

  /** Copies the cells of an array of the same size and width. */
  public void setAll(RegisterArray from) {
    if (from.size != size || from.widthBits != widthBits) {
      throw new IllegalArgumentException(
          "register '" + from.name + "' has not the size and width of '" + name + "'");
    }
    System.arraycopy(from.cells(), 0, cells(), 0, Array.getLength(cells()));
  }

  private Object cells() {
    return bytes != null ? bytes : shorts != null ? shorts : ints != null ? ints : longs;
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
