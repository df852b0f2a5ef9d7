package net.sluice.emulator.bmv2.runtime;

import net.sluice.emulator.switching.SwitchPacket;

/**
 * A packet in a compiled pipeline. The generated subclass adds a member for every field and header
 * of the program.
 */
public abstract class ParsedPacket extends SwitchPacket {

  /** How far the parser got, as an index into the buffer; what is behind it is payload. */
  public int position;

  /** Where the packet ends in the buffer. */
  public int end;

  /** Length of the packet as received, bytes; what counters count. */
  public int receivedBytes;

  /**
   * Length of the packet as headers are added and removed, bytes; egress finds it in its metadata.
   */
  public int currentBytes;

  /** Virtual time in the control that the packet is in, microseconds; only kept if meters ask. */
  public long nowMicros;

  /** Number of the parser's error. */
  public int parserError;

  /** Whether an action asked to leave the control. */
  public boolean exited;

  /** The pipeline that the packet belongs to. */
  final Object owner;

  /** For the generated subclass. */
  protected ParsedPacket(Object owner) {
    this.owner = owner;
  }

  /** Readies the packet for its parser. */
  public final void begin() {
    position = offset;
    end = offset + length;
    receivedBytes = length;
    currentBytes = length;
    parserError = 0;
    exited = false;
    dropped = false;
  }

  /**
   * Puts {@code headerBytes} of room in front of the payload and makes the packet start there.
   * Answers where that is.
   */
  public final int reserve(int headerBytes) {
    int start = position - headerBytes;
    if (start < 0) {
      int more = HEADROOM_BYTES - start;
      byte[] bigger = new byte[bytes.length + more];
      System.arraycopy(bytes, position, bigger, position + more, end - position);
      bytes = bigger;
      position += more;
      end += more;
      start += more;
    }
    offset = start;
    length = end - start;
    return start;
  }
}
