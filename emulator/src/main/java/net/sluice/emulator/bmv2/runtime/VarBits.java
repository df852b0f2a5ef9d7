package net.sluice.emulator.bmv2.runtime;

import java.util.Arrays;

/** The value of a variable-length field: whole bytes, none at first. */
public final class VarBits {

  private byte[] bytes = new byte[0];
  private int length;

  /** The bytes, of which the first {@link #length()} count. */
  public byte[] bytes() {
    return bytes;
  }

  /** Length, bytes. */
  public int length() {
    return length;
  }

  /** Exchanges the value with that of another. */
  public void swap(VarBits other) {
    byte[] keptBytes = bytes;
    int keptLength = length;
    bytes = other.bytes;
    length = other.length;
    other.bytes = keptBytes;
    other.length = keptLength;
  }

  /** Makes the field empty. */
  public void clear() {
    length = 0;
  }

  /** Makes all bytes zero; they remain as many, as bmv2 has it when a header is made valid. */
  public void zero() {
    Arrays.fill(bytes, 0, length, (byte) 0);
  }

  /** Takes bytes in. */
  public void read(byte[] from, int at, int count) {
    if (count > bytes.length) {
      bytes = new byte[count];
    }
    System.arraycopy(from, at, bytes, 0, count);
    length = count;
  }

  /** Takes bytes in that start {@code skip} bits, 1 to 7, behind a byte. */
  public void readBits(byte[] from, int at, int skip, int count) {
    if (count > bytes.length) {
      bytes = new byte[count];
    }
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) ((from[at + i] & 0xff) << skip | (from[at + i + 1] & 0xff) >>> 8 - skip);
    }
    length = count;
  }

  /** Takes another field's value. */
  public void copy(VarBits other) {
    read(other.bytes, 0, other.length);
  }

  /** Writes the bytes out. */
  public void write(byte[] to, int at) {
    System.arraycopy(bytes, 0, to, at, length);
  }

  /** Writes the bytes out, {@code skip} bits, 1 to 7, behind a byte. */
  public void writeBits(byte[] to, int at, int skip) {
    for (int i = 0; i < length; i++) {
      Bytes.putBits(to, at + i, skip, 8, bytes[i]);
    }
  }

  /** Whether the two have the same length and bytes. */
  public boolean same(VarBits other) {
    return Arrays.equals(bytes, 0, length, other.bytes, 0, other.length);
  }
}
