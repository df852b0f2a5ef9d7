package net.sluice.emulator.netsim.host;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * An IPv4 or IPv6 address.
 *
 * @param ipv6 whether it is an IPv6 address
 * @param high upper 64 bits of an IPv6 address; 0 for IPv4
 * @param low lower 64 bits of an IPv6 address; the 32 bits of an IPv4 address
 */
public record IpAddress(boolean ipv6, long high, long low) {

  private static final long LOW_WORD = 0xFFFF_FFFFL;

  /** Checks that an IPv4 address has 32 bits. */
  public IpAddress {
    if (!ipv6 && (high != 0 || low < 0 || low > LOW_WORD)) {
      throw new IllegalArgumentException(
          "IPv4 address " + high + ":" + low + ": must be 0.." + LOW_WORD);
    }
  }

  /**
   * The address of a literal; names are not looked up.
   *
   * @throws IllegalArgumentException when it is neither an IPv4 nor an IPv6 literal
   */
  public static IpAddress of(String literal) {
    boolean ipv4 = literal.matches("\\d{1,3}(\\.\\d{1,3}){3}");
    boolean ipv6 = literal.indexOf(':') >= 0 && literal.matches("[0-9a-fA-F:.]+");
    if (ipv4 || ipv6) {
      try {
        // A literal of the right shape is parsed, never looked up.
        InetAddress address = InetAddress.getByName(literal);
        if (ipv4 ? address instanceof Inet4Address : address instanceof Inet6Address) {
          return of(address.getAddress());
        }
      } catch (UnknownHostException e) {
        throw new IllegalArgumentException(refusal(literal), e);
      }
    }
    throw new IllegalArgumentException(refusal(literal));
  }

  /**
   * The address of 4 or 16 bytes in network order.
   *
   * @throws IllegalArgumentException when there are not so many
   */
  public static IpAddress of(byte[] bytes) {
    return switch (bytes.length) {
      case 4 -> new IpAddress(false, 0, read(bytes, 0, 4));
      case 16 -> new IpAddress(true, read(bytes, 0, 8), read(bytes, 8, 8));
      default ->
          throw new IllegalArgumentException(
              "address of " + bytes.length + " bytes: must have 4 or 16");
    };
  }

  /** 4 or 16 bytes in network order. */
  public byte[] toBytes() {
    byte[] bytes = new byte[ipv6 ? 16 : 4];
    for (int i = 0; i < bytes.length; i++) {
      int fromEnd = bytes.length - 1 - i;
      bytes[i] = (byte) (fromEnd >= 8 ? high >>> 8 * (fromEnd - 8) : low >>> 8 * fromEnd);
    }
    return bytes;
  }

  /** Sum of its words, as {@code InternetChecksum} adds them. */
  long checksumWords() {
    return (high >>> 32) + (high & LOW_WORD) + (low >>> 32) + (low & LOW_WORD);
  }

  /** The literal. */
  @Override
  public String toString() {
    try {
      return InetAddress.getByAddress(toBytes()).getHostAddress();
    } catch (UnknownHostException e) {
      throw new AssertionError("toBytes gave neither 4 nor 16 bytes", e);
    }
  }

  static long read(byte[] bytes, int at, int count) {
    long value = 0;
    for (int i = 0; i < count; i++) {
      value = value << 8 | bytes[at + i] & 0xff;
    }
    return value;
  }

  private static String refusal(String literal) {
    return "address \"" + literal + "\": must be an IPv4 or IPv6 literal";
  }
}
