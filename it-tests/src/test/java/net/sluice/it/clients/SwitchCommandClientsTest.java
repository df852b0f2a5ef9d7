package net.sluice.it.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.sluice.it.p4.SimpleSwitchProcess;
import net.sluice.it.serve.SluiceProcess;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The switch command on network interfaces, controlled by clients that others have written, with
 * packets that show what their requests did. Clients that are not installed are left out, which is
 * said. Interpreters to try besides {@code python3} may be named in the environment variable {@code
 * SLUICE_PYTHON}, separated by colons.
 */
class SwitchCommandClientsTest {

  private static final int PORTS = 3;
  private static final long PATIENCE_SECONDS = 180;
  private static final Pattern READY =
      Pattern.compile("P4Runtime 127\\.0\\.0\\.1:(\\d+), gNMI 127\\.0\\.0\\.1:(\\d+)");
  private static final List<String> FILES =
      List.of("wire.py", "everything.p4info.txtpb", "everything.json");

  @TempDir private Path folder;

  private static <T> T skip(String reason) {
    System.out.println("SKIPPED: " + reason);
    return Assumptions.abort(reason);
  }

  /** An interpreter that has a module, or a reason to skip the test. */
  private static String python(String module) throws InterruptedException {
    List<String> candidates = new ArrayList<>();
    String named = System.getenv("SLUICE_PYTHON");
    if (named != null && !named.isEmpty()) {
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
    }
    return skip("no Python with the module " + module + " (tried " + candidates + ")");
  }

  /** What a client has to do with a switch that is ready. */
  private interface Session {
    void run(VethPairs wires, String p4runtime, String gnmi) throws Exception;
  }

  private void withSwitch(Session session) throws Exception {
    try (VethPairs wires = VethPairs.open(PORTS)) {
      List<String> arguments =
          new ArrayList<>(List.of("switch", "--cpu-port", "64", "--grpc", "127.0.0.1:0", "--gnmi"));
      arguments.add("127.0.0.1:0");
      for (int port = 1; port <= PORTS; port++) {
        arguments.add("-i");
        arguments.add(port + "@" + wires.near(port));
      }
      Path log = folder.resolve("switch.log");
      try (SluiceProcess process = SluiceProcess.sluice(log, arguments.toArray(new String[0]))) {
        String line = process.firstLine();
        Matcher ready = READY.matcher(line);
        assertThat(ready.find()).as(line).isTrue();
        session.run(wires, "127.0.0.1:" + ready.group(1), "127.0.0.1:" + ready.group(2));
      }
    }
  }

  /** Copies a resource to where clients find it. */
  private Path file(String name) throws IOException {
    Path copy = folder.resolve(name);
    try (InputStream in = SwitchCommandClientsTest.class.getResourceAsStream("/clients/" + name)) {
      Files.write(copy, Optional.ofNullable(in).orElseThrow().readAllBytes());
    }
    return copy;
  }

  /** What a program says, which must end well. */
  private String run(Object... command) throws Exception {
    List<String> words = new ArrayList<>();
    for (Object word : command) {
      words.add(word.toString());
    }
    Path output = folder.resolve("output");
    Process client =
        new ProcessBuilder(words)
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

  private void p4runtimeClient(String module, String script) throws Exception {
    String python = python(module);
    for (String name : FILES) {
      file(name);
    }
    withSwitch(
        (wires, p4runtime, gnmi) ->
            assertThat(
                    run(
                        python,
                        file(script),
                        p4runtime,
                        wires.far(),
                        folder.resolve("everything.p4info.txtpb"),
                        folder.resolve("everything.json"),
                        gnmi))
                .endsWith("done\n"));
  }

  private void gnmiClient(String module, String script) throws Exception {
    String python = python(module);
    file("wire.py");
    withSwitch(
        (wires, p4runtime, gnmi) ->
            assertThat(run(python, file(script), gnmi, wires.near(1))).contains("\ndone\n"));
  }

  @Test
  void p4runtimeShellControlsPackets() throws Exception {
    p4runtimeClient("p4runtime_sh.shell", "shell_everything.py");
  }

  @Test
  void finsyControlsPacketsAndInterfaces() throws Exception {
    p4runtimeClient("finsy", "finsy_everything.py");
  }

  @Test
  void pygnmiReadsSetsAndSubscribes() throws Exception {
    gnmiClient("pygnmi.client", "pygnmi_everything.py");
  }

  @Test
  void ciscoGnmiReadsSetsAndSubscribes() throws Exception {
    gnmiClient("cisco_gnmi", "cisco_gnmi_everything.py");
  }

  @Test
  void gnmiCliReadsSetsAndSubscribes() throws Exception {
    Path cli =
        SimpleSwitchProcess.onPath("gnmi_cli").orElseGet(() -> skip("gnmi_cli is not on PATH"));
    withSwitch(
        (wires, p4runtime, gnmi) -> {
          Object[] to = {cli, "-address", gnmi, "-insecure", "-timeout", "60s"};
          String name = wires.near(1);
          String leaf =
              "elem: <name: 'interfaces'> elem: <name: 'interface' key: <key: 'name' value: '"
                  + name
                  + "'>>";
          String enabled = leaf + " elem: <name: 'config'> elem: <name: 'enabled'>";
          String query = "interfaces/interface[name=" + name + "]/state/admin-status";
          assertThat(run(with(to, "-capabilities"))).contains("openconfig-interfaces", "0.10.0");
          assertThat(run(with(to, "-get", "-proto", "encoding: PROTO path: <" + enabled + ">")))
              .contains("bool_val: true");
          assertThat(
                  run(
                      with(
                          to,
                          "-set",
                          "-proto",
                          "update: <path: <" + enabled + "> val: <bool_val: false>>")))
              .contains("UPDATE");
          String once = run(with(to, "-query_type", "once", "-query", query));
          assertThat(count("DOWN", once)).as(once).isEqualTo(1);
          String polled =
              run(
                  with(
                      to,
                      "-query_type",
                      "polling",
                      "-polling_interval",
                      "100ms",
                      "-count",
                      "3",
                      "-query",
                      query));
          assertThat(count("DOWN", polled)).as(polled).isEqualTo(3);
        });
  }

  private static int count(String word, String text) {
    return text.split(word, -1).length - 1;
  }

  private static Object[] with(Object[] command, Object... more) {
    Object[] all = Arrays.copyOf(command, command.length + more.length);
    System.arraycopy(more, 0, all, command.length, more.length);
    return all;
  }
}
