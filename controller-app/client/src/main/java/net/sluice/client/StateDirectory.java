package net.sluice.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import net.sluice.cli.OptionException;

/**
 * Where declarations are kept: always an absolute name, so that a controller finds them again
 * wherever it is started from.
 */
public final class StateDirectory {
  private static final String ALLOWED = "the name of a directory";

  private StateDirectory() {}

  /**
   * The directory that is asked for; else the service's, as systemd makes it ({@code
   * STATE_DIRECTORY}, systemd.exec(5)); else that of the user's state (XDG Base Directory
   * Specification).
   *
   * @param asked value of {@code --data}; null if it was not given
   * @param environment the process's environment
   * @param home the user's home directory
   */
  public static Path of(String asked, Map<String, String> environment, String home) {
    if (asked != null) {
      return path(asked, ALLOWED).toAbsolutePath().normalize();
    }
    String service = environment.getOrDefault("STATE_DIRECTORY", "");
    if (!service.isEmpty()) {
      // Of several, the first is the service's own.
      return absolute(service.split(":", 2)[0], "STATE_DIRECTORY");
    }
    String user = environment.getOrDefault("XDG_STATE_HOME", "");
    // The specification has relative names ignored.
    if (user.startsWith("/")) {
      return absolute(user, "XDG_STATE_HOME").resolve("sluice");
    }
    return absolute(home == null ? "" : home, "The home directory")
        .resolve(Path.of(".local", "state", "sluice"));
  }

  private static Path absolute(String text, String source) {
    Path path = path(text, ALLOWED + "; " + source + " names none: '" + text + "'");
    if (!path.isAbsolute()) {
      throw new OptionException(
          "--data", "", ALLOWED + "; " + source + " names none: '" + text + "'");
    }
    return path.normalize();
  }

  private static Path path(String text, String allowed) {
    try {
      if (!text.isBlank()) {
        return Path.of(text);
      }
    } catch (InvalidPathException e) {
      // Said below.
    }
    throw new OptionException("--data", text, allowed);
  }

  /**
   * The reason why a directory cannot be made or written; empty if it can. It is made for a moment,
   * as far as it is not there: permissions alone do not say.
   */
  public static Optional<String> obstacle(Path directory) {
    Deque<Path> missing = new ArrayDeque<>();
    for (Path at = directory; at != null && !Files.exists(at); at = at.getParent()) {
      missing.push(at);
    }
    Deque<Path> made = new ArrayDeque<>();
    try {
      for (Path each : missing) {
        made.push(Files.createDirectory(each));
      }
      made.push(Files.createTempFile(directory, ".check", null));
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of("--data " + directory + " cannot be made or written: " + e);
    } finally {
      made.forEach(each -> each.toFile().delete());
    }
  }
}
