package net.sluice.core.store;

import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.IpPrefix.Family;

/**
 * Prefixes in as few bytes as their lengths need: one byte of family and length (0..32, or 128 +
 * 0..126; longer IPv6 lengths need a second byte), then the address bytes that the length covers.
 */
final class PrefixBytes {
  private static final int V6_FLAG = 0x80;
  private static final int V6_LONG = 0xff;

  private PrefixBytes() {}

  static byte[] write(IpPrefix prefix) {
    int covered = (prefix.length() + 7) / 8;
    boolean isLong = prefix.family() == Family.V6 && prefix.length() >= V6_LONG - V6_FLAG;
    byte[] bytes = new byte[covered + (isLong ? 2 : 1)];
    if (isLong) {
      bytes[0] = (byte) V6_LONG;
      bytes[1] = (byte) prefix.length();
    } else {
      bytes[0] = (byte) (prefix.length() | (prefix.family() == Family.V6 ? V6_FLAG : 0));
    }
    System.arraycopy(prefix.addressBytes(), 0, bytes, bytes.length - covered, covered);
    return bytes;
  }

  /** Empty bytes, or of another length than they say, are none. */
  static IpPrefix read(byte[] bytes) {
    int first = bytes.length == 0 ? V6_FLAG - 1 : bytes[0] & 0xff;
    boolean isV6 = (first & V6_FLAG) != 0;
    boolean isLong = first == V6_LONG && bytes.length > 1;
    int length = isLong ? bytes[1] & 0xff : first & ~V6_FLAG;
    Family family = isV6 ? Family.V6 : Family.V4;
    int from = isLong ? 2 : 1;
    if (length > family.bits() || bytes.length - from != (length + 7) / 8) {
      throw new MalformedRecord("a prefix of length " + length + " has " + bytes.length + " bytes");
    }
    int bitsBelow = family.bits();
    long high = 0;
    long low = 0;
    for (int i = from; i < bytes.length; i++) {
      bitsBelow -= Byte.SIZE;
      if (bitsBelow >= Long.SIZE) {
        high |= (bytes[i] & 0xffL) << bitsBelow - Long.SIZE;
      } else {
        low |= (bytes[i] & 0xffL) << bitsBelow;
      }
    }
    return new IpPrefix(family, high, low, length);
  }
}
