package net.sluice.emulator.netsim.traffic;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import net.sluice.emulator.switching.InternetChecksum;

/**
 * Builds {@link FrameTemplate}s: Ethernet, no, one or two VLAN tags, IPv4 or IPv6, UDP, all
 * checksums right. A builder may be changed and used again, for one subscriber after the other.
 */
public final class FrameBuilder {

  /** Shortest IPv4 frame without VLAN tags: headers and stamp, bytes. */
  public static final int MIN_IPV4_BYTES = 14 + 20 + 8 + FrameTemplate.STAMP_BYTES;

  /** Shortest IPv6 frame without VLAN tags: headers and stamp, bytes. */
  public static final int MIN_IPV6_BYTES = 14 + 40 + 8 + FrameTemplate.STAMP_BYTES;

  /** Longest frame, bytes. */
  public static final int MAX_BYTES = 9_216;

  private static final int ETHERTYPE_IPV4 = 0x0800;
  private static final int ETHERTYPE_IPV6 = 0x86DD;
  private static final int TPID_C_VLAN = 0x8100;
  private static final int TPID_S_VLAN = 0x88A8;
  private static final int PROTOCOL_UDP = 17;
  private static final int HOP_LIMIT = 64;
  private static final int IPV4_HEADER_BYTES = 20;
  private static final int IPV6_HEADER_BYTES = 40;
  private static final int UDP_HEADER_BYTES = 8;
  private static final long MAX_MAC = 0xFFFF_FFFF_FFFFL;

  private long sourceMac = 0x02_00_00_00_00_01L;
  private long destinationMac = 0x02_00_00_00_00_02L;
  private int outerVid = -1;
  private int innerVid = -1;
  private byte[] source;
  private byte[] destination;
  private int sourcePort = 5_000;
  private int destinationPort = 5_001;
  private int dscp;
  private Ecn ecn = Ecn.NOT_ECT;
  private int frameBytes = 1_250;

  /** MAC addresses, 48 bits each; locally administered ones unless set. */
  public FrameBuilder macs(long sourceMac48, long destinationMac48) {
    check("sourceMac", sourceMac48, 0, MAX_MAC);
    check("destinationMac", destinationMac48, 0, MAX_MAC);
    this.sourceMac = sourceMac48;
    this.destinationMac = destinationMac48;
    return this;
  }

  /** No VLAN tag, the default. */
  public FrameBuilder untagged() {
    this.outerVid = -1;
    this.innerVid = -1;
    return this;
  }

  /** One 802.1Q tag (TPID 0x8100), VLAN id 0..4095. */
  public FrameBuilder vlan(int vid) {
    check("vid", vid, 0, 4_095);
    this.outerVid = -1;
    this.innerVid = vid;
    return this;
  }

  /** An S-tag (TPID 0x88A8) and inside it a C-tag (TPID 0x8100), VLAN ids 0..4095. */
  public FrameBuilder vlans(int sVid, int cVid) {
    check("sVid", sVid, 0, 4_095);
    check("cVid", cVid, 0, 4_095);
    this.outerVid = sVid;
    this.innerVid = cVid;
    return this;
  }

  /** Source and destination as literals, both IPv4 or both IPv6; names are not looked up. */
  public FrameBuilder addresses(String sourceLiteral, String destinationLiteral) {
    return addresses(literal("source", sourceLiteral), literal("destination", destinationLiteral));
  }

  /** Source and destination, 4 bytes each or 16 bytes each, network order. */
  public FrameBuilder addresses(byte[] sourceAddress, byte[] destinationAddress) {
    if (sourceAddress.length != destinationAddress.length
        || (sourceAddress.length != 4 && sourceAddress.length != 16)) {
      throw new IllegalArgumentException(
          "addresses of %s and %s bytes: must both be 4 or both be 16"
              .formatted(sourceAddress.length, destinationAddress.length));
    }
    this.source = sourceAddress.clone();
    this.destination = destinationAddress.clone();
    return this;
  }

  /** UDP ports, 0..65535; 5000 and 5001 unless set. */
  public FrameBuilder ports(int udpSource, int udpDestination) {
    check("sourcePort", udpSource, 0, 65_535);
    check("destinationPort", udpDestination, 0, 65_535);
    this.sourcePort = udpSource;
    this.destinationPort = udpDestination;
    return this;
  }

  /** Differentiated services codepoint, 0..63; 0 unless set. */
  public FrameBuilder dscp(int codepoint) {
    check("dscp", codepoint, 0, 63);
    this.dscp = codepoint;
    return this;
  }

  /** ECN codepoint; not ECN-capable unless set. */
  public FrameBuilder ecn(Ecn codepoint) {
    this.ecn = codepoint;
    return this;
  }

