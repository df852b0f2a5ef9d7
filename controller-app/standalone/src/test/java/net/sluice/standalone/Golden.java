package net.sluice.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Texts for people, kept as files. With {@code -Dgolden.update=true} a file is written instead, to
 * be read before it is committed.
 */
public final class Golden {
  private Golden() {}

  /** Compares with {@code golden/name} of the test resources. */
  public static void check(String name, String actual) throws IOException {
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(Path.of("src", "test", "resources", "golden", name), actual);
      return;
    }
    String expected;
    try (var stream = Golden.class.getResourceAsStream("/golden/" + name)) {
      assertThat(stream).as("golden file %s; the texts are:%n%s", name, actual).isNotNull();
      expected = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
    assertThat(actual).isEqualTo(expected);
  }
}
