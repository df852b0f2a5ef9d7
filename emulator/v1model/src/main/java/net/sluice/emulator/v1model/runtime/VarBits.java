package net.sluice.emulator.v1model.runtime;

import java.math.BigInteger;
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

  /**
   * Makes all bytes zero without changing their number, as bmv2 does when a header is made valid.
   */
  public void zero() {
    Arrays.fill(bytes, 0, length, (byte) 0);
  }

  /** Reads bytes. */
  public void read(byte[] from, int at, int count) {
    if (count > bytes.length) {
      bytes = new byte[count];
    }
    System.arraycopy(from, at, bytes, 0, count);
    length = count;
  }

  /** Reads bytes that start {@code skip} bits, 1 to 7, behind a byte boundary. */
  public void readBits(byte[] from, int at, int skip, int count) {
    if (count > bytes.length) {
      bytes = new byte[count];
    }
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) ((from[at + i] & 0xff) << skip | (from[at + i + 1] & 0xff) >>> 8 - skip);
    }
    length = count;
  }

  /** Copies another field's value. */
  public void copy(VarBits other) {
    read(other.bytes, 0, other.length);
  }

  /** Writes the bytes. */
  public void write(byte[] to, int at) {
    System.arraycopy(bytes, 0, to, at, length);
  }

  /** Writes the bytes {@code skip} bits, 1 to 7, behind a byte boundary. */
  public void writeBits(byte[] to, int at, int skip) {
    for (int i = 0; i < length; i++) {
      Bytes.putBits(to, at + i, skip, 8, bytes[i]);
    }
  }

  /** Whether the two are equal as numbers, whatever their lengths, as bmv2 compares them. */
  public boolean same(VarBits other) {
    VarBits longer = length < other.length ? other : this;
    VarBits shorter = length < other.length ? this : other;
    int more = longer.length - shorter.length;
    for (int i = 0; i < more; i++) {
      if (longer.bytes[i] != 0) {
        return false;
      }
    }
    return Arrays.equals(longer.bytes, more, longer.length, shorter.bytes, 0, shorter.length);
  }

  /** 64 bits of the bytes as an unsigned number, from bit 64 i. */
  public long limb(int i) {
    long limb = 0;
    int end = length - 8 * i;
    for (int at = Math.max(0, end - 8); at < end; at++) {
      limb = limb << 8 | bytes[at] & 0xff;
    }
    return limb;
  }

  /** The bytes as an unsigned number. */
  public BigInteger number() {
    return new BigInteger(1, bytes, 0, length);
  }

  /** Sets the bytes to a number, truncated to their length. */
  public void set(long value) {
    for (int i = 1; i <= length; i++) {
      bytes[length - i] = (byte) (value >> Math.min(63, 8 * (i - 1)));
    }
  }

  /** Sets the bytes to a number, truncated to their length. */
  public void set(BigInteger value) {
    byte[] from = value.toByteArray();
    int same = Math.min(length, from.length);
    Arrays.fill(bytes, 0, length - same, (byte) (value.signum() < 0 ? -1 : 0));
    System.arraycopy(from, from.length - same, bytes, length - same, same);
  }
}
