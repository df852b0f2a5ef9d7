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
final class SyncedWrites {
  /** About the record of a subscriber with the batch around it. */
  private static final int BYTES = 100;

  private SyncedWrites() {}

  /** The time that 99 % of so many writes to a new file in that directory took at most, in ms. */
  static double p99Millis(Path directory, int writes) throws IOException {
    Path path = Files.createTempFile(directory, "synced", "");
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.allocateDirect(BYTES);
      Histogram nanos = new Histogram(3);
      for (int i = 0; i < writes; i++) {
        long start = System.nanoTime();
        bytes.clear();
        while (bytes.hasRemaining()) {
          file.write(bytes);
        }
        file.force(false);
        nanos.recordValue(System.nanoTime() - start);
      }
      return nanos.getValueAtPercentile(99) / 1e6;
    } finally {
      Files.delete(path);
    }
  }
}
