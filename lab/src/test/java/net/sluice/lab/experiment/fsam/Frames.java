package net.sluice.lab.experiment.fsam;

import java.nio.ByteBuffer;

/** Frames of tests. */
final class Frames {
  private Frames() {}

  /** UDP from 10.1.0.{@code host} to 203.0.113.1. */
  static byte[] udp(int bytes, int host, int dscp) {
    ByteBuffer frame = ByteBuffer.allocate(bytes);
    frame.putShort(12, (short) 0x0800).put(14, (byte) 0x45).put(15, (byte) (dscp << 2));
    frame.putShort(16, (short) (bytes - 14)).put(22, (byte) 64).put(23, (byte) 17);
    frame.putInt(26, 0x0a_01_00_00 + host).putInt(30, 0xcb_00_71_01);
    frame.putShort(34, (short) 5_000).putShort(36, (short) 5_001);
    frame.putShort(38, (short) (bytes - 34));
    int sum = 0;
    for (int at = 14; at < 34; at += 2) {
      sum += frame.getShort(at) & 0xffff;
    }
    sum = (sum & 0xffff) + (sum >> 16);
    sum = (sum & 0xffff) + (sum >> 16);
    return frame.putShort(24, (short) ~sum).array();
  }

  /** The codepoint of an IPv4 packet. */
  static int dscp(byte[] bytes, int offset) {
    return bytes[offset + 15] >> 2 & 0x3f;
  }
}
