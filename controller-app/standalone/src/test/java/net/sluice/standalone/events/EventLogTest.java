package net.sluice.standalone.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import net.sluice.standalone.files.AppendedFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The log of events on files that fail, read by threads that are interrupted. */
@Timeout(60)
final class EventLogTest {
  @TempDir Path directory;

  private final AtomicInteger open = new AtomicInteger();
  private final AtomicBoolean isFull = new AtomicBoolean();

  /** A file on a disk that may be full. */
  private final class Counted implements AppendedFile {
    private final AppendedFile file;

    Counted(AppendedFile file) {
      this.file = file;
      open.incrementAndGet();
    }

    @Override
    public long size() {
      return file.size();
    }

    @Override
    public void append(byte[] bytes) throws IOException {
      if (isFull.get()) {
        throw new IOException("No space left on device");
      }
      file.append(bytes);
    }

    @Override
    public void cut(long bytes) throws IOException {
      file.cut(bytes);
    }

    @Override
    public void sync() throws IOException {
      file.sync();
    }

    @Override
    public void close() throws IOException {
      open.decrementAndGet();
      file.close();
    }
  }

  private EventLog log() throws IOException {
    return EventLog.open(
        directory.resolve("events"),
        100,
        1 << 20,
        Clock.systemUTC(),
        file -> new Counted(AppendedFile.open(file)));
  }

  private static boolean append(EventLog log) {
    return log.append(1, json -> json.writeStringField("text", "x".repeat(120)));
  }

  @Test
  void noFileIsLeftOpenWhileTheNextOneCannotBeBegun() throws Exception {
    try (EventLog log = log()) {
      assertThat(append(log)).isTrue();
      isFull.set(true);
      for (int i = 0; i < 100; i++) {
        assertThat(append(log)).isFalse();
      }
      assertThat(open.get()).isEqualTo(1);
      isFull.set(false);
      assertThat(append(log)).isTrue();
      assertThat(log.takeLost()).isEqualTo(100);
      assertThat(open.get()).isEqualTo(1);
      EventLog.Position second = new EventLog.Position(log.last(), 0);
      assertThat(log.read(second).lines()).hasSize(1);
    }
    assertThat(open.get()).isZero();
  }

  /** An interrupt closes a channel for all that have it. */
  @Test
  void aReaderThatIsInterruptedHarmsNeitherTheWriterNorOthers() throws Exception {
    try (EventLog log = log()) {
      assertThat(append(log)).isTrue();
      Thread.currentThread().interrupt();
      try {
        assertThat(log.read(log.before(log.first())).lines()).hasSize(1);
        assertThat(append(log)).isTrue();
      } finally {
        assertThat(Thread.interrupted()).isTrue();
      }
      assertThat(append(log)).isTrue();
      assertThat(log.read(log.before(log.first())).lines()).hasSize(1);
      assertThat(log.last()).isEqualTo(3);
    }
  }
}
