package net.sluice.emulator.ports;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import net.sluice.emulator.netsim.FrameReceiver;
import net.sluice.emulator.ports.pcap.PcapResolution;
import net.sluice.emulator.ports.pcap.PcapWriter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Captures of the frames received and sent at a port of a real-time switch, in a file per
 * direction, stamped with the time of day in microseconds. Every frame is written at once, so that
 * the file can be followed. If a file can no longer be written, its capture ends and the switch
 * goes on.
 */
public final class PortRecording implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PortRecording.class);

  private final Track in;
  private final Track out;

  private PortRecording(Track in, Track out) {
    this.in = in;
    this.out = out;
  }

  /**
   * Creates {@code NAME_in.pcap} and {@code NAME_out.pcap}, or empties those there are.
   *
   * @param folder that exists
   * @param name of the interface
   * @throws IOException if they cannot be written
   */
  public static PortRecording create(Path folder, String name) throws IOException {
    Track in = new Track(folder.resolve(name + "_in.pcap"));
    try {
      return new PortRecording(in, new Track(folder.resolve(name + "_out.pcap")));
    } catch (IOException e) {
      in.close();
      throw e;
    }
  }

  /** Records received frames and passes them on. */
  FrameReceiver incoming(FrameReceiver to) {
    return in.before(to);
  }

  /** Records sent frames and passes them on. */
  FrameReceiver outgoing(FrameReceiver to) {
    return out.before(to);
  }

  @Override
  public void close() {
    in.close();
    out.close();
  }

  /** One direction. */
  private static final class Track {
    private final Path file;
    private PcapWriter writer;

    Track(Path file) throws IOException {
      this.file = file;
      writer = PcapWriter.create(file, PcapResolution.MICROS);
      writer.flush();
    }

    FrameReceiver before(FrameReceiver to) {
      return (bytes, offset, length, tag, nowNanos) -> {
        write(bytes, offset, length);
        to.receive(bytes, offset, length, tag, nowNanos);
      };
    }

    private synchronized void write(byte[] bytes, int offset, int length) {
      if (writer == null) {
        return;
      }
      Instant now = Instant.now();
      try {
        writer.write(
            TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano(), bytes, offset, length);
        writer.flush();
      } catch (IOException e) {
        LOG.warn("{} ends here: {}", file, e.getMessage());
        close();
      }
    }

    synchronized void close() {
      if (writer == null) {
        return;
      }
      try {
        writer.close();
      } catch (IOException e) {
        LOG.warn("{}: {}", file, e.getMessage());
      }
      writer = null;
    }
  }
}
