package net.sluice.northbound.usage;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;
import java.util.zip.DataFormatException;

/**
 * The rates of all slots over one time: a head with where each {@link Block} begins and its
 * checksum, then the blocks. A file is there whole or not at all.
 */
final class UsageFile implements AutoCloseable {
  private static final int MAGIC = 0x534C5532;

  /** Magic, number of blocks, checksum of the rest of the head. */
  private static final int FIXED = 3 * Integer.BYTES;

  private static final int ENTRY = 2 * Integer.BYTES;
  private static final int BUFFER = 1 << 18;

  private final FileChannel file;
  private final ByteBuffer head;
  private final int blocks;
  private byte[] bytes = new byte[0];

  /** Fills a block that is clear. */
  @FunctionalInterface
  interface Source {
    /** The block of that number, of slots {@code number * Block.SLOTS} and on. */
    void fill(int number, Block block) throws IOException;
  }

  private UsageFile(FileChannel file, ByteBuffer head, int blocks) {
    this.file = file;
    this.head = head;
    this.blocks = blocks;
  }

  /**
   * Writes a file.
   *
   * @param temporary is made beside it first
   * @param blocks number of them
   * @param block is used for all of them
   * @return its bytes
   */
  static long write(Path path, Path temporary, int blocks, Block block, Source source)
      throws IOException {
    ByteBuffer head = ByteBuffer.allocate(FIXED + blocks * ENTRY + Integer.BYTES);
    ByteBuffer data = ByteBuffer.allocate(BUFFER + Block.mostBytes());
    long size;
    try (FileChannel file =
        FileChannel.open(
            temporary,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      file.position(head.capacity());
      head.position(FIXED);
      CRC32C checksum = new CRC32C();
      long begin = head.capacity();
      for (int i = 0; i < blocks; i++) {
        block.clear();
        source.fill(i, block);
        int from = data.position();
        block.write(data);
        checksum.reset();
        checksum.update(data.array(), from, data.position() - from);
        head.putInt(Math.toIntExact(begin)).putInt((int) checksum.getValue());
        begin += data.position() - from;
        if (data.position() >= BUFFER) {
          flush(file, data);
        }
      }
      flush(file, data);
      head.putInt(Math.toIntExact(begin));
      checksum.reset();
      checksum.update(head.array(), FIXED, head.capacity() - FIXED);
      head.putInt(0, MAGIC).putInt(4, blocks).putInt(8, (int) checksum.getValue());
      head.rewind();
      while (head.hasRemaining()) {
        file.write(head, head.position());
      }
      size = begin;
    }
    Files.move(
        temporary, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    return size;
  }

  private static void flush(FileChannel file, ByteBuffer data) throws IOException {
    data.flip();
    while (data.hasRemaining()) {
      file.write(data);
    }
    data.clear();
  }

  /**
   * Opens a file.
   *
   * @throws DataFormatException if it is none, or damaged
   */
  static UsageFile open(Path path) throws IOException, DataFormatException {
    FileChannel file = FileChannel.open(path, StandardOpenOption.READ);
    try {
      ByteBuffer fixed = ByteBuffer.allocate(FIXED);
      read(file, fixed, 0);
      int blocks = fixed.getInt(4);
      if (fixed.getInt(0) != MAGIC
          || blocks < 0
          || FIXED + (long) blocks * ENTRY + Integer.BYTES > file.size()) {
        throw new DataFormatException("it does not begin as it should");
      }
      return new UsageFile(file, fixed, blocks);
    } catch (EOFException e) {
      file.close();
      throw new DataFormatException("it is too short");
    } catch (IOException | DataFormatException e) {
      file.close();
      throw e;
    }
  }

  private static void read(FileChannel file, ByteBuffer to, long at) throws IOException {
    long from = at;
    while (to.hasRemaining()) {
      int read = file.read(to, from);
      if (read < 0) {
        throw new EOFException("the file ends at " + from);
      }
      from += read;
    }
  }

  /**
   * Reads the block of that number; one behind the last has nothing that is known.
   *
   * @throws DataFormatException if it is damaged
   */
  void read(int number, Block to) throws IOException, DataFormatException {
    if (number >= blocks) {
      to.clear();
      return;
    }
    // Where it begins, its checksum, and where the next one begins.
    ByteBuffer entry = head.clear();
    long end;
    long begin;
    int wanted;
    try {
      read(file, entry, FIXED + (long) number * ENTRY);
      begin = entry.getInt(0);
      wanted = entry.getInt(4);
      end = entry.getInt(8);
      if (begin < 0 || end < begin || end - begin > Block.mostBytes()) {
        throw new DataFormatException("block " + number + " is nowhere");
      }
      int length = (int) (end - begin);
      if (bytes.length < length) {
        bytes = new byte[Block.mostBytes()];
      }
      read(file, ByteBuffer.wrap(bytes, 0, length), begin);
      CRC32C checksum = new CRC32C();
      checksum.update(bytes, 0, length);
      if ((int) checksum.getValue() != wanted) {
        throw new DataFormatException("block " + number + " has another checksum");
      }
      to.read(bytes, 0, length);
    } catch (EOFException e) {
      throw new DataFormatException("it is too short");
    }
  }

  /** Number of blocks. */
  int blocks() {
    return blocks;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
