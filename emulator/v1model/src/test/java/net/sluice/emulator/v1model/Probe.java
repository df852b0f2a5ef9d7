package net.sluice.emulator.v1model;

import java.math.BigInteger;

/**
 * The probe packet of the program {@code constructs}: an Ethernet header of type 0x9000, the probe
 * header, and what follows it.
 */
public final class Probe {

  /** Length of the Ethernet header, bytes. */
  public static final int ETHERNET_BYTES = 14;

  private static final int[] WIDTHS = {8, 8, 16, 32, 64, 128, 16, 5, 11, 200};
  private static final String[] NAMES = {
    "op", "small", "medium", "word", "result", "wide", "signed16", "odd5", "odd11", "huge"
  };

  private final BigInteger[] values = new BigInteger[WIDTHS.length];
  private byte[] rest = {};

  private Probe() {
    java.util.Arrays.fill(values, BigInteger.ZERO);
  }

  /** A probe for an operation. */
  public static Probe op(int op) {
    return new Probe().with("op", op);
  }

  public Probe with(String field, long value) {
    return with(field, BigInteger.valueOf(value));
  }

  public Probe with(String field, BigInteger value) {
    values[index(field)] = value;
    return this;
  }

  /** Bytes behind the probe header. */
  public Probe rest(byte... bytes) {
    rest = bytes;
    return this;
  }

  /** The packet. */
  public byte[] bytes() {
    return new Bits()
        .put(0x0a0b0c0d0e0fL, 48)
        .put(0x010203040506L, 48)
        .put(0x9000, 16)
        .put(header())
        .put(rest)
        .bytes();
  }

  /** The probe header and what follows it. */
  public byte[] header() {
    Bits bits = new Bits();
    for (int i = 0; i < WIDTHS.length; i++) {
      bits.put(values[i], WIDTHS[i]);
    }
    return bits.bytes();
  }

  /** Bytes of the probe header. */
  public static int headerBytes() {
    return java.util.Arrays.stream(WIDTHS).sum() / 8;
  }

  /** A field of the probe in a packet whose probe header follows the Ethernet header. */
  public static BigInteger get(byte[] packet, String field) {
    int offset = 8 * ETHERNET_BYTES;
    for (int i = 0; i < index(field); i++) {
      offset += WIDTHS[i];
    }
    return Bits.get(packet, offset, WIDTHS[index(field)]);
  }

  /** Such a field, for numbers that fit. */
  public static long number(byte[] packet, String field) {
    return get(packet, field).longValueExact();
  }

  private static int index(String field) {
    for (int i = 0; i < NAMES.length; i++) {
      if (NAMES[i].equals(field)) {
        return i;
      }
    }
    throw new IllegalArgumentException("no field " + field);
  }
}
