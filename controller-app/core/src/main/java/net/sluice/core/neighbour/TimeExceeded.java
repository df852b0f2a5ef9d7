package net.sluice.core.neighbour;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.IpPrefix.Family;
import net.sluice.intents.profile.LineAddresses;
import net.sluice.intents.profile.LineAddresses.Own;
import net.sluice.intents.profile.Topology.SwitchPort;

/**
 * Answers to the senders of packets whose time is over: ICMP time exceeded (RFC 792, RFC 4443), out
 * of the port and with the tags that the packet came in by.
 */
final class TimeExceeded {
  private static final int ETHERNET = 14;
  private static final int TAG = 4;
  private static final int ICMPV4 = 1;
  private static final int V4_HEADER = 20;
  private static final int V6_HEADER = 40;
  private static final int ICMP_HEADER = 8;

  /** Of the packet, as much as fits into the least MTU of each family (RFC 1812, 4.3.2.3). */
  private static final int V4_MOST = 576;

  private static final int V6_MOST = 1280;

  /** DSCP CS6, internetwork control (RFC 1812, 4.3.2.5). */
  private static final int CONTROL = 0xc0;

  private static final int HOPS = 64;

  /** Headers of IPv6 that another one follows. */
  private static final int HOP_BY_HOP = 0;

  private static final int ROUTING = 43;
  private static final int FRAGMENT = 44;
  private static final int DESTINATION = 60;

  private static final int V6_REDIRECT = 137;

  private TimeExceeded() {}

  /**
   * The answer to a frame.
   *
   * @param port where the frame came in
   * @return empty if there is none to be: RFC 1812, 4.3.2.7, and RFC 4443, 2.4 (e), say for what
   */
  static Optional<byte[]> answer(SwitchPort port, byte[] frame) {
    try {
      int at = 2 * 6;
      ByteBuffer in = ByteBuffer.wrap(frame);
      int type = in.getShort(at) & 0xffff;
      int tags = 0;
      while (tags < 2 && (type == 0x8100 || type == 0x88a8)) {
        tags++;
        type = in.getShort(at + TAG * tags) & 0xffff;
      }
      // A broadcast is never answered by an error (RFC 1812, 4.3.2.7).
      if ((frame[0] & 1) != 0) {
        return Optional.empty();
      }
      byte[] header = Arrays.copyOf(frame, ETHERNET + TAG * tags);
      ByteBuffer macs = ByteBuffer.wrap(header);
      System.arraycopy(frame, 6, header, 0, 6);
      macs.position(6);
      NeighbourFrames.put(macs, port.sourceMac(), 6);
      byte[] packet = Arrays.copyOfRange(frame, header.length, frame.length);
      return type == NeighbourFrames.IPV4
          ? v4(port, header, packet)
          : type == NeighbourFrames.IPV6 ? v6(port, header, packet) : Optional.empty();
    } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }

  private static Optional<byte[]> own(SwitchPort port, IpPrefix sender) {
    return port.line().own().stream()
        .filter(each -> each.address().family() == sender.family())
        // An address on the sender's line, if there is one.
        .sorted(
            (a, b) -> Boolean.compare(b.network().contains(sender), a.network().contains(sender)))
        .map(Own::address)
        .map(IpPrefix::addressBytes)
        .findFirst();
  }

