package net.sluice.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Texts that users see, kept as files under {@code src/test/resources/golden}. With {@code
 * -Dgolden.update=true} a file is written instead, to be read before it is committed.
 */
public final class Golden {
  private static final Path FOLDER = Path.of("src", "test", "resources", "golden");

  private Golden() {}

  /**
   * Compares with a golden file of the running module or, where it has none of that name, of a
   * module whose tests it runs.
   */
  public static void check(String name, String actual) {
    try {
      if (Boolean.getBoolean("golden.update")) {
        Path folder = owner(name).resolve(FOLDER);
        Files.createDirectories(folder);
        Files.writeString(folder.resolve(name), actual);
        return;
      }
      try (var file = Golden.class.getResourceAsStream("/golden/" + name)) {
        assertThat(file).as("golden file %s; the text is:%n%s", name, actual).isNotNull();
        assertThat(actual)
            .as("golden file %s", name)
            .isEqualTo(new String(file.readAllBytes(), StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The module that has the file: the running one, or one whose tests it runs. */
  private static Path owner(String name) {
    URL file = Golden.class.getResource("/golden/" + name);
    if (file == null || !file.getProtocol().equals("file")) {
      return Path.of("");
    }
    String path = Path.of(URI.create(file.toString())).toString();
    return Path.of(path.substring(0, path.lastIndexOf("/target/")));
  }
}
