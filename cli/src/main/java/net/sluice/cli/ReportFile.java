package net.sluice.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A report of something that goes on, as a file that is replaced every {@value #PERIOD_MILLIS} ms
 * until this is closed, and with the final figures then. Whoever reads it sees a whole report.
 */
public final class ReportFile implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReportFile.class);
  private static final long PERIOD_MILLIS = 250;

  private final Path file;
  private final Path next;
  private final Supplier<?> report;
  private final ScheduledExecutorService writer;
  private boolean failed;

  private ReportFile(Path file, Supplier<?> report) {
    this.file = file;
    this.next = file.resolveSibling(file.getFileName() + ".next");
    this.report = report;
    writer =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "sluice-report");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Begins to write.
   *
   * @param report takes the figures, on a thread of its own
   */
  public static ReportFile start(Path file, Supplier<?> report) {
    ReportFile started = new ReportFile(file, report);
    started.writer.scheduleWithFixedDelay(started::write, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    return started;
  }

  /** Says once that it fails, and goes on trying: what is reported on must not end for it. */
  private void write() {
    try {
      // Not a regular file, such as /dev/stdout: nothing to replace.
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        return;
      }
      Files.writeString(next, Json.write(report.get()), StandardCharsets.UTF_8);
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      failed = false;
    } catch (IOException e) {
      if (!failed) {
        LOG.warn("cannot write {}: {}", file, e.toString());
      }
      failed = true;
    }
  }

  /**
   * Writes the final figures.
   *
   * @throws java.io.UncheckedIOException if that fails
   */
  @Override
  public void close() {
    writer.shutdown();
    try {
      // A write under way is one of a few kilobytes.
      writer.awaitTermination(1, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Json.write(report.get(), file);
  }
}
