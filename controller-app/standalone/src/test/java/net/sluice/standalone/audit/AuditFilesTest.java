package net.sluice.standalone.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
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
    return told(0);
  }

  private String told(long since) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    tell(since, bytes);
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private void tell(long since, OutputStream out) throws IOException {
    try (JsonGenerator json = JsonAnswer.generator(out)) {
      log.write(json, since, 1000);
    }
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

  /** A character of two halves at each place, also where a line is cut in memory. */
  @Test
  void aPageOfLongLinesEndsEarlyAndTheNextGoesOn() throws Exception {
    List<String> long3Mib = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      long3Mib.add("x".repeat(i) + "\uD83D\uDE00".repeat(3 << 19));
      String text = '"' + long3Mib.get(i) + '"';
      log.asked(
              json -> {
                json.writeFieldName("who");
                // As it is, where writing a string would escape each half.
                json.writeRawValue(text);
              })
          .awaitDurable();
    }
    List<String> found = new ArrayList<>();
    List<Integer> lines = new ArrayList<>();
    for (long since = 0; since < 5; since = found.size()) {
      JsonNode page = new ObjectMapper().readTree(told(since));
      assertThat(page.get("last").asInt()).isEqualTo(5);
      page.get("items").forEach(item -> found.add(item.get("who").asText()));
      lines.add(page.get("items").size());
    }
    assertThat(lines).containsExactly(2, 2, 1);
    assertThat(found).isEqualTo(long3Mib);
  }

  @Test
  void noLineIsInMemoryAsItIsTold() throws Exception {
    for (int i = 0; i < 3; i++) {
      log.asked(line("x".repeat(3 << 20))).awaitDurable();
    }
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    tell(0, OutputStream.nullOutputStream());
    long before = threads.getThreadAllocatedBytes(thread);
    tell(0, OutputStream.nullOutputStream());
    assertThat(threads.getThreadAllocatedBytes(thread) - before).isLessThan(1 << 20);
  }
}
