package net.sluice.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Compares text with a file under {@code src/test/resources/golden}. With {@code
 * -Dgolden.update=true} the file is written instead, to be read before it is committed.
 */
public final class Golden {
  private static final Path FOLDER = Path.of("src", "test", "resources", "golden");

  /** Of the API, for the modules that run its tests on another host. */
  private static final Path API_FOLDER = Path.of("..", "rest").resolve(FOLDER);

  private Golden() {}

  /** Fails if {@code actual} is not what the file says. */
  public static void check(String file, String actual) throws IOException {
    Path path = FOLDER.resolve(file);
    if (Boolean.getBoolean("golden.update")) {
      Files.createDirectories(FOLDER);
      Files.writeString(path, actual, StandardCharsets.UTF_8);
    }
    if (!Files.exists(path)) {
      path = API_FOLDER.resolve(file);
    }
    assertThat(path).exists();
    assertThat(actual).isEqualTo(Files.readString(path, StandardCharsets.UTF_8));
  }
}
