package net.sluice.standalone.files;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A file that is written at its end. It is no channel: an interrupt of one thread closes a channel
 * for all. One thread at a time writes; any may sync meanwhile.
 */
public interface AppendedFile extends Closeable {
  /** Opens files. */
  @FunctionalInterface
  interface Opening {
    /** The file of that name, which is made, for its owner only, if there is none. */
    AppendedFile open(Path file) throws IOException;
  }

  /** As {@link Opening#open}, on the file system. */
  static AppendedFile open(Path file) throws IOException {
    if (!Files.exists(file)) {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
    return new OnDisk(new RandomAccessFile(file.toFile(), "rw"));
  }

  /** Its bytes. */
  long size();

  /** Adds bytes. If that fails the file is as long as before, or {@link #cut} makes it so. */
  void append(byte[] bytes) throws IOException;

  /** Cuts it off after so many bytes. */
  void cut(long bytes) throws IOException;

  /** Returns when all that was added before outlives the machine's death. */
  void sync() throws IOException;

  /** A file of the file system. */
  final class OnDisk implements AppendedFile {
    private final RandomAccessFile file;
    private volatile long size;

    private OnDisk(RandomAccessFile file) throws IOException {
      this.file = file;
      size = file.length();
    }

    @Override
    public long size() {
      return size;
    }

    @Override
    public void append(byte[] bytes) throws IOException {
      try {
        file.seek(size);
        file.write(bytes);
      } catch (IOException e) {
        try {
          file.setLength(size);
        } catch (IOException left) {
          e.addSuppressed(left);
        }
        throw e;
      }
      size += bytes.length;
    }

    @Override
    public void cut(long bytes) throws IOException {
      file.setLength(bytes);
      size = bytes;
    }

    @Override
    public void sync() throws IOException {
      file.getFD().sync();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
