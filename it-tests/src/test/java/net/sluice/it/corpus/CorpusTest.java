package net.sluice.it.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.sluice.emulator.ports.stf.StfException;
import net.sluice.emulator.ports.stf.StfRunner;
import net.sluice.emulator.v1model.LoadedProgram;
import net.sluice.emulator.v1model.program.ProgramException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every program that p4c compiles for v1model is loaded, or refused by name as the list {@code
 * corpus/refused.txt} says; every packet test beside one passes, or fails as {@code
 * corpus/failed.txt} says.
 */
@Tag("long")
class CorpusTest {

  @Test
  void everyProgramLoadsAndEveryPacketTestPasses() throws IOException {
    Corpus.assumeGiven();
    Map<String, String> refused = new TreeMap<>();
    Map<String, String> failed = new TreeMap<>();
    int loaded = 0;
    int tests = 0;
    List<Corpus.Compiled> programs = Corpus.compile();
    for (Corpus.Compiled program : programs) {
      LoadedProgram pipeline;
      try {
        pipeline = LoadedProgram.load(program.deviceConfig(), 1);
      } catch (ProgramException e) {
        refused.put(program.name(), e.getMessage());
        continue;
      }
      loaded++;
      if (program.test().isPresent()) {
        tests++;
        pipeline.pipeline().log().listener(message -> {});
        try {
          List<String> failures = StfRunner.run(pipeline, Files.readString(program.test().get()));
          if (!failures.isEmpty()) {
            failed.put(program.name(), String.join("; ", failures));
          }
        } catch (StfException e) {
          failed.put(program.name(), e.getMessage());
        }
      }
    }
    System.out.println(
        "p4c's programs: "
            + loaded
            + " loaded, "
            + refused.size()
            + " refused; packet tests: "
            + tests
            + " run, "
            + failed.size()
            + " failed");
    assertThat(failed).isEqualTo(expected("failed", programs));
    assertThat(refused).isEqualTo(expected("refused", programs));
    assertThat(loaded).isGreaterThan(300);
  }

  /** Those of a list that are among the programs. */
  private static Map<String, String> expected(String list, List<Corpus.Compiled> programs)
      throws IOException {
    Map<String, String> expected = expected(list);
    expected.keySet().retainAll(programs.stream().map(Corpus.Compiled::name).toList());
    return expected;
  }

  /** Lines of a name, a space and what is said of it; what begins with # is a comment. */
  static Map<String, String> expected(String list) throws IOException {
    Map<String, String> expected = new TreeMap<>();
    try (InputStream in = CorpusTest.class.getResourceAsStream("/corpus/" + list + ".txt")) {
      for (String line : lines(in)) {
        int space = line.indexOf(' ');
        expected.put(line.substring(0, space), line.substring(space + 1));
      }
    }
    return expected;
  }

  static List<String> lines(InputStream in) throws IOException {
    List<String> lines = new ArrayList<>();
    for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\\R")) {
      if (!line.isBlank() && !line.startsWith("#")) {
        lines.add(line);
      }
    }
    return lines;
  }
}
