package net.sluice.standalone.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import net.sluice.core.UnavailableException;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.guard.AuditLog;
import net.sluice.standalone.files.AppendedFile;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log of changes on files that fail. */
final class AuditFilesTest {
  @TempDir Path directory;

  private final AtomicBoolean isSyncFailing = new AtomicBoolean();
  private final AtomicBoolean isFull = new AtomicBoolean();
  private AuditFiles log;

  /** A file whose disk fails when it is told to. */
  private final class Failing implements AppendedFile {
    private final AppendedFile file;

    Failing(AppendedFile file) {
      this.file = file;
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
      if (isSyncFailing.getAndSet(false)) {
        throw new IOException("Input/output error");
      }
      file.sync();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  @BeforeEach
  void open() throws Exception {
    log =
        AuditFiles.open(
            directory.resolve("audit"),
            1 << 20,
            10,
            Clock.systemUTC(),
            (json, asked) -> json.writeNull(),
            file -> new Failing(AppendedFile.open(file)));
  }

  @AfterEach
  void close() {
    log.close();
  }

  private static JsonAnswer.Content line(String who) {
    return json -> json.writeStringField("who", who);
  }

  private String told() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = JsonAnswer.generator(bytes)) {
      log.write(json, 0, 1000);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private void awaitLack() {
    Patience.await("a lack", () -> log.lack().isPresent());
  }

  /** The line that a failed sync has lost is asked about only when others are durable. */
  @Test
  void aLineThatWasLostIsNeverDurableWhateverIsSyncedAfterwards() {
    isSyncFailing.set(true);
    AuditLog.Entry lost = log.asked(line("a"));
    awaitLack();
    AuditLog.Entry next = log.asked(line("b"));
    next.awaitDurable();
    assertThat(log.lack()).isEmpty();
    assertThatThrownBy(lost::awaitDurable)
        .isInstanceOf(UnavailableException.class)
        .hasMessage("the audit log cannot be written, and nothing is changed without it");
  }

  @Test
  void aDiskThatIsFullIsToldUntilItIsNotWithoutAnybodyAsking() throws Exception {
    log.asked(line("a")).awaitDurable();
    isFull.set(true);
    assertThatThrownBy(() -> log.asked(line("b"))).isInstanceOf(UnavailableException.class);
    assertThat(log.lack().orElseThrow().reason())
        .contains("cannot be written since ")
        .endsWith(": No space left on device");
    isFull.set(false);
    Patience.await("no lack", () -> log.lack().isEmpty());
    log.asked(line("c")).awaitDurable();
    assertThat(told()).contains("\"last\":2").contains("\"who\":\"c\"").doesNotContain("\"b\"");
  }

  /** An interrupt closes a channel for all that have it. */
  @Test
  void aThreadThatIsInterruptedHarmsNoOther() throws Exception {
    CountDownLatch done = new CountDownLatch(1);
    Thread interrupted =
        new Thread(
            () -> {
              Thread.currentThread().interrupt();
              log.asked(line("a")).awaitDurable();
              done.countDown();
            });
    interrupted.start();
    done.await();
    interrupted.join();
    log.asked(line("b")).awaitDurable();
    assertThat(told()).contains("\"last\":2");
  }
}
