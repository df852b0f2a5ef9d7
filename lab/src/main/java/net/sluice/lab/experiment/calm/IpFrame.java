package net.sluice.lab.experiment.calm;

import net.sluice.emulator.netsim.traffic.Ecn;
import net.sluice.emulator.switching.InternetChecksum;

/**
 * The fields of a frame that a queue reads, and the mark that it sets. Frames are Ethernet without
 * a VLAN tag; frames without IP are one flow and are never marked. IPv6 extension headers are not
 * looked behind.
 */
final class IpFrame {
  private static final int ETHER_TYPE = 12;
  private static final int IP = 14;
  private static final int IPV4 = 0x0800;
  private static final int IPV6 = 0x86DD;
  private static final int IPV4_CHECKSUM = IP + 10;
  private static final int FRAGMENT_OFFSET = 0x1fff;
  private static final int TCP = 6;
  private static final int UDP = 17;
  private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

  private IpFrame() {}

  /**
   * A number of the 5-tuple of addresses, protocol and, for TCP and UDP, ports.
   *
   * @param seed another one makes other flows share a number
   */
  static long flowHash(byte[] frame, int length, long seed) {
    long hash = seed;
    switch (type(frame, length)) {
      case IPV4 -> {
        hash = mix(hash, frame[IP + 9] & 0xff);
        hash = mix(hash, read32(frame, IP + 12));
        hash = mix(hash, read32(frame, IP + 16));
        boolean first = (read16(frame, IP + 6) & FRAGMENT_OFFSET) == 0;
        int ports = IP + (frame[IP] & 0xf) * 4;
        return first ? ports(hash, frame, length, frame[IP + 9], ports) : hash;
      }
      case IPV6 -> {
        hash = mix(hash, frame[IP + 6] & 0xff);
        for (int at = IP + 8; at < IP + 40; at += 4) {
          hash = mix(hash, read32(frame, at));
        }
        return ports(hash, frame, length, frame[IP + 6], IP + 40);
      }
      default -> {
        return hash;
      }
    }
  }

  private static long ports(long hash, byte[] frame, int length, int protocol, int at) {
    boolean has = (protocol == TCP || protocol == UDP) && at + 4 <= length;
    return has ? mix(hash, read32(frame, at)) : hash;
  }

  private static long mix(long hash, int word) {
    long mixed = (hash ^ word & 0xffff_ffffL) * MULTIPLIER;
    return mixed ^ mixed >>> 32;
  }

  /** Its ECN codepoint. */
  static Ecn ecn(byte[] frame, int length) {
    return switch (type(frame, length)) {
      case IPV4 -> Ecn.values()[frame[IP + 1] & 3];
      case IPV6 -> Ecn.values()[frame[IP + 1] >> 4 & 3];
      default -> Ecn.NOT_ECT;
    };
  }

  /** Sets CE, RFC 3168 section 5; the frame is ECN-capable. */
  static void mark(byte[] frame, int length) {
    if (type(frame, length) == IPV6) {
      frame[IP + 1] |= 3 << 4;
      return;
    }
    frame[IP + 1] |= 3;
    frame[IPV4_CHECKSUM] = 0;
    frame[IPV4_CHECKSUM + 1] = 0;
    int headerBytes = (frame[IP] & 0xf) * 4;
    int checksum = InternetChecksum.finish(InternetChecksum.sum(frame, IP, headerBytes));
    frame[IPV4_CHECKSUM] = (byte) (checksum >> 8);
    frame[IPV4_CHECKSUM + 1] = (byte) checksum;
  }

  /** The EtherType if it is one of IP and the frame has room for the header, else 0. */
  private static int type(byte[] frame, int length) {
    if (length < IP + 20) {
      return 0;
    }
    int type = read16(frame, ETHER_TYPE);
    return type == IPV4 || type == IPV6 && length >= IP + 40 ? type : 0;
  }

  private static int read16(byte[] bytes, int at) {
    return (bytes[at] & 0xff) << 8 | bytes[at + 1] & 0xff;
  }

  private static int read32(byte[] bytes, int at) {
    return read16(bytes, at) << 16 | read16(bytes, at + 2);
  }
}
