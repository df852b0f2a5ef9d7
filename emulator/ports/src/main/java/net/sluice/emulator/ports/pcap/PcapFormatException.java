package net.sluice.emulator.ports.pcap;

import java.io.IOException;

/**
 * A file is not a classic pcap capture of Ethernet frames; the message has the position and the
 * reason.
 */
public final class PcapFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  private final long offset;

  /**
   * @param name of the file
   * @param offset of the first byte in error
   * @param problem what is wrong and what is allowed
   */
  PcapFormatException(String name, long offset, String problem) {
    super(name + " at offset " + offset + ": " + problem);
    this.offset = offset;
  }

  /** Offset in the file of the first byte in error. */
  public long offset() {
    return offset;
  }
}
