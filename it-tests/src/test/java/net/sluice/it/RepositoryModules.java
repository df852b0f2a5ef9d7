package net.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The folders of the repository's modules, as Maven finds them. */
final class RepositoryModules {
  /** The repository's folder. */
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static final Pattern MODULE = Pattern.compile("<module>(.+)</module>");

  private RepositoryModules() {}

  /** All modules that the root's build has, each of which it has once. */
  static Set<Path> all() throws IOException {
    return below(ROOT);
  }

  /** All modules that a folder's build has. */
  static Set<Path> below(Path folder) throws IOException {
    Set<Path> found = new LinkedHashSet<>();
    Deque<Path> open = new ArrayDeque<>(Set.of(folder));
    while (!open.isEmpty()) {
      Path parent = open.remove();
      for (MatchResult module :
          MODULE.matcher(Files.readString(parent.resolve("pom.xml"))).results().toList()) {
        Path child = parent.resolve(module.group(1)).normalize();
        assertThat(found.add(child)).as("%s is built once", child).isTrue();
        open.add(child);
      }
    }
    return found;
  }
}
