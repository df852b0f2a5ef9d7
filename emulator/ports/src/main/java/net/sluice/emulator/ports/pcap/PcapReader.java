package net.sluice.emulator.ports.pcap;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads a classic pcap capture (version 2.4) of Ethernet frames, in either byte order, with
 * microseconds or nanoseconds. A frame at a time; after {@link #next} has returned true, the other
 * methods refer to that frame.
 *
 * <p>Input that violates the format is a {@link PcapFormatException} with the offset in the file.
 * Not thread-safe.
 */
public final class PcapReader implements Closeable {

  /** Longest frame taken, bytes: far beyond any Ethernet frame, as other readers have it. */
  public static final int MAX_FRAME_BYTES = 262_144;

  static final int FILE_HEADER_BYTES = 24;
  static final int RECORD_HEADER_BYTES = 16;
  private static final int CAPTURED_AT = 8;
  static final int VERSION_MAJOR = 2;
  static final int VERSION_MINOR = 4;
  static final int LINK_TYPE_ETHERNET = 1;

  private static final int PCAPNG_MAGIC = 0x0a0d0d0a;
  private static final int BUFFER_BYTES = 1 << 16;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private final String name;
  private final InputStream in;
  private final ByteBuffer header = ByteBuffer.allocate(FILE_HEADER_BYTES);
  private PcapResolution resolution;
  private long snaplen;

  // Not a BufferedInputStream, which takes a lock for each frame twice.
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private final ByteBuffer buffered = ByteBuffer.wrap(buffer);
  private int bufferAt;
  private int bufferEnd;

  private long offset;
  private byte[] bytes = new byte[2_048];
  private int length;
  private long originalLength;
  private long nanos;

  private PcapReader(String name, InputStream in) throws IOException {
    this.name = name;
    this.in = in;
    readFileHeader();
  }

  /**
   * Opens a file and reads its header.
   *
   * @throws PcapFormatException if it is not such a capture
   * @throws IOException if it cannot be read
   */
  public static PcapReader open(Path file) throws IOException {
    InputStream in = Files.newInputStream(file);
    try {
      return new PcapReader(file.toString(), in);
    } catch (IOException e) {
      in.close();
      throw e;
    }
  }

  /**
   * Reads a capture from a stream, which is closed with the reader.
   *
   * @param name of the stream, for error messages
   * @throws PcapFormatException if it is not such a capture
   */
  public static PcapReader of(String name, InputStream in) throws IOException {
    return new PcapReader(name, in);
  }

  /** Resolution of the timestamps. */
  public PcapResolution resolution() {
    return resolution;
  }

  /** Byte order of the file's headers. */
  public ByteOrder byteOrder() {
    return header.order();
  }

  /** Frames were cut to this length when they were captured, bytes. */
  public long snaplen() {
    return snaplen;
  }

  /**
   * Reads the next frame.
   *
   * @return false at the end of the file
   * @throws PcapFormatException if it is malformed
   */
  public boolean next() throws IOException {
    long start = offset;
    int read = fill(header.array(), RECORD_HEADER_BYTES);
    if (read == 0) {
      return false;
    }
    if (read < RECORD_HEADER_BYTES) {
      throw new PcapFormatException(
          name,
          start,
          "the file ends %s bytes into the header of a frame; it has %s"
              .formatted(read, RECORD_HEADER_BYTES));
    }
    long seconds = Integer.toUnsignedLong(header.getInt(0));
    long fraction = Integer.toUnsignedLong(header.getInt(4));
    long captured = Integer.toUnsignedLong(header.getInt(CAPTURED_AT));
    originalLength = Integer.toUnsignedLong(header.getInt(12));
    if (fraction >= resolution.unitsPerSecond()) {
      throw new PcapFormatException(
          name,
          start + 4,
          "the timestamp's fraction is %s; it must be below %s"
              .formatted(fraction, resolution.unitsPerSecond()));
    }
    if (captured > MAX_FRAME_BYTES) {
      throw new PcapFormatException(
          name,
          start + CAPTURED_AT,
          "the captured length is " + captured + "; it must be at most " + MAX_FRAME_BYTES);
    }
    if (captured > originalLength) {
      throw new PcapFormatException(
          name,
          start + CAPTURED_AT,
          "the captured length is %s; it must be at most the original length, %s"
              .formatted(captured, originalLength));
    }
    length = (int) captured;
    if (bytes.length < length) {
      bytes = new byte[Math.max(length, 2 * bytes.length)];
    }
    read = fill(bytes, length);
    if (read < length) {
      throw new PcapFormatException(
          name,
          start + RECORD_HEADER_BYTES,
          "the file ends " + read + " bytes into a frame of " + length);
    }
    nanos = seconds * NANOS_PER_SECOND + fraction * resolution.nanosPerUnit();
    return true;
  }

  /** When the frame was captured, nanoseconds since 1970-01-01T00:00Z. */
  public long nanos() {
    return nanos;
  }

  /** Buffer that holds the frame from index 0 on; valid until {@link #next} is called. */
  public byte[] bytes() {
    return bytes;
  }

  /** Bytes of the frame that are in the capture. */
  public int length() {
    return length;
  }

  /** Bytes that the frame had on the line; more than {@link #length} if the capture cut it. */
  public long originalLength() {
    return originalLength;
  }

  /** The bytes read ahead from the file, which {@link #following} refers to. */
  byte[] buffered() {
    return buffer;
  }

  /**
   * Finds the frames after the current one that have already been read ahead; {@link #next} checks
   * them later.
   *
   * @param offsets gets where each begins in {@link #buffered}
   * @param lengths gets the length of each
   * @return number of frames, at most the arrays' length
   */
  int following(int[] offsets, int[] lengths) {
    int at = bufferAt;
    for (int count = 0; count < offsets.length; count++) {
      int from = at + RECORD_HEADER_BYTES;
      int captured = from <= bufferEnd ? buffered.getInt(at + CAPTURED_AT) : -1;
      if (captured < 0 || captured > bufferEnd - from) {
        return count;
      }
      offsets[count] = from;
      lengths[count] = captured;
      at = from + captured;
    }
    return offsets.length;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  private void readFileHeader() throws IOException {
    int read = fill(header.array(), FILE_HEADER_BYTES);
    if (read >= Integer.BYTES && header.getInt(0) == PCAPNG_MAGIC) {
      throw new PcapFormatException(
          name, 0, "this is a pcapng file; it must be classic pcap (editcap -F pcap converts)");
    }
    if (read < FILE_HEADER_BYTES) {
      throw new PcapFormatException(
          name,
          0,
          "the file ends " + read + " bytes into its header, which has " + FILE_HEADER_BYTES);
    }
    resolution = resolutionOfFirstWord();
    if (resolution == null) {
      throw new PcapFormatException(
          name,
          0,
          String.format(
              "the file begins with 0x%08x; a pcap file begins with 0xa1b2c3d4 or 0xa1b23c4d, in"
                  + " either byte order",
              header.order(ByteOrder.BIG_ENDIAN).getInt(0)));
    }
    buffered.order(header.order());
    int major = Short.toUnsignedInt(header.getShort(4));
    int minor = Short.toUnsignedInt(header.getShort(6));
    if (major != VERSION_MAJOR || minor != VERSION_MINOR) {
      throw new PcapFormatException(
          name, 4, "the version is " + major + "." + minor + "; it must be 2.4");
    }
    snaplen = Integer.toUnsignedLong(header.getInt(16));
    long linkType = Integer.toUnsignedLong(header.getInt(20));
    if (linkType != LINK_TYPE_ETHERNET) {
      throw new PcapFormatException(
          name, 20, "the link type is " + linkType + "; it must be 1, Ethernet");
    }
  }

  /** Finds byte order and resolution from the first word; null if it is no capture's. */
  private PcapResolution resolutionOfFirstWord() {
    for (ByteOrder order : new ByteOrder[] {ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN}) {
      int word = header.order(order).getInt(0);
      for (PcapResolution candidate : PcapResolution.values()) {
        if (candidate.magic() == word) {
          return candidate;
        }
      }
    }
    return null;
  }

  /** Reads so many bytes, fewer only at the end of the file. */
  private int fill(byte[] target, int count) throws IOException {
    int read = 0;
    while (read < count) {
      if (bufferAt == bufferEnd) {
        bufferAt = 0;
        bufferEnd = Math.max(0, in.read(buffer, 0, BUFFER_BYTES));
        if (bufferEnd == 0) {
          break;
        }
      }
      int part = Math.min(count - read, bufferEnd - bufferAt);
      System.arraycopy(buffer, bufferAt, target, read, part);
      bufferAt += part;
      read += part;
    }
    offset += read;
    return read;
  }
}
