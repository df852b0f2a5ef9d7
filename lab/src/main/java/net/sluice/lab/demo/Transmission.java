package net.sluice.lab.demo;

import java.util.List;
import net.sluice.lab.demo.DemoNetwork.Link;

/**
 * The time that a packet takes on lines, without waiting for them.
 *
 * @param nanosPerByte of a packet's length, on all lines together
 * @param nanosPerPacket of what each packet takes on lines beyond its length
 */
record Transmission(double nanosPerByte, double nanosPerPacket) {
  /**
   * On a way.
   *
   * @param overheadBytes what a frame takes on each line beyond its own bytes
   */
  static Transmission over(List<Link> links, int overheadBytes) {
    double perByte = 0;
    double perPacket = 0;
    for (Link link : links) {
      double nanosPerByte = 8e9 / link.port().rateBps();
      perByte += nanosPerByte;
      perPacket += (overheadBytes + link.extraBytes()) * nanosPerByte;
    }
    return new Transmission(perByte, perPacket);
  }

  /** The time of a packet of {@code length} bytes. */
  long nanos(int length) {
    return Math.round(length * nanosPerByte + nanosPerPacket);
  }
}
