package net.sluice.emulator.v1model.runtime;

import java.util.Arrays;

/**
 * Bits laid end to end, most significant first, padded with zeros to whole bytes: the input of
 * checksums and hashes.
 */
public final class BitBuffer {

  private byte[] bytes = new byte[256];
  private int bits;

  /** Empties the buffer. */
  public void clear() {
    Arrays.fill(bytes, 0, (bits + 7) / 8, (byte) 0);
    bits = 0;
  }

  /** Appends the low {@code width} bits of a number, 1 to 64. */
  public void put(long value, int width) {
    room((bits + width + 7) / 8);
    int left = width;
    while (left > 0) {
      int free = 8 - (bits & 7);
      int take = Math.min(free, left);
      long piece = value >>> (left - take) & ((1L << take) - 1);
      bytes[bits >> 3] |= (byte) (piece << (free - take));
      bits += take;
      left -= take;
    }
  }

  /** Appends bytes; they start on a byte whatever came before. */
  public void put(byte[] source, int from, int count) {
    int at = length();
    room(at + count);
    System.arraycopy(source, from, bytes, at, count);
    bits = 8 * (at + count);
  }

  /** Appends the bytes of a variable-length field right behind what came before. */
  public void put(VarBits value) {
    if ((bits & 7) == 0) {
      put(value.bytes(), 0, value.length());
      return;
    }
    for (int i = 0; i < value.length(); i++) {
      put(value.bytes()[i], 8);
    }
  }

  private void room(int needed) {
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(needed, 2 * bytes.length));
    }
  }

  /** The bytes, of which the first {@link #length()} count. */
  public byte[] bytes() {
    return bytes;
  }

  /** Length in bytes, the last one rounded up. */
  public int length() {
    return (bits + 7) / 8;
  }
}
