package net.sluice.it.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.sluice.emulator.v1model.LoadedProgram;
import net.sluice.emulator.v1model.program.Calculation;
import net.sluice.emulator.v1model.program.ProgramException;
import net.sluice.it.corpus.Differential.Outcome;
import net.sluice.it.corpus.Differential.Result;
import net.sluice.it.p4.SimpleSwitchProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every program that both switches take, with random entries and packets from each seed in {@value
 * #SEEDS_PROPERTY}: both send the same bytes out of the same ports, tell the controller the same
 * and have the same in counters and registers in the end, but for what {@code
 * corpus/differences.txt} explains. Writes what it found to {@code target/differential-*.txt}.
 */
@Tag("long")
class DifferentialTest {

  /** Numbers with commas between them. */
  private static final String SEEDS_PROPERTY = "sluice.differentialSeeds";

  /** A program to run alone, or what all of some begin with. */
  private static final String ONLY_PROPERTY = "sluice.differentialOnly";

  private static final int PROGRESS = 25;
  private static final Path OWN_TESTS =
      Path.of("..", "emulator", "v1model", "src", "test", "resources", "stf");
  private static final Path OWN = Path.of("..", "p4", "p4c-out", "v1model");

  @Test
  void bothSwitchesDoTheSameWithTheProgramsOfP4c() throws IOException {
    Corpus.assumeGiven();
    assumeSwitch();
    compare("p4c", Corpus.compile());
  }

  @Test
  void bothSwitchesDoTheSameWithOurOwnPrograms() throws IOException {
    assumeSwitch();
    List<Corpus.Compiled> programs = new ArrayList<>();
    for (Path folder : List.of(OWN, OWN_TESTS)) {
      try (Stream<Path> files = Files.list(folder)) {
        for (Path json : files.filter(f -> f.toString().endsWith(".json")).sorted().toList()) {
          String name = json.getFileName().toString().replace(".json", "");
          Path info = json.resolveSibling(name + ".p4info.txtpb");
          programs.add(new Corpus.Compiled(name, json, info, Optional.empty()));
        }
      }
    }
    compare("own", programs);
  }

  /** In a program whose hashes are changed to each: of 5, 12 and more bytes, some not whole. */
  @Test
  void allHashAlgorithmsAreThoseOfBmv2() throws IOException {
    assumeSwitch();
    Path into = Files.createDirectories(Path.of("target", "hashes"));
    String language = Files.readString(OWN_TESTS.resolve("language.json"));
    List<Corpus.Compiled> programs = new ArrayList<>();
    for (Calculation.Algorithm algorithm : Calculation.Algorithm.values()) {
      Path json = into.resolve(algorithm.symbol() + ".json");
      String algo = "\"algo\" : \"";
      Files.writeString(json, language.replaceAll(algo + "crc(16|32)", algo + algorithm.symbol()));
      programs.add(
          new Corpus.Compiled(
              "language-with-" + algorithm.symbol(),
              json,
              OWN_TESTS.resolve("language.p4info.txtpb"),
              Optional.empty()));
    }
    compare("hashes", programs);
  }

  private static void assumeSwitch() {
    SimpleSwitchProcess.assumeInstalled("nothing to compare with");
  }

  private static List<Corpus.Compiled> wanted(List<Corpus.Compiled> programs) {
    String only = System.getProperty(ONLY_PROPERTY, "");
    return programs.stream().filter(program -> program.name().startsWith(only)).toList();
  }

  /** CorpusTest knows which are not. A program without P4Info cannot be given over P4Runtime. */
  private static List<Corpus.Compiled> loadable(List<Corpus.Compiled> programs) {
    return programs.parallelStream()
        .filter(Corpus.Compiled::hasInfo)
        .filter(
            program -> {
              try {
                LoadedProgram.load(program.deviceConfig(), 1);
                return true;
              } catch (ProgramException e) {
                return false;
              }
            })
        .toList();
  }

  /** Without those that end a bmv2 which does not check indexes. */
  private static List<Corpus.Compiled> comparable(List<Corpus.Compiled> programs) {
    List<Corpus.Compiled> concerned =
        programs.stream().filter(program -> IndexChecks.concern(program.info())).toList();
    if (concerned.isEmpty() || IndexChecks.inBmv2()) {
      return programs;
    }
    System.out.println(
        "SKIPPED: simple_switch_grpc was built with NDEBUG and does not check the indexes of"
            + " counters, meters and registers: not compared are "
            + concerned.stream().map(Corpus.Compiled::name).collect(Collectors.joining(", ")));
    return programs.stream().filter(program -> !concerned.contains(program)).toList();
  }

  private static void compare(String name, List<Corpus.Compiled> all) throws IOException {
    List<Corpus.Compiled> programs = comparable(loadable(wanted(all)));
    List<Long> seeds =
        Arrays.stream(System.getProperty(SEEDS_PROPERTY, "1").split(","))
            .map(Long::valueOf)
            .toList();
    List<String> unexplained = new ArrayList<>();
    for (long seed : seeds) {
      unexplained.addAll(compare(name, programs, seed));
    }
    assertThat(unexplained).isEmpty();
  }

  private static List<String> compare(String name, List<Corpus.Compiled> programs, long seed)
      throws IOException {
    Map<String, List<String>> explained = explained();
    List<String> unexplained = new ArrayList<>();
    List<String> report = new ArrayList<>();
    Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);
    int packets = 0;
    int packetOuts = 0;
    int entries = 0;
    int left = 0;
    int messages = 0;
    int cells = 0;
    List<Result> results = results(name, programs, seed);
    for (int i = 0; i < results.size(); i++) {
      Result result = results.get(i);
      outcomes.merge(result.outcome(), 1, Integer::sum);
      packets += result.packets();
      packetOuts += result.packetOuts();
      entries += result.entries();
      left += result.left();
      messages += result.messages();
      cells += result.cells();
      if (result.outcome() != Outcome.SAME) {
        String program = programs.get(i).name();
        String line = program + " " + result.outcome() + " " + result.detail();
        report.add(line);
        String known = program.replaceFirst("-with-.*", "");
        if (!explained.getOrDefault(known, List.of()).contains(result.outcome().name())) {
          unexplained.add("seed " + seed + ": " + line);
        }
      }
    }
    String summary =
        "seed "
            + seed
            + ": "
            + packets
            + " packets, "
            + packetOuts
            + " of them from the controller, "
            + left
            + " out, "
            + messages
            + " to the controller, "
            + entries
            + " writes, "
            + cells
            + " counters and registers; "
            + outcomes;
    System.out.println(name + ", " + summary);
    report.add(0, summary);
    Files.write(Path.of("target", "differential-" + name + "-" + seed + ".txt"), report);
    return unexplained;
  }

  /** Several programs at a time, because most of it is waiting for each other's processes. */
  private static List<Result> results(String name, List<Corpus.Compiled> programs, long seed) {
    int threads = Runtime.getRuntime().availableProcessors() * 2;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    AtomicInteger done = new AtomicInteger();
    try {
      List<Future<Result>> running = new ArrayList<>();
      for (Corpus.Compiled program : programs) {
        running.add(
            pool.submit(
                () -> {
                  Result result = Differential.run(program.deviceConfig(), program.info(), seed);
                  int sofar = done.incrementAndGet();
                  if (sofar % PROGRESS == 0) {
                    System.out.println(
                        name + ", seed " + seed + ": " + sofar + " of " + programs.size());
                  }
                  return result;
                }));
      }
      List<Result> results = new ArrayList<>();
      for (Future<Result> result : running) {
        results.add(result.get());
      }
      return results;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while programs run", e);
    } finally {
      pool.shutdownNow();
    }
  }

  /** Lines of a program's name, the outcomes that there may be, and the explanation. */
  private static Map<String, List<String>> explained() {
    Map<String, List<String>> explained = new TreeMap<>();
    try (InputStream in = DifferentialTest.class.getResourceAsStream("/corpus/differences.txt")) {
      for (String line : CorpusTest.lines(in)) {
        String[] words = line.split(" ", 3);
        explained.put(words[0], List.of(words[1].split("\\|")));
      }
      return explained;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
