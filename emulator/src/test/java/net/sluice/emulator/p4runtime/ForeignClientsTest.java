package net.sluice.emulator.p4runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import net.sluice.emulator.bmv2.Bmv2Switch;
import net.sluice.emulator.sim.Simulation;
import net.sluice.emulator.sim.SwitchNode;
import net.sluice.emulator.sim.WallClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * P4Runtime clients that others have written, where they are installed: each runs a script with all
 * that it knows of the protocol. Interpreters to try besides {@code python3} may be named in the
 * environment variable {@code SLUICE_PYTHON}, separated by colons.
 */
class ForeignClientsTest {

  private static final int PATIENCE_SECONDS = 120;

  private final Bmv2Switch device = new Bmv2Switch(Controller.DEVICE, 1);
  private final Simulation simulation = new Simulation(1);
  private P4RuntimeServer server;
  private Thread time;

  @TempDir private Path folder;

  @BeforeEach
  void start() throws Exception {
    new SwitchNode(simulation, device);
    server = P4RuntimeServer.start(device, new InetSocketAddress("127.0.0.1", 0));
    time =
        new Thread(
            () -> {
              try {
                simulation.runPaced(Long.MAX_VALUE, WallClock.system());
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    time.start();
  }

  @AfterEach
  void stop() throws Exception {
    simulation.stop();
    time.join();
    server.close();
  }

  /** An interpreter that has a module, or a reason to skip the test. */
  private static String python(String module) throws Exception {
    List<String> tried = new ArrayList<>();
    String named = System.getenv("SLUICE_PYTHON");
    List<String> candidates = new ArrayList<>();
    if (named != null) {
      candidates.addAll(Arrays.asList(named.split(":")));
    }
    candidates.add("python3");
    for (String candidate : candidates) {
      try {
        Process probe =
            new ProcessBuilder(candidate, "-c", "import " + module)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (probe.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && probe.exitValue() == 0) {
          return candidate;
        }
      } catch (IOException notThere) {
        // The next one, then.
      }
      tried.add(candidate);
    }
    String reason = "no Python with the module " + module + " (tried " + tried + ")";
    System.out.println("skipped: " + reason);
    Assumptions.abort(reason);
    throw new IllegalStateException(reason);
  }

  private String run(String module, String script, String... more) throws Exception {
    String python = python(module);
    List<String> command = new ArrayList<>();
    command.add(python);
    for (String name :
        List.of("clients/" + script, "stf/entities.p4info.txtpb", "stf/entities.json")) {
      Path copy = folder.resolve(Path.of(name).getFileName().toString());
      try (var in = ForeignClientsTest.class.getResourceAsStream("/" + name)) {
        Files.write(copy, Optional.ofNullable(in).orElseThrow().readAllBytes());
      }
      command.add(copy.toString());
    }
    command.add(2, "127.0.0.1:" + server.port());
    command.addAll(List.of(more));
    Path output = folder.resolve("output");
    Process client =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean ended = client.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
    client.destroyForcibly();
    String said = Files.readString(output, StandardCharsets.UTF_8);
    assertThat(ended).as(said).isTrue();
    assertThat(client.exitValue()).as(said).isZero();
    return said;
  }

  @Test
  void p4runtimeShellReadsAndWritesEverything() throws Exception {
    assertThat(run("p4runtime_sh.shell", "p4runtime_shell_client.py")).endsWith("done\n");
  }

  @Test
  void p4runtimeShellInARole() throws Exception {
    assertThat(run("p4runtime_sh.shell", "p4runtime_shell_client.py", "routes")).endsWith("done\n");
  }

  @Test
  void finsyReadsAndWritesEverything() throws Exception {
    assertThat(run("finsy", "finsy_client.py")).endsWith("done\n");
  }

  @Test
  void finsyInARoleThatHasAPartOfTheProgram() throws Exception {
    assertThat(run("finsy", "finsy_role_client.py")).endsWith("done\n");
  }
}
