package net.sluice.emulator.ports.pcap;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes a classic pcap capture (version 2.4) of Ethernet frames, in either byte order, with
 * microseconds (nanoseconds are rounded down) or nanoseconds. Not thread-safe.
 */
public final class PcapWriter implements Closeable {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final long MAX_SECONDS = 0xffff_ffffL;

  private final OutputStream out;
  private final PcapResolution resolution;
  private final int snaplen;

  /** Bytes not written to the stream yet. */
  private final ByteBuffer pending;

  private final boolean atOnce;
  private long frames;

  private PcapWriter(
      OutputStream out, ByteOrder order, PcapResolution resolution, int snaplen, boolean atOnce)
      throws IOException {
    if (snaplen < 1 || snaplen > PcapReader.MAX_FRAME_BYTES) {
      throw new IllegalArgumentException(
          "snaplen " + snaplen + ": must be 1.." + PcapReader.MAX_FRAME_BYTES);
    }
    this.out = out;
    this.resolution = resolution;
    this.snaplen = snaplen;
    this.atOnce = atOnce;
    // Not a BufferedOutputStream, which takes a lock for each frame twice.
    this.pending = ByteBuffer.allocate(BUFFER_BYTES).order(order);
    pending
        .putInt(resolution.magic())
        .putShort((short) PcapReader.VERSION_MAJOR)
        .putShort((short) PcapReader.VERSION_MINOR)
        .putInt(0)
        .putInt(0)
        .putInt(snaplen)
        .putInt(PcapReader.LINK_TYPE_ETHERNET);
    drain();
  }

  /**
   * Creates a file, or empties the one there is, and writes the header; little-endian, frames of
   * any length.
   *
   * @throws IOException if it cannot be written
   */
  public static PcapWriter create(Path file, PcapResolution resolution) throws IOException {
    OutputStream out = Files.newOutputStream(file);
    try {
      return new PcapWriter(
          out, ByteOrder.LITTLE_ENDIAN, resolution, PcapReader.MAX_FRAME_BYTES, false);
    } catch (IOException e) {
      out.close();
      throw e;
    }
  }

  /**
   * Writes to a stream, each frame at once; it is closed with the writer.
   *
   * @param snaplen longer frames are cut to so many bytes, 1..{@value PcapReader#MAX_FRAME_BYTES}
   */
  public static PcapWriter of(
      OutputStream out, ByteOrder order, PcapResolution resolution, int snaplen)
      throws IOException {
    return new PcapWriter(out, order, resolution, snaplen, true);
  }

  /**
   * Writes a frame.
   *
   * @param nanos since 1970-01-01T00:00Z, to the year 2106, where the format ends
   * @param bytes buffer that holds the frame
   * @param offset of its first byte
   * @param length of the frame, bytes
   */
  public void write(long nanos, byte[] bytes, int offset, int length) throws IOException {
    long seconds = Math.floorDiv(nanos, NANOS_PER_SECOND);
    if (seconds < 0 || seconds > MAX_SECONDS) {
      throw new IllegalArgumentException(
          "nanos " + nanos + ": must be 0.." + ((MAX_SECONDS + 1) * NANOS_PER_SECOND - 1));
    }
    int captured = Math.min(length, snaplen);
    if (pending.remaining() < PcapReader.RECORD_HEADER_BYTES + captured) {
      drain();
    }
    pending
        .putInt((int) seconds)
        .putInt((int) (nanos % NANOS_PER_SECOND) / resolution.nanosPerUnit())
        .putInt(captured)
        .putInt(length);
    if (captured <= pending.remaining()) {
      pending.put(bytes, offset, captured);
    } else {
      drain();
      out.write(bytes, offset, captured);
    }
    if (atOnce) {
      drain();
    }
    frames++;
  }

  private void drain() throws IOException {
    int length = pending.position();
    pending.clear();
    out.write(pending.array(), 0, length);
  }

  /** Flushes to the file. */
  public void flush() throws IOException {
    drain();
    out.flush();
  }

  /** Frames written so far. */
  public long frames() {
    return frames;
  }

  @Override
  public void close() throws IOException {
    try {
      drain();
    } finally {
      out.close();
    }
  }
}
