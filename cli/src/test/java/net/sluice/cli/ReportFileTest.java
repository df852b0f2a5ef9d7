package net.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportFileTest {
  @TempDir Path folder;

  private record Count(int count) {}

  @Test
  void theFileIsReplacedUntilTheEndAndThenHasTheFinalFigures() throws Exception {
    Path file = folder.resolve("report.json");
    AtomicInteger asked = new AtomicInteger();
    CountDownLatch third = new CountDownLatch(3);
    try (ReportFile report =
        ReportFile.start(
            file,
            () -> {
              third.countDown();
              return new Count(asked.incrementAndGet());
            })) {
      assertThat(report).isNotNull();
      third.await();
      // The second had been written before the third was asked for.
      Count read = new ObjectMapper().readValue(Files.readString(file), Count.class);
      assertThat(read.count()).isGreaterThanOrEqualTo(2);
      asked.set(1_000);
    }
    assertThat(new ObjectMapper().readValue(Files.readString(file), Count.class).count())
        .isGreaterThan(1_000);
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void aFileThatCannotBeWrittenIsToldAtTheEnd() {
    ReportFile nowhere = ReportFile.start(folder.resolve("none/report.json"), () -> new Count(1));
    assertThatThrownBy(nowhere::close)
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageStartingWith("cannot write " + folder.resolve("none/report.json"));
  }
}
