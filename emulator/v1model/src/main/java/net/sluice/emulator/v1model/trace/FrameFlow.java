package net.sluice.emulator.v1model.trace;

/** The flow of an Ethernet frame, behind up to four VLAN tags: addresses, protocol and ports. */
final class FrameFlow {

  private static final int MAX_TAGS = 4;
  private static final int MAX_EXTENSION_HEADERS = 8;

  /** Offset and length of its addresses, bytes; 0 if there is no IP packet. */
  int source;

  int destination;
  int addressBytes;

  /** Protocol, or next header behind the extension headers. */
  int protocol;

  /** Ports, -1 if there are none. */
  int sourcePort;

  int destinationPort;

  /** Parses a frame. */
  void parse(byte[] bytes, int offset, int length) {
    addressBytes = 0;
    sourcePort = -1;
    destinationPort = -1;
    int end = offset + length;
    int at = offset + 12;
    for (int tags = 0; at + 2 <= end; tags++) {
      int type = u16(bytes, at);
      at += 2;
      if (type == 0x0800) {
        ipv4(bytes, at, end);
        return;
      }
      if (type == 0x86dd) {
        ipv6(bytes, at, end);
        return;
      }
      if (type != 0x8100 && type != 0x88a8 && type != 0x9100 || tags == MAX_TAGS) {
        return;
      }
      at += 2;
    }
  }

  private void ipv4(byte[] bytes, int at, int end) {
    if (at + 20 > end) {
      return;
    }
    addressBytes = 4;
    source = at + 12;
    destination = at + 16;
    protocol = bytes[at + 9] & 0xff;
    boolean first = (u16(bytes, at + 6) & 0x1fff) == 0;
    if (first) {
      ports(bytes, at + 4 * (bytes[at] & 0xf), end);
    }
  }

  private void ipv6(byte[] bytes, int start, int end) {
    if (start + 40 > end) {
      return;
    }
    addressBytes = 16;
    source = start + 8;
    destination = start + 24;
    protocol = bytes[start + 6] & 0xff;
    int at = start + 40;
    for (int i = 0; i < MAX_EXTENSION_HEADERS && at + 8 <= end; i++) {
      switch (protocol) {
        case 0, 43, 60 -> {
          protocol = bytes[at] & 0xff;
          at += 8 + 8 * (bytes[at + 1] & 0xff);
        }
        case 44 -> {
          boolean first = (u16(bytes, at + 2) & 0xfff8) == 0;
          protocol = bytes[at] & 0xff;
          at += 8;
          if (!first) {
            return;
          }
        }
        default -> {
          ports(bytes, at, end);
          return;
        }
      }
    }
  }

  private void ports(byte[] bytes, int at, int end) {
    switch (protocol) {
      case 6, 17, 33, 132, 136 -> {
        if (at + 4 <= end) {
          sourcePort = u16(bytes, at);
          destinationPort = u16(bytes, at + 2);
        }
      }
      default -> {}
    }
  }

  private static int u16(byte[] bytes, int at) {
    return (bytes[at] & 0xff) << 8 | bytes[at + 1] & 0xff;
  }
}
