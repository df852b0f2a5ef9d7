package net.sluice.emulator.netsim.host.tcp;

/**
 * A TCP header, RFC 9293 section 3.1, with the flag AE of RFC 9768, and with the options MSS,
 * window scale and timestamps (RFC 7323) and SACK (RFC 2018): parsed, or to be written. Reused from
 * segment to segment. Checksums are handled elsewhere.
 */
final class TcpSegment {

  static final int FIN = 1;
  static final int SYN = 2;
  static final int RST = 4;
  static final int PSH = 8;
  static final int ACK = 16;
  static final int URG = 32;
  static final int ECE = 64;
  static final int CWR = 128;
  static final int AE = 256;

  static final int BASE_BYTES = 20;
  static final int MAX_HEADER_BYTES = 60;
  static final int MAX_SACK_BLOCKS = 4;
  static final int TIMESTAMP_OPTION_BYTES = 12;
  static final int MAX_WINDOW_SCALE = 14;

  private static final int KIND_END = 0;
  private static final int KIND_NOP = 1;
  private static final int KIND_MSS = 2;
  private static final int KIND_WINDOW_SCALE = 3;
  private static final int KIND_SACK_PERMITTED = 4;
  private static final int KIND_SACK = 5;
  private static final int KIND_TIMESTAMPS = 8;

  int sourcePort;
  int destinationPort;
  int sequence;
  int acknowledgement;
  int flags;
  int window;

  /** Maximum segment size, 1..65535, or -1 without the option. */
  int mss;

  /** Window scale, 0..14 (more counts as 14, RFC 7323 section 2.3), or -1 without the option. */
  int windowScale;

  boolean sackPermitted;
  boolean hasTimestamps;
  int timestamp;
  int timestampEcho;
  int sackBlocks;
  final int[] sackLeft = new int[MAX_SACK_BLOCKS];
  final int[] sackRight = new int[MAX_SACK_BLOCKS];

  /** Index of the data in the parsed buffer. */
  int dataOffset;

  /** Bytes of data. */
  int dataLength;

  boolean has(int flag) {
    return (flags & flag) != 0;
  }

  /** Length in sequence space: data, and one each for SYN and FIN. */
  int sequenceLength() {
    return dataLength + (has(SYN) ? 1 : 0) + (has(FIN) ? 1 : 0);
  }

  /** Back to a segment with ports and options of zero and none. */
  void clear() {
    sourcePort = 0;
    destinationPort = 0;
    sequence = 0;
    acknowledgement = 0;
    flags = 0;
    window = 0;
    clearOptions();
    dataOffset = 0;
    dataLength = 0;
  }

  private void clearOptions() {
    mss = -1;
    windowScale = -1;
    sackPermitted = false;
    hasTimestamps = false;
    timestamp = 0;
    timestampEcho = 0;
    sackBlocks = 0;
  }

  /**
   * Reads header and options. Unknown options are skipped; when one occurs twice the last counts.
   *
   * @return false when the header or an option does not fit or has an impossible length
   */
  boolean parse(byte[] bytes, int at, int length) {
    clearOptions();
    if (length < BASE_BYTES) {
      return false;
    }
    int headerBytes = (bytes[at + 12] >> 4 & 0xf) * 4;
    if (headerBytes < BASE_BYTES || headerBytes > length) {
      return false;
    }
    sourcePort = read16(bytes, at);
    destinationPort = read16(bytes, at + 2);
    sequence = read32(bytes, at + 4);
    acknowledgement = read32(bytes, at + 8);
    flags = (bytes[at + 12] & 1) << 8 | bytes[at + 13] & 0xff;
    window = read16(bytes, at + 14);
    dataOffset = at + headerBytes;
    dataLength = length - headerBytes;
    return parseOptions(bytes, at + BASE_BYTES, at + headerBytes);
  }

  private boolean parseOptions(byte[] bytes, int from, int end) {
    int at = from;
    while (at < end) {
      int kind = bytes[at];
      if (kind == KIND_END) {
        return true;
      }
      if (kind == KIND_NOP) {
        at++;
        continue;
      }
      int length = at + 1 < end ? bytes[at + 1] & 0xff : 0;
      if (length < 2 || at + length > end || !parseOption(bytes, at, kind, length)) {
        return false;
      }
      at += length;
    }
    return true;
  }

