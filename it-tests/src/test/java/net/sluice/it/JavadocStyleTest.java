package net.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The form of Javadoc that docs/contributing.md asks for, in the product's sources. */
final class JavadocStyleTest {
  /** Javadoc begins with a noun phrase or a verb, never with a clause. */
  private static final Pattern CLAUSE =
      Pattern.compile("/\\*\\*\\s*(?:\\*\\s*)?((?:What|Who|Whoever|Whatever) [^.]*)");

  private static Map<String, List<String>> clauses() throws IOException {
    Map<String, List<String>> found = new TreeMap<>();
    for (Path module : modules()) {
      List<String> places = new ArrayList<>();
      try (Stream<Path> files = Files.walk(module.resolve("src/main/java"))) {
        for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
          Matcher clause = CLAUSE.matcher(Files.readString(file));
          while (clause.find()) {
            places.add(file.getFileName() + ": " + clause.group(1).replaceAll("\\s+", " "));
          }
        }
      }
      found.put(RepositoryModules.ROOT.relativize(module).toString(), places);
    }
    return found;
  }

  private static List<Path> modules() throws IOException {
    return RepositoryModules.all().stream()
        .filter(each -> Files.isDirectory(each.resolve("src/main/java")))
        .toList();
  }

  @Test
  void javadocBeginsWithANounPhraseOrAVerb() throws IOException {
    Map<String, List<String>> found = clauses();
    assertThat(found).containsKeys("lab", "emulator/server", "controller-app/core");
    found.forEach((module, places) -> assertThat(places).as(module).isEmpty());
  }
}
