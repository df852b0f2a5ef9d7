package net.sluice.emulator.ports.pcap;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A summary of a capture, which is read completely once, so that errors are known before its frames
 * are used.
 *
 * @param frames number of frames
 * @param cutFrames number of truncated frames
 * @param firstNanos timestamp of the first frame, nanoseconds since 1970-01-01T00:00Z; 0 without
 *     frames
 */
public record PcapSummary(
    PcapResolution resolution, long snaplen, long frames, long cutFrames, long firstNanos) {

  /**
   * Reads a file to its end.
   *
   * @throws PcapFormatException if it violates the format
   * @throws IOException if it cannot be read
   */
  public static PcapSummary of(Path file) throws IOException {
    try (PcapReader reader = PcapReader.open(file)) {
      long frames = 0;
      long cut = 0;
      long first = 0;
      while (reader.next()) {
        if (frames++ == 0) {
          first = reader.nanos();
        }
        if (reader.length() < reader.originalLength()) {
          cut++;
        }
      }
      return new PcapSummary(reader.resolution(), reader.snaplen(), frames, cut, first);
    }
  }
}
