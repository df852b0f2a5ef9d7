package net.sluice.northbound.usage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SubjectsTest {
  private static final int DAY = 20_454;
  private static final int KEPT = 396;
  private static final int MANY = 5_000;

  @TempDir private Path directory;

  private Subjects open() throws IOException {
    return new Subjects(directory.resolve("names"), KEPT);
  }

  @Test
  void eachHasTheSameSlotAfterARestart() throws IOException {
    try (Subjects subjects = open()) {
      for (int i = 0; i < MANY; i++) {
        assertThat(subjects.findOrAdd("s/subscriber" + i, DAY)).isEqualTo(i);
      }
    }
    Files.write(directory.resolve("names"), new byte[50], StandardOpenOption.APPEND);
    try (Subjects subjects = open()) {
      for (int i = 0; i < MANY; i++) {
        assertThat(subjects.find("s/subscriber" + i)).isEqualTo(i);
        assertThat(subjects.findOrAdd("s/subscriber" + i, DAY)).isEqualTo(i);
      }
      assertThat(subjects.find("s/other")).isNegative();
      assertThat(subjects.findOrAdd("s/other", DAY)).isEqualTo(MANY);
      assertThat(subjects.name(MANY)).isEqualTo("s/other");
      assertThat(subjects.name(7)).isEqualTo("s/subscriber7");
    }
  }

  @Test
  void aSlotIsGivenToAnotherWhenNothingIsKeptOfItAnyMore() throws IOException {
    try (Subjects subjects = open()) {
      for (int i = 0; i < MANY; i++) {
        assertThat(subjects.findOrAdd("s/" + i, DAY)).isEqualTo(i);
      }
      BitSet seen = new BitSet();
      seen.set(0, MANY - 2);
      subjects.seen(seen, DAY + 10);
      assertThat(subjects.findOrAdd("s/a", DAY + KEPT)).isEqualTo(MANY);
      assertThat(subjects.findOrAdd("s/b", DAY + KEPT + 1)).isEqualTo(MANY - 2);
      assertThat(subjects.findOrAdd("s/c", DAY + KEPT + 1)).isEqualTo(MANY - 1);
      assertThat(subjects.findOrAdd("s/d", DAY + KEPT + 1)).isEqualTo(MANY + 1);
      assertThat(subjects.find("s/" + (MANY - 1))).isNegative();
      assertThat(subjects.find("s/b")).isEqualTo(MANY - 2);
      assertThat(subjects.find("s/17")).isEqualTo(17);
    }
    try (Subjects subjects = open()) {
      assertThat(subjects.find("s/c")).isEqualTo(MANY - 1);
    }
  }
}