  private boolean parseOption(byte[] bytes, int at, int kind, int length) {
    switch (kind) {
      case KIND_MSS:
        mss = length == 4 ? read16(bytes, at + 2) : 0;
        return mss > 0;
      case KIND_WINDOW_SCALE:
        windowScale = length == 3 ? Math.min(MAX_WINDOW_SCALE, bytes[at + 2] & 0xff) : -1;
        return windowScale >= 0;
      case KIND_SACK_PERMITTED:
        sackPermitted = length == 2;
        return sackPermitted;
      case KIND_TIMESTAMPS:
        hasTimestamps = length == 10;
        if (hasTimestamps) {
          timestamp = read32(bytes, at + 2);
          timestampEcho = read32(bytes, at + 6);
        }
        return hasTimestamps;
      case KIND_SACK:
        if (length % 8 != 2 || length > 2 + 8 * MAX_SACK_BLOCKS) {
          return false;
        }
        sackBlocks = length / 8;
        for (int i = 0; i < sackBlocks; i++) {
          sackLeft[i] = read32(bytes, at + 2 + 8 * i);
          sackRight[i] = read32(bytes, at + 6 + 8 * i);
        }
        return true;
      default:
        return true;
    }
  }

  /** Bytes {@link #write} takes. */
  int headerBytes() {
    return BASE_BYTES
        + (mss >= 0 ? 4 : 0)
        + (sackPermitted ? 4 : 0)
        + (hasTimestamps ? TIMESTAMP_OPTION_BYTES : 0)
        + (windowScale >= 0 ? 4 : 0)
        + (sackBlocks > 0 ? 4 + 8 * sackBlocks : 0);
  }

  /**
   * Writes the header with a checksum of zero. Options are padded in front, so that each ends on a
   * multiple of four bytes.
   *
   * @return its length, bytes
   */
  int write(byte[] bytes, int at) {
    int headerBytes = headerBytes();
    write16(bytes, at, sourcePort);
    write16(bytes, at + 2, destinationPort);
    write32(bytes, at + 4, sequence);
    write32(bytes, at + 8, acknowledgement);
    bytes[at + 12] = (byte) (headerBytes / 4 << 4 | flags >> 8);
    bytes[at + 13] = (byte) flags;
    write16(bytes, at + 14, window);
    write32(bytes, at + 16, 0);
    int to = at + BASE_BYTES;
    if (mss >= 0) {
      write32(bytes, to, KIND_MSS << 24 | 4 << 16 | mss);
      to += 4;
    }
    if (sackPermitted) {
      write32(bytes, to, KIND_NOP << 24 | KIND_NOP << 16 | KIND_SACK_PERMITTED << 8 | 2);
      to += 4;
    }
    if (hasTimestamps) {
      write32(bytes, to, KIND_NOP << 24 | KIND_NOP << 16 | KIND_TIMESTAMPS << 8 | 10);
      write32(bytes, to + 4, timestamp);
      write32(bytes, to + 8, timestampEcho);
      to += TIMESTAMP_OPTION_BYTES;
    }
    if (windowScale >= 0) {
      write32(bytes, to, KIND_NOP << 24 | KIND_WINDOW_SCALE << 16 | 3 << 8 | windowScale);
      to += 4;
    }
    if (sackBlocks > 0) {
      write32(bytes, to, KIND_NOP << 24 | KIND_NOP << 16 | KIND_SACK << 8 | (2 + 8 * sackBlocks));
      to += 4;
      for (int i = 0; i < sackBlocks; i++) {
        write32(bytes, to, sackLeft[i]);
        write32(bytes, to + 4, sackRight[i]);
        to += 8;
      }
    }
    return headerBytes;
  }

  static int read16(byte[] bytes, int at) {
    return (bytes[at] & 0xff) << 8 | bytes[at + 1] & 0xff;
  }

  static int read32(byte[] bytes, int at) {
    return read16(bytes, at) << 16 | read16(bytes, at + 2);
  }

  static void write16(byte[] bytes, int at, int value) {
    bytes[at] = (byte) (value >> 8);
    bytes[at + 1] = (byte) value;
  }

  static void write32(byte[] bytes, int at, int value) {
    write16(bytes, at, value >> 16);
    write16(bytes, at + 2, value);
  }
}