  /** Length of the whole frame without FCS; 1250 bytes unless set. Checked by {@link #build}. */
  public FrameBuilder frameBytes(int bytes) {
    this.frameBytes = bytes;
    return this;
  }

  /**
   * The template.
   *
   * @throws IllegalStateException when no addresses were given
   * @throws IllegalArgumentException when the frame is too short for its headers or longer than
   *     {@value #MAX_BYTES}
   */
  public FrameTemplate build() {
    if (source == null) {
      throw new IllegalStateException("addresses: must be given before build");
    }
    boolean ipv6 = source.length == 16;
    int tags = (outerVid >= 0 ? 1 : 0) + (innerVid >= 0 ? 1 : 0);
    int ipOffset = 14 + 4 * tags;
    int udpOffset = ipOffset + (ipv6 ? IPV6_HEADER_BYTES : IPV4_HEADER_BYTES);
    int headBytes = udpOffset + UDP_HEADER_BYTES + FrameTemplate.STAMP_BYTES;
    check("frameBytes", frameBytes, headBytes, MAX_BYTES);
    byte[] head = new byte[headBytes];
    put(head, 0, destinationMac, 6);
    put(head, 6, sourceMac, 6);
    int at = 12;
    if (outerVid >= 0) {
      put(head, at, (long) TPID_S_VLAN << 16 | outerVid, 4);
      at += 4;
    }
    if (innerVid >= 0) {
      put(head, at, (long) TPID_C_VLAN << 16 | innerVid, 4);
      at += 4;
    }
    put(head, at, ipv6 ? ETHERTYPE_IPV6 : ETHERTYPE_IPV4, 2);
    int udpBytes = frameBytes - udpOffset;
    if (ipv6) {
      putIpv6(head, ipOffset, udpBytes);
    } else {
      putIpv4(head, ipOffset, udpBytes);
    }
    put(head, udpOffset, sourcePort, 2);
    put(head, udpOffset + 2, destinationPort, 2);
    put(head, udpOffset + 4, udpBytes, 2);
    long udpSum =
        InternetChecksum.sum(source, 0, source.length)
            + InternetChecksum.sum(destination, 0, destination.length)
            + PROTOCOL_UDP
            + udpBytes
            + InternetChecksum.sum(head, udpOffset, UDP_HEADER_BYTES);
    return new FrameTemplate(head, frameBytes, udpOffset, udpSum);
  }

  private void putIpv4(byte[] head, int at, int udpBytes) {
    head[at] = 0x45;
    head[at + 1] = (byte) (dscp << 2 | ecn.bits());
    put(head, at + 2, IPV4_HEADER_BYTES + udpBytes, 2);
    // Identification 0 and Don't Fragment, RFC 6864.
    put(head, at + 6, 0x4000, 2);
    head[at + 8] = HOP_LIMIT;
    head[at + 9] = PROTOCOL_UDP;
    System.arraycopy(source, 0, head, at + 12, 4);
    System.arraycopy(destination, 0, head, at + 16, 4);
    put(
        head,
        at + 10,
        InternetChecksum.finish(InternetChecksum.sum(head, at, IPV4_HEADER_BYTES)),
        2);
  }

  private void putIpv6(byte[] head, int at, int udpBytes) {
    put(head, at, 6L << 28 | (long) (dscp << 2 | ecn.bits()) << 20, 4);
    put(head, at + 4, udpBytes, 2);
    head[at + 6] = PROTOCOL_UDP;
    head[at + 7] = HOP_LIMIT;
    System.arraycopy(source, 0, head, at + 8, 16);
    System.arraycopy(destination, 0, head, at + 24, 16);
  }

  private static byte[] literal(String field, String literal) {
    // Literals only: the resolver would look a name up.
    boolean ipv6 = literal.indexOf(':') >= 0 && literal.matches("[0-9a-fA-F:.]+");
    boolean ipv4 = literal.matches("\\d{1,3}(\\.\\d{1,3}){3}");
    if (ipv4 || ipv6) {
      try {
        InetAddress address = InetAddress.getByName(literal);
        if (ipv4 ? address instanceof Inet4Address : address instanceof Inet6Address) {
          return address.getAddress();
        }
      } catch (UnknownHostException e) {
        throw new IllegalArgumentException(
            field + " address \"" + literal + "\": must be an IPv4 or IPv6 literal", e);
      }
    }
    throw new IllegalArgumentException(
        field + " address \"" + literal + "\": must be an IPv4 or IPv6 literal");
  }

  private static void put(byte[] buffer, int at, long value, int bytes) {
    for (int i = 0; i < bytes; i++) {
      buffer[at + i] = (byte) (value >> 8 * (bytes - 1 - i));
    }
  }

  private static void check(String field, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(field + " " + value + ": must be " + min + ".." + max);
    }
  }
}
