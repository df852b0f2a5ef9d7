package net.sluice.emulator.ports.pcap;

import java.io.IOException;
import java.nio.file.Path;

/**
 * What a capture holds, read completely once, so that what is wrong with a file is known before
 * anything is done with its frames.
 *
 * @param frames number of frames
 * @param cutFrames how many of them the capture holds only the beginning of
 * @param firstNanos timestamp of the first frame, nanoseconds since 1970-01-01T00:00Z; 0 without
 *     frames
 */
public record PcapSummary(
    PcapResolution resolution, long snaplen, long frames, long cutFrames, long firstNanos) {

  /**
   * Reads a file to its end.
   *
   * @throws PcapFormatException if anything in it is not as the format has it
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
