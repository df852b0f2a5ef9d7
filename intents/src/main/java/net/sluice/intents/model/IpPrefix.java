package net.sluice.intents.model;

import net.sluice.intents.value.InvalidValueException;

/**
 * An IPv4 or IPv6 prefix in canonical form: no bit is set beyond its length.
 *
 * <p>IPv4 keeps its own form and is never mapped into IPv6: the 32 address bits are the low half of
 * {@code lo}, and {@code hi} is 0. IPv6 has bits 0..63 in {@code hi} and 64..127 in {@code lo}.
 *
 * @param family IPv4 or IPv6
 * @param hi first 64 bits of an IPv6 address, else 0
 * @param lo last 64 bits of an IPv6 address, or the 32 bits of an IPv4 address
 * @param length 0..32 or 0..128
 */
public record IpPrefix(Family family, long hi, long lo, int length)
    implements Comparable<IpPrefix> {
  /** Address family, with its number of bits. */
  public enum Family {
    /** IPv4, 32 bits. */
    V4(32),
    /** IPv6, 128 bits. */
    V6(128);

    private final int bits;

    Family(int bits) {
      this.bits = bits;
    }

    /** Number of bits of an address. */
    public int bits() {
      return bits;
    }
  }

  public IpPrefix {
    if (length < 0 || length > family.bits()) {
      throw new InvalidValueException("prefix length", length, "0 to " + family.bits());
    }
    if (family == Family.V4 && (hi != 0 || lo >>> 32 != 0)) {
      throw new InvalidValueException(
          "prefix", Long.toHexString(hi) + ":" + Long.toHexString(lo), "32 bits of IPv4 address");
    }
    if ((hi & ~maskHi(family, length)) != 0 || (lo & ~maskLo(family, length)) != 0) {
      String network =
          IpText.format(family, hi & maskHi(family, length), lo & maskLo(family, length), length);
      throw new InvalidValueException(
          "prefix",
          IpText.format(family, hi, lo, length),
          "no bit set beyond the prefix length, e.g. " + network);
    }
  }

  /** An IPv4 prefix from 32 address bits. */
  public static IpPrefix v4(int address, int length) {
    return new IpPrefix(Family.V4, 0, address & 0xffff_ffffL, length);
  }

  /** An IPv6 prefix from 128 address bits. */
  public static IpPrefix v6(long hi, long lo, int length) {
    return new IpPrefix(Family.V6, hi, lo, length);
  }

  /**
   * Reads {@code address/length}. IPv4 is four decimal numbers without leading zeros; IPv6 is any
   * text form of RFC 4291 section 2.2 without a zone.
   *
   * @throws InvalidValueException if the text is no prefix or has bits set beyond its length
   */
  public static IpPrefix parse(String text) {
    return IpText.parse(text);
  }

  /** True if this prefix contains {@code other} or is contained in it, or both are equal. */
  public boolean overlaps(IpPrefix other) {
    if (family != other.family) {
      return false;
    }
    int shared = Math.min(length, other.length);
    return ((hi ^ other.hi) & maskHi(family, shared)) == 0
        && ((lo ^ other.lo) & maskLo(family, shared)) == 0;
  }

  /** True if this prefix contains all of {@code other}. */
  public boolean contains(IpPrefix other) {
    return length <= other.length && overlaps(other);
  }

  /** The address as big-endian bytes, 4 or 16 of them. */
  public byte[] addressBytes() {
    byte[] bytes = new byte[family.bits() / 8];
    for (int i = 0; i < bytes.length; i++) {
      int fromEnd = bytes.length - 1 - i;
      long word = fromEnd < 8 ? lo : hi;
      bytes[i] = (byte) (word >>> (8 * (fromEnd & 7)));
    }
    return bytes;
  }

  /** The address as text, without the length. */
  public String addressText() {
    String text = toString();
    return text.substring(0, text.indexOf('/'));
  }

  /** The prefix of {@code bits} bits that this one begins with. */
  public IpPrefix network(int bits) {
    return new IpPrefix(family, hi & maskHi(family, bits), lo & maskLo(family, bits), bits);
  }

  /** Orders IPv4 before IPv6, then by address, then shorter prefixes first. */
  @Override
  public int compareTo(IpPrefix other) {
    int order = family.compareTo(other.family);
    if (order == 0) {
      order = Long.compareUnsigned(hi, other.hi);
    }
    if (order == 0) {
      order = Long.compareUnsigned(lo, other.lo);
    }
    return order == 0 ? Integer.compare(length, other.length) : order;
  }

  /** Canonical text: dotted quad, or the form of RFC 5952; always with a length. */
  @Override
  public String toString() {
    return IpText.format(family, hi, lo, length);
  }

  private static long maskHi(Family family, int length) {
    return family == Family.V4 ? 0 : leadingOnes(Math.min(length, 64));
  }

  private static long maskLo(Family family, int length) {
    return family == Family.V4 ? leadingOnes(length) >>> 32 : leadingOnes(Math.max(0, length - 64));
  }

  private static long leadingOnes(int count) {
    return count == 0 ? 0 : -1L << (64 - count);
  }
}
