package net.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Packages and classes are of a size that one person keeps in mind, and names mean one thing. What
 * is still over is listed here; an entry that is not over any more has to leave its list, and none
 * joins it.
 */
final class RoomsTest {
  private static final int MAX_FILES = 25;
  private static final int MAX_LINES = 500;

  /** Folders with more than 25 files. */
  private static final Set<String> LARGE_PACKAGES =
      Set.of("it-tests/src/test/java/net/sluice/it/p4");

  /** The beginning of the paragraph of a class's Javadoc that says why it is long. */
  private static final Pattern REASON =
      Pattern.compile("<p>More than 500 lines,(?:\\s|\\*)+because ");

  /** Sources of all modules: their text, by their places in the repository. */
  private static Map<Path, String> sources(String folder) throws IOException {
    Map<Path, String> texts = new TreeMap<>();
    for (Path module : RepositoryModules.all()) {
      Path sources = module.resolve(folder);
      if (!Files.isDirectory(sources)) {
        continue;
      }
      try (Stream<Path> files = Files.walk(sources)) {
        for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
          texts.put(RepositoryModules.ROOT.relativize(file), Files.readString(file));
        }
      }
    }
    assertThat(texts).hasSizeGreaterThan(500);
    return texts;
  }

  private static String name(Path file) {
    return file.getFileName().toString().replace(".java", "");
  }

  @Test
  void noPackageHasMoreThanTwentyFiveFiles() throws IOException {
    Map<String, Long> sizes = new TreeMap<>();
    for (String folder : List.of("src/main/java", "src/test/java")) {
      sources(folder).keySet().stream()
          .filter(file -> !name(file).equals("package-info"))
          .forEach(file -> sizes.merge(file.getParent().toString(), 1L, Long::sum));
    }
    sizes.values().removeIf(size -> size <= MAX_FILES);
    assertThat(sizes.keySet()).as("%s", sizes).containsExactlyInAnyOrderElementsOf(LARGE_PACKAGES);
  }

  @Test
  void aClassOfMoreThanFiveHundredLinesSaysWhy() throws IOException {
    Set<String> found = new TreeSet<>();
    sources("src/main/java")
        .forEach(
            (file, text) -> {
              if (text.lines().count() > MAX_LINES && !REASON.matcher(text).find()) {
                found.add(name(file));
              }
            });
    assertThat(found).isEmpty();
  }

  @Test
  void aNameIsOfOneClass() throws IOException {
    Map<String, Set<Path>> modules = new TreeMap<>();
    for (Path file : sources("src/main/java").keySet()) {
      if (!name(file).endsWith("-info")) {
        modules.computeIfAbsent(name(file), name -> new TreeSet<>()).add(file.getParent());
      }
    }
    modules.values().removeIf(places -> places.size() == 1);
    assertThat(modules).isEmpty();
  }

  @Test
  void testsAreInPackagesOfTheirModule() throws IOException {
    Map<String, List<Path>> guests = new TreeMap<>();
    for (Path module : RepositoryModules.all()) {
      Path main = module.resolve("src/main/java");
      Path tests = module.resolve("src/test/java");
      if (!Files.isDirectory(main) || !Files.isDirectory(tests)) {
        continue;
      }
      Path home = main.relativize(home(main));
      for (Path file : files(tests)) {
        if (!tests.relativize(file).startsWith(home)) {
          guests
              .computeIfAbsent(
                  RepositoryModules.ROOT.relativize(module).toString(), each -> new ArrayList<>())
              .add(tests.relativize(file));
        }
      }
    }
    assertThat(guests).isEmpty();
  }

  /** The innermost folder with all of a module's classes in it. */
  private static Path home(Path sources) throws IOException {
    List<Path> folders = files(sources).stream().map(Path::getParent).toList();
    Path home = folders.get(0);
    for (Path folder : folders) {
      while (!folder.startsWith(home)) {
        home = home.getParent();
      }
    }
    return home;
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(each -> each.toString().endsWith(".java")).toList();
    }
  }
}
