package net.sluice.core.neighbour;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.IpPrefix.Family;

/** Requests for the MAC address of an IP address, and answers to them: ARP and ICMPv6. */
final class NeighbourFrames {
  static final int IPV4 = 0x0800;
  static final int IPV6 = 0x86dd;
  static final int ICMPV6 = 58;
  private static final int ARP = 0x0806;
  private static final int C_TAG = 0x8100;
  private static final int S_TAG = 0x88a8;

  /** Hardware Ethernet, protocol IPv4, addresses of 6 and 4 bytes (RFC 826). */
  private static final long ARP_FORMAT = 0x0001_0800_0604L;

  private static final int ARP_BYTES = 28;

  /** The bits of a tag that are a VLAN's number; 0 is none (IEEE 802.1Q). */
  private static final int VLAN = 0xfff;

  private static final int SOLICITATION = 135;
  private static final int ADVERTISEMENT = 136;
  private static final int OVERRIDE = 1 << 29;
  private static final int SOURCE_LINK = 1;
  private static final int TARGET_LINK = 2;
  private static final long BROADCAST = 0xffff_ffff_ffffL;

  /** 33:33 before the last 32 bits of a group's address (RFC 2464). */
  private static final long MULTICAST_V6 = 0x3333_0000_0000L;

  private static final int MAC_BYTES = 6;

  private NeighbourFrames() {}

  /**
   * A request.
   *
   * @param ownMac the MAC address of the port that asks
   * @param own its IP address
   * @param wanted whose MAC address is asked for
   */
  static byte[] request(long ownMac, IpPrefix own, IpPrefix wanted) {
    if (wanted.family() == Family.V4) {
      ByteBuffer out = ethernet(ARP_BYTES, BROADCAST, ownMac, ARP);
      put(out, ARP_FORMAT, MAC_BYTES);
      out.putShort((short) 1);
      put(out, ownMac, MAC_BYTES);
      out.put(own.addressBytes());
      put(out, 0, MAC_BYTES);
      return out.put(wanted.addressBytes()).array();
    }
    byte[] target = wanted.addressBytes();
    // The solicited-node group of an address (RFC 4291, 2.7.1).
    byte[] group = new byte[target.length];
    group[0] = (byte) 0xff;
    group[1] = 2;
    group[11] = 1;
    group[12] = (byte) 0xff;
    System.arraycopy(target, 13, group, 13, 3);
    int length = 8 + target.length + 8;
    long last = ByteBuffer.wrap(group).getInt(12) & 0xffff_ffffL;
    ByteBuffer out = ethernet(40 + length, MULTICAST_V6 | last, ownMac, IPV6);
    ipv6(out, length, ICMPV6, 255, own.addressBytes(), group);
    int start = out.position();
    out.put((byte) SOLICITATION).put((byte) 0).putShort((short) 0).putInt(0).put(target);
    out.put((byte) SOURCE_LINK).put((byte) 1);
    put(out, ownMac, MAC_BYTES);
    icmpv6Checksum(out.array(), start, own.addressBytes(), group);
    return out.array();
  }

  /**
   * An answer.
   *
   * @param mac the MAC address of the IP address
   * @param replaces whether it counts in place of another one that is known; an answer for somebody
   *     else, or of one of several, may say that it does not (RFC 4861, 7.2.5)
   */
  record Answer(long mac, boolean replaces) {}

  /**
   * The answer to ARP or neighbour discovery that a frame is for an IP address; else empty.
   *
   * @param ownMac the MAC address of the port that asks, which no other has
   */
  static Optional<Answer> answer(byte[] frame, IpPrefix asked, long ownMac) {
    try {
      ByteBuffer in = ByteBuffer.wrap(frame);
      take(in, MAC_BYTES);
      take(in, MAC_BYTES);
      int type = in.getShort() & 0xffff;
      for (int tags = 0; tags < 2 && (type == C_TAG || type == S_TAG); tags++) {
        if ((in.getShort() & VLAN) != 0) {
          // A tagged frame is of another network on the line: requests have no tags.
          return Optional.empty();
        }
        type = in.getShort() & 0xffff;
      }
      Optional<Answer> answer = Optional.empty();
      if (type == ARP && asked.family() == Family.V4) {
        answer = arp(in, asked);
      } else if (type == IPV6 && asked.family() == Family.V6) {
        answer = advertisement(in, asked);
      }
      // A multicast address, or none, is no next hop's.
      return answer.filter(
          each -> each.mac != 0 && (each.mac >>> 40 & 1) == 0 && each.mac != ownMac);
    } catch (BufferUnderflowException e) {
      return Optional.empty();
    }
  }

