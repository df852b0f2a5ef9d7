package net.sluice.emulator.server.p4runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The compliance table in {@code docs/emulator-p4runtime.md}: every row has a test that exists, or
 * says no.
 */
class ComplianceTableTest {

  private static final Pattern PROOF = Pattern.compile("`([A-Z][A-Za-z0-9]*Test)#([A-Za-z0-9]+)`");

  /** Source of every test class of the emulator's modules, by name. */
  private static Map<String, String> tests() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of(".."))) {
      return files
          .filter(f -> f.toString().contains("/src/test/") && f.toString().endsWith("Test.java"))
          .collect(
              Collectors.toMap(
                  f -> f.getFileName().toString().replace(".java", ""),
                  f -> {
                    try {
                      return Files.readString(f, StandardCharsets.UTF_8);
                    } catch (IOException e) {
                      throw new UncheckedIOException(e);
                    }
                  },
                  (a, b) -> a + b,
                  HashMap::new));
    }
  }

  @Test
  void everyRowHasATestThatExistsOrSaysThatItIsNotDone() throws Exception {
    Map<String, String> tests = tests();
    List<String> wrong = new ArrayList<>();
    int proofs = 0;
    for (String line :
        Files.readAllLines(
            Path.of("..", "..", "docs", "emulator-p4runtime.md"), StandardCharsets.UTF_8)) {
      if (!line.startsWith("| ") || line.startsWith("| Requirement")) {
        continue;
      }
      String cell = line.substring(line.lastIndexOf("| ", line.length() - 2) + 2);
      Matcher proof = PROOF.matcher(cell);
      boolean proven = false;
      while (proof.find()) {
        proven = true;
        proofs++;
        String source = tests.getOrDefault(proof.group(1), "");
        if (!source.contains("void " + proof.group(2) + "(")) {
          wrong.add("no test " + proof.group());
        }
      }
      if (!proven && !cell.startsWith("not done")) {
        wrong.add("neither test nor 'not done': " + line);
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(proofs).isGreaterThan(50);
  }
}
