package net.sluice.it.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import net.sluice.emulator.v1model.LoadedProgram;
import net.sluice.emulator.v1model.program.ProgramException;
import net.sluice.testing.Prerequisite;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The programs in bmv2's own repository, of which many are what its first compilers wrote: each is
 * loaded, or refused by name as {@code corpus/bmv2-refused.txt} says. Where a checkout is is in the
 * environment variable {@value #VARIABLE} or the system property {@value #PROPERTY}.
 */
@Tag("long")
class Bmv2ProgramsTest {

  private static final String VARIABLE = "SLUICE_BMV2_SOURCES";
  private static final String PROPERTY = "sluice.bmv2Sources";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @Test
  void everyProgramLoads() throws IOException {
    String given = System.getProperty(PROPERTY, System.getenv(VARIABLE));
    if (given == null || given.isBlank()) {
      Prerequisite.BMV2_SOURCES.skip(
          VARIABLE + " does not name a checkout of bmv2: its programs are not loaded");
    }
    Path checkout = Path.of(given);
    List<Path> files;
    try (Stream<Path> all = Files.walk(checkout)) {
      files = all.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    }
    Map<String, String> refused = new TreeMap<>();
    int loaded = 0;
    for (Path file : files) {
      byte[] json = Files.readAllBytes(file);
      if (!isProgram(json)) {
        continue;
      }
      try {
        LoadedProgram.load(json, 1);
        loaded++;
      } catch (ProgramException e) {
        refused.put(checkout.relativize(file).toString(), e.getMessage());
      }
    }
    System.out.println("bmv2's programs: " + loaded + " loaded, " + refused.size() + " refused");
    assertThat(refused).isEqualTo(CorpusTest.expected("bmv2-refused"));
    assertThat(loaded).isGreaterThan(30);
  }

  private static boolean isProgram(byte[] json) throws IOException {
    JsonNode root = MAPPER.readTree(json);
    return root.has("parsers") && root.has("pipelines");
  }
}
