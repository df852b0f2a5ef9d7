package net.sluice.it.p4;

import com.google.protobuf.ByteString;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;

/**
 * A frame, written down field by field: Ethernet, packet value, VLAN tags, IPv4 or IPv6, and some
 * bytes. Immutable; each method gives a changed copy, so that what leaves a switch can be written
 * as what entered it with the differences. Independent of the product's own frame builders; the
 * checksum is computed over the whole header each time (RFC 1071).
 */
final class TestFrame {
  static final int S_TAG = 0x88a8;
  static final int C_TAG = 0x8100;
  static final int IPV4 = 0x0800;
  static final int IPV6 = 0x86dd;
  static final int PACKET_VALUE = 0x88b5;
  static final int NOT_ECT = 0;
  static final int ECT1 = 1;
  static final int ECT0 = 2;
  static final int CE = 3;

  /** Addresses of frames as hosts send them: distinguishable from all that a switch writes. */
  static final long HOST_SOURCE_MAC = 0x02_00_00_00_0a_01L;

  static final long HOST_DESTINATION_MAC = 0x02_00_00_00_0b_02L;

  private static final HexFormat HEX = HexFormat.of();

  private long sourceMac = HOST_SOURCE_MAC;
  private long destinationMac = HOST_DESTINATION_MAC;
  private int packetValue = -1;
  private int outerType;
  private int outerTag = -1;
  private int innerTag = -1;
  private byte[] source;
  private byte[] destination;
  private int dscp = 10;
  private int ecn;
  private int fragment = 0x4000;
  private int ttl = 64;
  private int protocol = 17;
  private byte[] options = new byte[0];
  private int checksumError;
  private byte[] payload = udp(40_000, 443, 32);

  private TestFrame() {}

  /** A UDP packet between two addresses of the same family, TTL 64, not ECN-capable, untagged. */
  static TestFrame from(String sourceAddress, String destinationAddress) {
    TestFrame frame = new TestFrame();
    frame.source = address(sourceAddress);
    frame.destination = address(destinationAddress);
    if (frame.source.length != frame.destination.length) {
      throw new IllegalArgumentException(sourceAddress + " and " + destinationAddress);
    }
    return frame;
  }

  TestFrame macs(long source48, long destination48) {
    TestFrame copy = copy();
    copy.sourceMac = source48;
    copy.destinationMac = destination48;
    return copy;
  }

  /** With a packet value header between Ethernet addresses and the rest. */
  TestFrame packetValue(int value) {
    TestFrame copy = copy();
    copy.packetValue = value;
    return copy;
  }

  TestFrame withoutPacketValue() {
    return packetValue(-1);
  }

  /** One tag of a TPID; its 16 bits are priority (3), DEI (1), VLAN id (12). */
  TestFrame tag(int tpid, int tag) {
    TestFrame copy = copy();
    copy.outerType = tpid;
    copy.outerTag = tag;
    copy.innerTag = -1;
    return copy;
  }

  /** Two tags, the inner one a C-tag. */
  TestFrame tags(int outerTpid, int outer, int inner) {
    TestFrame copy = tag(outerTpid, outer);
    copy.innerTag = inner;
    return copy;
  }

  TestFrame untagged() {
    return tag(0, -1);
  }

  /** An IPv4 fragment, its offset in units of eight bytes. */
  TestFrame fragment(int offset, boolean more) {
    TestFrame copy = copy();
    copy.fragment = (more ? 0x2000 : 0) | offset;
    return copy;
  }

  TestFrame ttl(int value) {
    TestFrame copy = copy();
    copy.ttl = value;
    return copy;
  }

  TestFrame dscp(int codepoint) {
    TestFrame copy = copy();
    copy.dscp = codepoint;
    return copy;
  }

  TestFrame ecn(int codepoint) {
    TestFrame copy = copy();
    copy.ecn = codepoint;
    return copy;
  }

  TestFrame protocol(int number) {
    TestFrame copy = copy();
    copy.protocol = number;
    return copy;
  }

  /** IPv4 options, a multiple of four bytes up to 40. */
  TestFrame options(byte[] bytes) {
    if (bytes.length % 4 != 0 || bytes.length > 40) {
      throw new IllegalArgumentException(bytes.length + " bytes of options");
    }
    TestFrame copy = copy();
    copy.options = bytes.clone();
    return copy;
  }

  /** With four bytes of IPv4 options that make the header's checksum this one, 0..0xfffe. */
  TestFrame optionsForChecksum(int checksum) {
    TestFrame open = options(new byte[] {1, 1, 0, 0});
    int missing = (~checksum & 0xffff) + open.ipv4Checksum();
    missing = (missing & 0xffff) + (missing >>> 16);
    TestFrame frame = options(new byte[] {1, 1, (byte) (missing >> 8), (byte) missing});
    if (frame.ipv4Checksum() != checksum) {
      throw new IllegalArgumentException("no options make the checksum " + checksum);
    }
    return frame;
  }

  private int ipv4Checksum() {
    byte[] header = ipv4Header();
    return (header[10] & 0xff) << 8 | (header[11] & 0xff);
  }

