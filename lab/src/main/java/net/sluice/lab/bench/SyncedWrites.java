package net.sluice.lab.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.HdrHistogram.Histogram;

/**
 * The baseline of a change: appending as many bytes as the store logs for one, and syncing them, on
 * the same file system in the same seconds.
 */
final class SyncedWrites implements AutoCloseable {
  /** About the record of a subscriber with the batch around it. */
  private static final int BYTES = 100;

  private final Path path;
  private final FileChannel file;
  private final ByteBuffer bytes = ByteBuffer.allocateDirect(BYTES);
  private final Histogram nanos = new Histogram(3);

  /** Writes to a new file in that directory. */
  SyncedWrites(Path directory) throws IOException {
    path = Files.createTempFile(directory, "synced", "");
    file = FileChannel.open(path, StandardOpenOption.WRITE);
  }

  /** Makes one write and syncs it. */
  void write() throws IOException {
    long start = System.nanoTime();
    bytes.clear();
    while (bytes.hasRemaining()) {
      file.write(bytes);
    }
    file.force(false);
    nanos.recordValue(System.nanoTime() - start);
  }

  /** The time that 99 % of the writes took at most, in ms. */
  double p99Millis() {
    return nanos.getValueAtPercentile(99) / 1e6;
  }

  @Override
  public void close() throws IOException {
    file.close();
    Files.delete(path);
  }
}
