package net.sluice.it.clients;

import static net.sluice.testing.ForeignClient.with;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.sluice.emulator.ports.LinuxNetwork;
import net.sluice.it.serve.SluiceProcess;
import net.sluice.lab.support.Executables;
import net.sluice.testing.ForeignClient;
import net.sluice.testing.Patience;
import net.sluice.testing.Prerequisite;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The switch command on network interfaces, controlled by clients that others have written, with
 * packets that show what their requests did. Clients that are not installed are left out, which is
 * said.
 */
@Tag("long")
class SwitchCommandClientsTest {

  private static final int PORTS = 3;
  private static final int MTU = 1_500;
  private static final Pattern READY =
      Pattern.compile("P4Runtime 127\\.0\\.0\\.1:(\\d+), gNMI 127\\.0\\.0\\.1:(\\d+)");
  private static final List<String> FILES =
      List.of("wire.py", "everything.p4info.txtpb", "everything.json");

  @TempDir private Path folder;

  /** What a client has to do with a switch that is ready. */
  private interface Session {
    void run(Wires wires, String p4runtime, String gnmi) throws Exception;
  }

  /**
   * Interfaces that lead to the switch and are its ports.
   *
   * @param far ends, the test's, as {@code 1@NAME,2@NAME,...}
   * @param near ends, the switch's; that of port 1 comes first
   */
  private record Wires(String far, List<String> near) {

    String near(int port) {
      return near.get(port - 1);
    }
  }

  private static Wires wires(LinuxNetwork network) throws Exception {
    List<String> far = new ArrayList<>();
    List<String> near = new ArrayList<>();
    for (int port = 1; port <= PORTS; port++) {
      String[] ends = network.veth(Integer.toString(port), MTU);
      far.add(port + "@" + ends[0]);
      near.add(ends[1]);
    }
    return new Wires(String.join(",", far), near);
  }

  private void withSwitch(Session session) throws Exception {
    try (LinuxNetwork network = LinuxNetwork.open()) {
      Wires wires = wires(network);
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

  private Path file(String name) throws IOException {
    return ForeignClient.file(folder, "clients/" + name);
  }

  private String run(Object... command) throws Exception {
    return ForeignClient.output(folder, command);
  }

  private void p4runtimeClient(String module, String script) throws Exception {
    String python = ForeignClient.python(module);
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
    String python = ForeignClient.python(module);
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
        Executables.onPath("gnmi_cli")
            .orElseGet(() -> Prerequisite.CLIENTS.skip("gnmi_cli is not on PATH"));
    withSwitch(
        (wires, p4runtime, gnmi) -> {
          Object[] to = {cli, "-address", gnmi, "-insecure", "-timeout", Patience.SECONDS + "s"};
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
}