  /** What is wrong with the IPv4 checksum: these bits are flipped. */
  TestFrame checksumError(int bits) {
    TestFrame copy = copy();
    copy.checksumError = bits;
    return copy;
  }

  /** Everything behind the IP header. */
  TestFrame payload(byte[] bytes) {
    TestFrame copy = copy();
    copy.payload = bytes.clone();
    return copy;
  }

  /** A UDP header without checksum and as many bytes of data. */
  static byte[] udp(int sourcePort, int destinationPort, int dataBytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    put(out, sourcePort, 2);
    put(out, destinationPort, 2);
    put(out, 8 + dataBytes, 2);
    put(out, 0, 2);
    for (int i = 0; i < dataBytes; i++) {
      out.write(i);
    }
    return out.toByteArray();
  }

  /** A TCP header with as many bytes of data. */
  static byte[] tcp(int sourcePort, int destinationPort, int dataBytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    put(out, sourcePort, 2);
    put(out, destinationPort, 2);
    put(out, 0x01020304_05060708L, 8);
    put(out, 0x5018_ffff_1234_0000L, 8);
    for (int i = 0; i < dataBytes; i++) {
      out.write(i);
    }
    return out.toByteArray();
  }

  /** The frame on the wire, without FCS. */
  ByteString bytes() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    put(out, destinationMac, 6);
    put(out, sourceMac, 6);
    if (packetValue >= 0) {
      put(out, PACKET_VALUE, 2);
      put(out, packetValue, 2);
    }
    if (outerTag >= 0) {
      put(out, outerType, 2);
      put(out, outerTag, 2);
    }
    if (innerTag >= 0) {
      put(out, C_TAG, 2);
      put(out, innerTag, 2);
    }
    boolean v6 = source.length == 16;
    put(out, v6 ? IPV6 : IPV4, 2);
    out.writeBytes(v6 ? ipv6Header() : ipv4Header());
    out.writeBytes(payload);
    return ByteString.copyFrom(out.toByteArray());
  }

  /** The frame as it is at a port. */
  PortFrame at(int port) {
    return new PortFrame(port, bytes());
  }

  /** The frame at a port behind the queue id that an FPGA expects. */
  PortFrame behindQueueId(int port, int queueId) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    put(out, queueId, 4);
    return new PortFrame(port, ByteString.copyFrom(out.toByteArray()).concat(bytes()));
  }

  int length() {
    return bytes().size();
  }

  private byte[] ipv4Header() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int headerBytes = 20 + options.length;
    put(out, 0x40 | headerBytes / 4, 1);
    put(out, dscp << 2 | ecn, 1);
    put(out, headerBytes + payload.length, 2);
    put(out, 0x1f2e, 2);
    put(out, fragment, 2);
    put(out, ttl, 1);
    put(out, protocol, 1);
    put(out, 0, 2);
    out.writeBytes(source);
    out.writeBytes(destination);
    out.writeBytes(options);
    byte[] header = out.toByteArray();
    int checksum = internetChecksum(header) ^ checksumError;
    header[10] = (byte) (checksum >> 8);
    header[11] = (byte) checksum;
    return header;
  }

  private byte[] ipv6Header() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    put(out, 6L << 28 | (long) (dscp << 2 | ecn) << 20 | 0x54321, 4);
    put(out, payload.length, 2);
    put(out, protocol, 1);
    put(out, ttl, 1);
    out.writeBytes(source);
    out.writeBytes(destination);
    return out.toByteArray();
  }

  private static int internetChecksum(byte[] header) {
    int sum = 0;
    for (int i = 0; i < header.length; i += 2) {
      sum += (header[i] & 0xff) << 8 | (header[i + 1] & 0xff);
    }
    while (sum >>> 16 != 0) {
      sum = (sum & 0xffff) + (sum >>> 16);
    }
    return ~sum & 0xffff;
  }

  private static byte[] address(String literal) {
    if (!literal.matches("[0-9a-f.:]+")) {
      throw new IllegalArgumentException(literal + " is no address literal");
    }
    try {
      return InetAddress.getByName(literal).getAddress();
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(literal + " is no address literal", e);
    }
  }

  private static void put(ByteArrayOutputStream out, long value, int bytes) {
    for (int i = bytes - 1; i >= 0; i--) {
      out.write((int) (value >>> 8 * i));
    }
  }

  private TestFrame copy() {
    TestFrame copy = new TestFrame();
    copy.sourceMac = sourceMac;
    copy.destinationMac = destinationMac;
    copy.packetValue = packetValue;
    copy.outerType = outerType;
    copy.outerTag = outerTag;
    copy.innerTag = innerTag;
    copy.source = source;
    copy.destination = destination;
    copy.dscp = dscp;
    copy.ecn = ecn;
    copy.fragment = fragment;
    copy.ttl = ttl;
    copy.protocol = protocol;
    copy.options = options;
    copy.checksumError = checksumError;
    copy.payload = payload;
    return copy;
  }

  @Override
  public String toString() {
    return HEX.formatHex(bytes().toByteArray());
  }
}