  private static Optional<Answer> arp(ByteBuffer in, IpPrefix asked) {
    boolean known = in.remaining() >= ARP_BYTES && take(in, MAC_BYTES) == ARP_FORMAT;
    in.getShort();
    long mac = take(in, MAC_BYTES);
    byte[] sender = new byte[4];
    in.get(sender);
    return known && Arrays.equals(sender, asked.addressBytes())
        ? Optional.of(new Answer(mac, true))
        : Optional.empty();
  }

  /** The rules are those of RFC 4861, 7.1.2. */
  private static Optional<Answer> advertisement(ByteBuffer in, IpPrefix asked) {
    in.getInt();
    int length = in.getShort() & 0xffff;
    int protocol = in.get() & 0xff;
    int hopLimit = in.get() & 0xff;
    byte[] source = new byte[16];
    byte[] destination = new byte[16];
    in.get(source).get(destination);
    if (protocol != ICMPV6 || hopLimit != 255 || length < 24 || in.remaining() < length) {
      return Optional.empty();
    }
    int start = in.position();
    byte[] message = Arrays.copyOfRange(in.array(), start, start + length);
    if (checksum(pseudoHeader(source, destination, length), message) != 0) {
      return Optional.empty();
    }
    ByteBuffer icmp = ByteBuffer.wrap(message);
    boolean isAdvertisement = (icmp.get() & 0xff) == ADVERTISEMENT && icmp.get() == 0;
    icmp.getShort();
    boolean overrides = (icmp.getInt() & OVERRIDE) != 0;
    byte[] target = new byte[16];
    icmp.get(target);
    if (!isAdvertisement || !Arrays.equals(target, asked.addressBytes())) {
      return Optional.empty();
    }
    while (icmp.remaining() >= 8) {
      int kind = icmp.get();
      int eights = icmp.get() & 0xff;
      if (eights == 0) {
        return Optional.empty();
      }
      if (kind == TARGET_LINK) {
        return Optional.of(new Answer(take(icmp, MAC_BYTES), overrides));
      }
      icmp.position(icmp.position() + Math.min(icmp.remaining(), 8 * eights - 2));
    }
    return Optional.empty();
  }

  // ---------------------------------------------------------------- parts of frames

  private static ByteBuffer ethernet(int payload, long to, long from, int type) {
    ByteBuffer out = ByteBuffer.allocate(2 * MAC_BYTES + 2 + payload);
    put(out, to, MAC_BYTES);
    put(out, from, MAC_BYTES);
    return out.putShort((short) type);
  }

  static void ipv6(
      ByteBuffer out, int length, int protocol, int hopLimit, byte[] source, byte[] destination) {
    out.putInt(6 << 28).putShort((short) length).put((byte) protocol).put((byte) hopLimit);
    out.put(source).put(destination);
  }

  /** Sets the checksum of an ICMPv6 message that reaches to the end of the frame. */
  static void icmpv6Checksum(byte[] frame, int start, byte[] source, byte[] destination) {
    byte[] message = Arrays.copyOfRange(frame, start, frame.length);
    int sum = checksum(pseudoHeader(source, destination, message.length), message);
    ByteBuffer.wrap(frame).putShort(start + 2, (short) sum);
  }

  private static byte[] pseudoHeader(byte[] source, byte[] destination, int length) {
    return ByteBuffer.allocate(40)
        .put(source)
        .put(destination)
        .putInt(length)
        .putInt(ICMPV6)
        .array();
  }

  /** The Internet checksum (RFC 1071) of parts, all but the last of an even length. */
  static int checksum(byte[]... parts) {
    long sum = 0;
    for (byte[] part : parts) {
      for (int i = 0; i < part.length; i++) {
        sum += (part[i] & 0xffL) << (i % 2 == 0 ? 8 : 0);
      }
    }
    while (sum >>> 16 != 0) {
      sum = (sum & 0xffff) + (sum >>> 16);
    }
    return (int) (~sum & 0xffff);
  }

  static void put(ByteBuffer out, long value, int bytes) {
    for (int i = bytes - 1; i >= 0; i--) {
      out.put((byte) (value >>> 8 * i));
    }
  }

  private static long take(ByteBuffer in, int bytes) {
    long value = 0;
    for (int i = 0; i < bytes; i++) {
      value = value << 8 | (in.get() & 0xff);
    }
    return value;
  }
}
