package net.sluice.intents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The module is pure: it imports collections, functions and times as values, and no clock,
 * randomness or I/O.
 */
class PurityTest {
  private static final Pattern IMPORT = Pattern.compile("^import (?:static )?([\\w.]+);");
  private static final Pattern ALLOWED =
      Pattern.compile(
          "net\\.sluice\\.intents\\..*|java\\.util\\.(?:function\\.|stream\\.)?[A-Z]\\w*"
              + "|java\\.lang\\.annotation\\.[A-Z]\\w*"
              + "|java\\.util\\.zip\\.CRC32|java\\.nio\\.charset\\.StandardCharsets"
              + "|java\\.time\\.(?:DayOfWeek|Instant|LocalDate|LocalTime|ZoneId|ZonedDateTime"
              + "|temporal\\.ChronoUnit)");
  private static final Pattern IMPURE =
      Pattern.compile(
          "\\bSystem\\.|\\bThread\\b|\\bMath\\.random|\\bRandom\\b|\\bTimer\\b|\\bScanner\\b"
              + "|\\bUUID\\b|\\.now\\(|\\bsystemDefault\\b|\\bjava\\.(?:io|net|nio|time)\\.");

  @Test
  void sourcesImportNothingImpure() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
      List<Path> sources = files.filter(f -> f.toString().endsWith(".java")).toList();
      assertThat(sources).hasSizeGreaterThan(30);
      for (Path source : sources) {
        List<String> lines = Files.readAllLines(source);
        assertThat(lines).as("%s has one subject", source).hasSizeLessThanOrEqualTo(600);
        for (String line : lines) {
          var imported = IMPORT.matcher(line);
          if (imported.find()) {
            assertThat(imported.group(1)).as(source.toString()).matches(ALLOWED);
          } else if (!line.strip().startsWith("*") && !line.strip().startsWith("/")) {
            assertThat(IMPURE.matcher(line).find()).as("%s: %s", source, line).isFalse();
          }
        }
      }
    }
  }
}
