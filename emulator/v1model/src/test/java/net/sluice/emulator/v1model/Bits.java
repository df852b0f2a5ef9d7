package net.sluice.emulator.v1model;

import java.math.BigInteger;

/** Packets put together, and taken apart, field by field. */
public final class Bits {

  private BigInteger value = BigInteger.ZERO;
  private int width;

  /** Appends a field. */
  public Bits put(long field, int bits) {
    return put(BigInteger.valueOf(field), bits);
  }

  /** Appends a field; a negative number as two's complement. */
  public Bits put(BigInteger field, int bits) {
    BigInteger mask = BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE);
    value = value.shiftLeft(bits).or(field.and(mask));
    width += bits;
    return this;
  }

  /** Appends bytes. */
  public Bits put(byte[] bytes) {
    return put(new BigInteger(1, bytes), 8 * bytes.length);
  }

  /** Everything so far; whole bytes. */
  public byte[] bytes() {
    if (width % 8 != 0) {
      throw new IllegalStateException(width + " bits are not whole bytes");
    }
    byte[] bytes = new byte[width / 8];
    for (int i = 0; i < bytes.length; i++) {
      bytes[bytes.length - 1 - i] = value.shiftRight(8 * i).byteValue();
    }
    return bytes;
  }

  /** The field of {@code bits} bits that starts {@code offset} bits into a packet. */
  public static BigInteger get(byte[] packet, int offset, int bits) {
    BigInteger mask = BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE);
    return new BigInteger(1, packet).shiftRight(8 * packet.length - offset - bits).and(mask);
  }
}
