package net.sluice.it.p4;

import com.google.protobuf.ByteString;
import java.util.HexFormat;

/**
 * A frame at a switch port.
 *
 * @param port switch port, 0..510
 * @param bytes the frame without FCS
 */
public record PortFrame(int port, ByteString bytes) {
  /** In hexadecimal, so that a failed comparison can be read. */
  @Override
  public String toString() {
    return "port " + port + ": " + HexFormat.of().formatHex(bytes.toByteArray());
  }
}
