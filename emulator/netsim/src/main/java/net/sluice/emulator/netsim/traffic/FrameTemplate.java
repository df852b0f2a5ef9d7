package net.sluice.emulator.netsim.traffic;

import net.sluice.emulator.switching.InternetChecksum;

/**
 * A frame that a flow sends again and again, made by {@link FrameBuilder}: headers and the first
 * {@value #STAMP_BYTES} payload bytes; the rest of the payload is zero and not stored. The stamp is
 * the flow id and a sequence number, 32 bits each, big-endian. Immutable.
 */
public final class FrameTemplate {

  /** Flow id and sequence number at the start of the UDP payload, bytes. */
  public static final int STAMP_BYTES = 8;

  private final byte[] head;
  private final int frameBytes;
  private final int udpOffset;
  // Sum of everything the UDP checksum covers, with the checksum and the stamp taken as zero.
  private final long udpSum;

  FrameTemplate(byte[] head, int frameBytes, int udpOffset, long udpSum) {
    this.head = head;
    this.frameBytes = frameBytes;
    this.udpOffset = udpOffset;
    this.udpSum = udpSum;
  }

  /** Length of the frame without FCS, bytes. */
  public int frameBytes() {
    return frameBytes;
  }

  /** The frame with a given stamp. */
  public byte[] frame(int flowId, int sequence) {
    byte[] frame = new byte[frameBytes];
    writeTo(frame, flowId, sequence);
    return frame;
  }

  /**
   * Writes the headers and the stamp into a buffer whose rest, up to the length of the frame, is
   * zero already.
   */
  void writeTo(byte[] buffer, int flowId, int sequence) {
    System.arraycopy(head, 0, buffer, 0, head.length);
    int stamp = head.length - STAMP_BYTES;
    putInt(buffer, stamp, flowId);
    putInt(buffer, stamp + 4, sequence);
    long sum =
        udpSum + (flowId >>> 16) + (flowId & 0xffff) + (sequence >>> 16) + (sequence & 0xffff);
    int checksum = InternetChecksum.finishUdp(sum);
    buffer[udpOffset + 6] = (byte) (checksum >> 8);
    buffer[udpOffset + 7] = (byte) checksum;
  }

  /** Length of the output of {@link #writeTo}, bytes. */
  int writtenBytes() {
    return head.length;
  }

  private static void putInt(byte[] buffer, int at, int value) {
    buffer[at] = (byte) (value >> 24);
    buffer[at + 1] = (byte) (value >> 16);
    buffer[at + 2] = (byte) (value >> 8);
    buffer[at + 3] = (byte) value;
  }
}
