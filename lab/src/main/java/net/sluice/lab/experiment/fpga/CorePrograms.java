package net.sluice.lab.experiment.fpga;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.sluice.lab.experiment.MissingToolsException;
import net.sluice.lab.report.Row;
import net.sluice.lab.support.Progress;

/**
 * The simulated core as programs of this machine, built from {@code fpga-driver/rtl} where the
 * cache has them not, and its registers' addresses from the same folder.
 */
final class CorePrograms {
  private static final String NOT_BUILT = "the simulated core cannot be built: ";

  private static final String RTL = "fpga-driver/rtl";
  private static final int SKIPPED = 77;
  private static final String SKIP = "SKIP ";

  private final Path rtl;
  private final Map<String, Integer> addresses = new HashMap<>();
  private final Map<CoreBuild, Path> programs = new HashMap<>();

  private CorePrograms(Path rtl) {
    this.rtl = rtl;
  }

  /**
   * Builds the core.
   *
   * @param builds those that will be run
   * @throws MissingToolsException where Verilator, a compiler or the sources cannot be had
   */
  static CorePrograms of(List<CoreBuild> builds, Progress progress)
      throws MissingToolsException, IOException, InterruptedException {
    CorePrograms programs = new CorePrograms(sources());
    programs.readAddresses();
    for (CoreBuild build : builds) {
      progress.say("building the core, unless the cache has it: " + build.name());
      programs.programs.put(build, programs.build(build));
    }
    return programs;
  }

  /** The folder of a checkout, around this program or the working directory. */
  static Path sources() throws MissingToolsException {
    List<Path> starts = new ArrayList<>();
    try {
      starts.add(
          Path.of(CorePrograms.class.getProtectionDomain().getCodeSource().getLocation().toURI()));
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
    starts.add(Path.of("").toAbsolutePath());
    for (Path start : starts) {
      for (Path at = start; at != null; at = at.getParent()) {
        if (Files.exists(at.resolve(RTL).resolve("simulation/build.py"))) {
          return at.resolve(RTL);
        }
      }
    }
    throw new MissingToolsException(
        NOT_BUILT + "no checkout with " + RTL + " around " + starts.get(0));
  }

  /** Rows of Table I. */
  List<Row> resources() throws IOException {
    return Resources.rows(rtl.resolve("synthesis/resources.csv"));
  }

  private void readAddresses() throws IOException {
    for (String line : Files.readAllLines(rtl.resolve("registers.csv"))) {
      String[] columns = line.split(",", 3);
      if (columns[1].startsWith("0x")) {
        addresses.put(columns[0], Integer.decode(columns[1]));
      }
    }
  }

  private Path build(CoreBuild build)
      throws MissingToolsException, IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(List.of("python3", rtl.resolve("simulation/build.py").toString()));
    command.addAll(build.parameters());
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      throw new MissingToolsException(NOT_BUILT + "no python3 on PATH");
    }
    process.getOutputStream().close();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code = process.waitFor();
    String last = text.strip().substring(text.strip().lastIndexOf('\n') + 1);
    if (code == SKIPPED && last.startsWith(SKIP)) {
      throw new MissingToolsException(NOT_BUILT + last.substring(SKIP.length()));
    }
    if (code != 0) {
      throw new MissingToolsException(NOT_BUILT + "its build fails:\n" + text.strip());
    }
    return Path.of(last);
  }

  /**
   * Starts a build after its reset.
   *
   * @param lineBps the line behind the core; 0 for one that takes a beat each clock
   */
  CoreSimulation start(CoreBuild build, long lineBps) throws IOException {
    return new CoreSimulation(programs.get(build), build.clock(), lineBps, addresses);
  }
}
