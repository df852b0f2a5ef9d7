package net.sluice.it.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.sluice.emulator.bmv2.LoadedProgram;
import net.sluice.emulator.bmv2.program.ProgramException;
import net.sluice.it.corpus.Differential.Outcome;
import net.sluice.it.corpus.Differential.Result;
import net.sluice.it.p4.SimpleSwitchProcess;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/**
 * Every program of the corpus that both switches take, with random entries and packets from the
 * seed in {@value #SEED_PROPERTY}: both send the same bytes out of the same ports, but for what
 * {@code corpus/differences.txt} explains. Writes what it found to {@code target/differential.txt}.
 */
class DifferentialTest {

  private static final String SEED_PROPERTY = "sluice.differentialSeed";

  @Test
  void bothSwitchesSendTheSameBytes() throws IOException {
    Corpus.assumeGiven();
    if (SimpleSwitchProcess.executable().isEmpty()) {
      String reason = "simple_switch_grpc is not on PATH: nothing to compare with";
      System.out.println("SKIPPED: " + reason);
      Assumptions.abort(reason);
    }
    long seed = Long.getLong(SEED_PROPERTY, 1);
    Map<String, String> explained = explained();
    List<String> unexplained = new ArrayList<>();
    List<String> report = new ArrayList<>();
    Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);
    int packets = 0;
    int entries = 0;
    int left = 0;
    for (Corpus.Compiled program : Corpus.compile()) {
      byte[] config = program.deviceConfig();
      try {
        LoadedProgram.load(config, 1);
      } catch (ProgramException e) {
        continue; // CorpusTest knows which these are.
      }
      Result result = Differential.run(config, program.info(), seed);
      outcomes.merge(result.outcome(), 1, Integer::sum);
      packets += result.packets();
      entries += result.entries();
      left += result.left();
      if (result.outcome() != Outcome.SAME) {
        String line = program.name() + " " + result.outcome() + " " + result.detail();
        report.add(line);
        String expected = explained.getOrDefault(program.name(), "");
        if (!expected.equals("ANY") && !expected.equals(result.outcome().name())) {
          unexplained.add(line);
        }
      }
    }
    String summary =
        "seed "
            + seed
            + ": "
            + packets
            + " packets, "
            + left
            + " out, "
            + entries
            + " writes; "
            + outcomes;
    System.out.println(summary);
    report.add(0, summary);
    Files.write(Path.of("target", "differential.txt"), report);
    assertThat(unexplained).isEmpty();
  }

  /** Lines of a program's name, the outcome and the explanation. */
  private static Map<String, String> explained() throws IOException {
    Map<String, String> explained = new TreeMap<>();
    try (InputStream in = DifferentialTest.class.getResourceAsStream("/corpus/differences.txt")) {
      for (String line : CorpusTest.lines(in)) {
        String[] words = line.split(" ", 3);
        explained.put(words[0], words[1]);
      }
    }
    return explained;
  }
}