  private static Optional<byte[]> v4(SwitchPort port, byte[] header, byte[] packet) {
    ByteBuffer in = ByteBuffer.wrap(packet);
    int headerBytes = (packet[0] & 0xf) * 4;
    int total = Math.min(in.getShort(2) & 0xffff, packet.length);
    IpPrefix sender = IpPrefix.v4(in.getInt(12), Family.V4.bits());
    int destination = in.getInt(16);
    boolean isFirst = (in.getShort(6) & 0x1fff) == 0;
    boolean isError = packet[9] == ICMPV4 && isError(packet[headerBytes] & 0xff);
    Optional<byte[]> own = own(port, sender);
    if (!isFirst
        || isError
        || own.isEmpty()
        || getsNoErrors(port, sender)
        || destination >>> 28 >= 0xe) {
      return Optional.empty();
    }
    int quoted = Math.min(total, V4_MOST - V4_HEADER - ICMP_HEADER);
    ByteBuffer out = ByteBuffer.allocate(header.length + V4_HEADER + ICMP_HEADER + quoted);
    out.put(header);
    byte[] ip =
        ByteBuffer.allocate(V4_HEADER)
            .put((byte) 0x45)
            .put((byte) CONTROL)
            .putShort((short) (V4_HEADER + ICMP_HEADER + quoted))
            .putInt(0)
            .put((byte) HOPS)
            .put((byte) ICMPV4)
            .putShort((short) 0)
            .put(own.get())
            .put(sender.addressBytes())
            .array();
    ByteBuffer.wrap(ip).putShort(10, (short) NeighbourFrames.checksum(ip));
    byte[] icmp = message(11, packet, quoted);
    ByteBuffer.wrap(icmp).putShort(2, (short) NeighbourFrames.checksum(icmp));
    return Optional.of(out.put(ip).put(icmp).array());
  }

  private static Optional<byte[]> v6(SwitchPort port, byte[] header, byte[] packet) {
    ByteBuffer in = ByteBuffer.wrap(packet);
    IpPrefix sender = IpPrefix.v6(in.getLong(8), in.getLong(16), Family.V6.bits());
    boolean toGroup = (packet[24] & 0xff) == 0xff;
    Optional<byte[]> own = own(port, sender);
    if (toGroup || isV6Error(packet) || own.isEmpty() || getsNoErrors(port, sender)) {
      return Optional.empty();
    }
    int total = Math.min(V6_HEADER + (in.getShort(4) & 0xffff), packet.length);
    int quoted = Math.min(total, V6_MOST - V6_HEADER - ICMP_HEADER);
    ByteBuffer out = ByteBuffer.allocate(header.length + V6_HEADER + ICMP_HEADER + quoted);
    out.put(header);
    byte[] to = sender.addressBytes();
    NeighbourFrames.ipv6(out, ICMP_HEADER + quoted, NeighbourFrames.ICMPV6, HOPS, own.get(), to);
    int start = out.position();
    out.put(message(3, packet, quoted));
    NeighbourFrames.icmpv6Checksum(out.array(), start, own.get(), to);
    return Optional.of(out.array());
  }

  private static byte[] message(int type, byte[] packet, int quoted) {
    return ByteBuffer.allocate(ICMP_HEADER + quoted)
        .put((byte) type)
        .putInt(1, 0)
        .position(ICMP_HEADER)
        .put(packet, 0, quoted)
        .array();
  }

  /** Whether a sender is no other host, so that no error is sent to it. */
  private static boolean getsNoErrors(SwitchPort port, IpPrefix sender) {
    return LineAddresses.isNoHost(sender)
        || port.line().own().stream().map(Own::address).anyMatch(sender::equals);
  }

  /** Whether a packet is an error by ICMPv6 or a redirect, behind any headers of extensions. */
  private static boolean isV6Error(byte[] packet) {
    int header = packet[6] & 0xff;
    int at = V6_HEADER;
    while (header == HOP_BY_HOP
        || header == ROUTING
        || header == FRAGMENT
        || header == DESTINATION) {
      // What follows is not the beginning of a later fragment.
      if (header == FRAGMENT && (packet[at + 2] != 0 || (packet[at + 3] & 0xf8) != 0)) {
        return false;
      }
      int length = header == FRAGMENT ? 0 : packet[at + 1] & 0xff;
      header = packet[at] & 0xff;
      at += 8 + 8 * length;
    }
    int type = packet[at] & 0xff;
    return header == NeighbourFrames.ICMPV6 && (type < 128 || type == V6_REDIRECT);
  }

  /** Unreachable, quench, redirect, time exceeded, parameter problem. */
  private static boolean isError(int type) {
    return type == 3 || type == 4 || type == 5 || type == 11 || type == 12;
  }
}
