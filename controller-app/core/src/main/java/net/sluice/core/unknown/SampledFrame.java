package net.sluice.core.unknown;

import java.nio.ByteBuffer;
import java.util.Optional;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.value.Direction;

/** A frame of which the switch handed a copy over, read as the switch's parser reads it. */
final class SampledFrame {
  private static final int IPV4 = 0x0800;
  private static final int IPV6 = 0x86dd;
  private static final int C_TAG = 0x8100;
  private static final int S_TAG = 0x88a8;
  private static final int OLD_S_TAG = 0x9100;
  private static final int PACKET_VALUE = 0x88b5;
  private static final int PPPOE_SESSION = 0x8864;
  private static final int MPLS = 0x8847;
  private static final int PPP_IPV4 = 0x0021;
  private static final int PPP_IPV6 = 0x0057;

  /** The bit of a label of MPLS that says that no other follows (RFC 3032, 2.1). */
  private static final int BOTTOM = 0x100;

  private static final int V4_BYTES = 20;
  private static final int V6_BYTES = 40;

  private SampledFrame() {}

  /**
   * The address that would be a subscriber's: where a frame comes from on its way up, and where it
   * goes on its way down.
   *
   * @return empty if no IP packet is found in the frame
   */
  static Optional<IpPrefix> address(byte[] frame, Direction direction) {
    ByteBuffer in = ByteBuffer.wrap(frame);
    int at = 2 * 6;
    while (at + Integer.BYTES <= frame.length) {
      int type = in.getShort(at) & 0xffff;
      at += Short.BYTES;
      switch (type) {
        case C_TAG, S_TAG, OLD_S_TAG, PACKET_VALUE -> at += Short.BYTES;
        case PPPOE_SESSION -> {
          // Version, type, code, session and length, then the protocol (RFC 2516, 4; RFC 1661, 2).
          at += 6;
          if (at + Short.BYTES > frame.length) {
            return Optional.empty();
          }
          int protocol = in.getShort(at) & 0xffff;
          at += Short.BYTES;
          return protocol == PPP_IPV4 || protocol == PPP_IPV6
              ? ip(in, at, direction)
              : Optional.empty();
        }
        case MPLS -> {
          boolean isLast = false;
          while (!isLast && at + Integer.BYTES <= frame.length) {
            isLast = (in.getInt(at) & BOTTOM) != 0;
            at += Integer.BYTES;
          }
          return ip(in, at, direction);
        }
        case IPV4, IPV6 -> {
          return ip(in, at, direction);
        }
        default -> {
          return Optional.empty();
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<IpPrefix> ip(ByteBuffer in, int at, Direction direction) {
    int left = in.limit() - at;
    boolean isUp = direction == Direction.UP;
    int version = left > 0 ? in.get(at) >>> 4 & 0xf : 0;
    if (version == 4 && left >= V4_BYTES) {
      return Optional.of(IpPrefix.v4(in.getInt(at + (isUp ? 12 : 16)), IpPrefix.Family.V4.bits()));
    }
    if (version == 6 && left >= V6_BYTES) {
      int address = at + (isUp ? 8 : 24);
      return Optional.of(
          IpPrefix.v6(
              in.getLong(address), in.getLong(address + Long.BYTES), IpPrefix.Family.V6.bits()));
    }
    return Optional.empty();
  }
}
