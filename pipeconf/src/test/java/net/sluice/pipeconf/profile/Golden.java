package net.sluice.pipeconf.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Compares text with a file; with {@code -Dgolden.update=true} the files are written instead. */
final class Golden {
  private static final Path FOLDER = Path.of("src/test/resources/net/sluice/pipeconf/profile");

  private Golden() {}

  static void assertMatches(String name, String actual) {
    Path file = FOLDER.resolve(name);
    try {
      if (Boolean.getBoolean("golden.update")) {
        Files.createDirectories(FOLDER);
        Files.writeString(file, actual);
      }
      assertThat(actual).as("golden file %s", name).isEqualTo(Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
