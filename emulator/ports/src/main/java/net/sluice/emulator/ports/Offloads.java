package net.sluice.emulator.ports;

import net.sluice.emulator.netsim.FrameReceiver;

/**
 * Software for the offloads that a sender's kernel left to its network card: checksums, and
 * segmentation of large TCP and UDP packets. Between two virtual interfaces there is no card to do
 * them.
 *
 * <p>Checksums are the Internet checksum of RFC 1071 over TCP (RFC 9293), UDP (RFC 768) and their
 * pseudo headers (IPv4, and RFC 8200 section 8.1).
 */
final class Offloads {
  private static final int ETHERNET_ADDRESSES = 12;
  private static final int TAG_BYTES = 4;
  private static final int IPV4 = 0x0800;
  private static final int IPV6 = 0x86dd;
  private static final int C_TAG = 0x8100;
  private static final int S_TAG = 0x88a8;
  private static final int IPV4_MIN_BYTES = 20;
  private static final int IPV6_BYTES = 40;
  private static final int TCP = 6;
  private static final int UDP = 17;
  private static final int TCP_MIN_BYTES = 20;
  private static final int TCP_CHECKSUM = 16;
  private static final int TCP_FLAGS = 13;
  private static final int FIN_PSH = 0x09;
  private static final int CWR = 0x80;
  private static final int UDP_BYTES = 8;
  private static final int UDP_CHECKSUM = 6;

  private final byte[] segment = new byte[ReceiveBatch.SLOT_BYTES];

  /**
   * Completes a checksum whose field holds the sum of the pseudo header.
   *
   * @param start of the bytes covered, up to the frame's end
   * @param field offset of the checksum from there
   * @return false, with the frame as it was, if the field does not lie within the frame
   */
  static boolean completeChecksum(byte[] frame, int length, int start, int field) {
    if (start + field + 2 > length) {
      return false;
    }
    putChecksum(frame, start + field, sum(frame, start, length));
    return true;
  }

  /**
   * Segments a TCP or UDP packet; each segment has its own lengths, checksums, sequence numbers and
   * flags.
   *
   * @param tcp whether it is TCP; UDP otherwise
   * @param segmentBytes payload of each segment but the last, at least 1
   * @param transport where the TCP or UDP header starts
   * @return number of segments delivered; 0 if the packet is malformed
   */
  int segment(
      byte[] frame,
      int length,
      boolean tcp,
      int segmentBytes,
      int transport,
      FrameReceiver to,
      long nowNanos) {
    int network = networkStart(frame, length);
    int version = network < 0 ? 0 : frame[network] >> 4 & 0xf;
    int networkMin = version == 4 ? IPV4_MIN_BYTES : IPV6_BYTES;
    int transportMin = tcp ? TCP_MIN_BYTES : UDP_BYTES;
    if (network < 0
        || segmentBytes < 1
        || transport < network + networkMin
        || transport + transportMin > length) {
      return 0;
    }
    int headers = transport + (tcp ? (frame[transport + 12] >> 4 & 0xf) * 4 : UDP_BYTES);
    if (headers < transport + transportMin || headers >= length) {
      return 0;
    }
    System.arraycopy(frame, 0, segment, 0, headers);
    int count = 0;
    for (int from = headers; from < length; from += segmentBytes) {
      int payload = Math.min(segmentBytes, length - from);
      System.arraycopy(frame, from, segment, headers, payload);
      int end = headers + payload;
      boolean last = from + payload == length;
      putNetworkHeader(version, network, end, getShort(frame, network + 4) + count);
      if (tcp) {
        putInt(transport + 4, getInt(frame, transport + 4) + count * segmentBytes);
        int keep = (last ? 0xff : ~FIN_PSH) & (count == 0 ? 0xff : ~CWR);
        segment[transport + TCP_FLAGS] = (byte) (frame[transport + TCP_FLAGS] & keep);
        putTransportChecksum(version, network, transport, end, TCP, TCP_CHECKSUM);
      } else {
        putShort(segment, transport + 4, end - transport);
        putTransportChecksum(version, network, transport, end, UDP, UDP_CHECKSUM);
      }
      to.receive(segment, 0, end, 0, nowNanos);
      count++;
    }
    return count;
  }

  /** Offset of the IP header behind Ethernet and VLAN tags; negative if there is none. */
  private static int networkStart(byte[] frame, int length) {
    int at = ETHERNET_ADDRESSES;
    while (at + 2 < length) {
      int type = getShort(frame, at);
      if (type == IPV4 || type == IPV6) {
        return (frame[at + 2] >> 4 & 0xf) == (type == IPV4 ? 4 : 6) ? at + 2 : -1;
      }
      if (type != C_TAG && type != S_TAG) {
        return -1;
      }
      at += TAG_BYTES;
    }
    return -1;
  }

  private void putNetworkHeader(int version, int network, int end, int identification) {
    if (version == 4) {
      putShort(segment, network + 2, end - network);
      putShort(segment, network + 4, identification);
      putShort(segment, network + 10, 0);
      int headerEnd = network + (segment[network] & 0xf) * 4;
      putShort(segment, network + 10, ~fold(sum(segment, network, headerEnd)));
    } else {
      putShort(segment, network + 4, end - network - IPV6_BYTES);
    }
  }

  private void putTransportChecksum(
      int version, int network, int transport, int end, int protocol, int field) {
    putShort(segment, transport + field, 0);
    long addresses =
        version == 4
            ? sum(segment, network + 12, network + 20)
            : sum(segment, network + 8, network + 40);
    long pseudo = addresses + protocol + (end - transport);
    putChecksum(segment, transport + field, pseudo + sum(segment, transport, end));
  }

  /** Writes a UDP checksum: 0, which means none (RFC 768), is written as all ones. */
  private static void putChecksum(byte[] frame, int at, long sum) {
    int checksum = ~fold(sum) & 0xffff;
    putShort(frame, at, checksum == 0 ? 0xffff : checksum);
  }

  private static long sum(byte[] frame, int from, int to) {
    long sum = 0;
    int at = from;
    for (; at + 1 < to; at += 2) {
      sum += getShort(frame, at);
    }
    return at < to ? sum + ((frame[at] & 0xff) << 8) : sum;
  }

  private static int fold(long sum) {
    long folded = sum;
    while (folded >>> 16 != 0) {
      folded = (folded & 0xffff) + (folded >>> 16);
    }
    return (int) folded;
  }

  private static int getShort(byte[] frame, int at) {
    return (frame[at] & 0xff) << 8 | frame[at + 1] & 0xff;
  }

  private static int getInt(byte[] frame, int at) {
    return getShort(frame, at) << 16 | getShort(frame, at + 2);
  }

  private static void putShort(byte[] frame, int at, int value) {
    frame[at] = (byte) (value >> 8);
    frame[at + 1] = (byte) value;
  }

  private void putInt(int at, int value) {
    putShort(segment, at, value >> 16);
    putShort(segment, at + 2, value);
  }
}
