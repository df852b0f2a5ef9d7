package net.sluice.rest.edge;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * Bytes that are first written and then read: a few in memory, more in a temporary file that nobody
 * else can find.
 */
final class Spool implements Closeable {
  /** Most bytes that are in memory, while they are written as while they are read. */
  static final int IN_MEMORY = 64 << 10;

  private static final int AT_FIRST = 4 << 10;

  private byte[] memory = new byte[AT_FIRST];
  private int used;
  private long written;
  private long read;
  private FileChannel file;
  private IOException failure;

  /** Adds bytes. */
  void write(byte[] bytes, int offset, int length) throws IOException {
    int from = offset;
    for (int left = length; left > 0; ) {
      if (used == memory.length) {
        makeRoom();
      }
      int count = Math.min(left, memory.length - used);
      System.arraycopy(bytes, from, memory, used, count);
      used += count;
      from += count;
      left -= count;
      written += count;
    }
  }

  private void makeRoom() throws IOException {
    if (memory.length < IN_MEMORY) {
      memory = Arrays.copyOf(memory, Math.min(2 * memory.length, IN_MEMORY));
    } else {
      toFile();
    }
  }

  private void toFile() throws IOException {
    try {
      if (file == null) {
        Path path = Files.createTempFile("sluice-answer", null);
        file =
            FileChannel.open(
                path,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE);
      }
      ByteBuffer bytes = ByteBuffer.wrap(memory, 0, used);
      while (bytes.hasRemaining()) {
        int unused = file.write(bytes);
      }
      used = 0;
    } catch (IOException e) {
      failure = e;
      throw e;
    }
  }

  /** Number of bytes. */
  long size() {
    return written;
  }

  /** Forgets all bytes. */
  void clear() throws IOException {
    close();
    file = null;
    failure = null;
    used = 0;
    written = 0;
  }

  /**
   * To be called once, when all is written.
   *
   * @throws IOException if a byte could not be kept, also if whoever wrote it was told then
   */
  void endWriting() throws IOException {
    if (failure != null) {
      throw failure;
    }
    if (file != null) {
      toFile();
    }
  }

  /**
   * The next bytes; what was returned before must not be in use any more.
   *
   * @return without any bytes after the last
   */
  ByteBuffer next() throws IOException {
    ByteBuffer bytes;
    if (file == null) {
      bytes = ByteBuffer.wrap(memory, (int) read, used - (int) read);
    } else {
      bytes = ByteBuffer.wrap(memory);
      int unused = file.read(bytes, read);
      bytes.flip();
    }
    read += bytes.remaining();
    return bytes;
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      file.close();
    }
  }
}
