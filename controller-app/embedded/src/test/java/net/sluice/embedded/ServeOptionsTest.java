package net.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import net.sluice.testing.Golden;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What {@code serve} refuses of a remote switch, before it has opened anything. */
final class ServeOptionsTest {
  @TempDir private Path folder;

  private String refusal(String... arguments) {
    StringWriter err = new StringWriter();
    CommandLine command = EmbeddedMain.commandLine();
    command.setErr(new PrintWriter(err, true));
    String[] all = new String[arguments.length + 3];
    all[0] = "serve";
    all[1] = "--data";
    all[2] = folder.resolve("data").toString();
    for (int i = 0; i < arguments.length; i++) {
      all[i + 3] = arguments[i].replace("FOLDER", folder.toString());
    }
    assertThat(command.execute(all)).as(String.join(" ", arguments)).isEqualTo(2);
    return err.toString().replace(folder.toString(), "FOLDER");
  }

  @Test
  void everyBadOptionIsTold() throws IOException {
    String port =
        "{\"ports\": [{\"number\": 1, \"role\": \"access\", \"rateBps\": 1000, \"destinationMac\":"
            + " \"02:00:00:01:00:01\"}";
    Files.writeString(folder.resolve("plain.json"), port + "], \"bngPorts\": {\"0\": 1}}");
    Files.writeString(
        folder.resolve("shaped.json"),
        port
            + ", {\"number\": 510, \"role\": \"sidecar\", \"direction\": \"down\", \"rateBps\":"
            + " 1000}], \"bngPorts\": {\"0\": 1}}");
    Files.writeString(folder.resolve("bad.json"), "{\"ports\": 1, \"bngPorts\": {\"0\": \"1\"}}");
    String plain = "--topology=FOLDER/plain.json";
    String shaped = "--topology=FOLDER/shaped.json";
    String[][] cases = {
      {"--audit-interval", "often"},
      {"--audit-interval", "15"},
      {"--audit-interval", "9s"},
      {"--audit-interval", "25h"},
      {"--health", "8182"},
      {"--allowed-host", "sluice.example:8181"},
      {"--allowed-host", "sluice.example,*"},
      {"--allowed-origin", "portal.example"},
      {"--allowed-origin", "https://portal.example/"},
      {"--max-connections", "3"},
      {"--request-timeout", "0"},
      {"--request-timeout", "30"},
      {"--bulk-timeout", "11m"},
      {"--closed", "adopt,drift"},
      {"--allow-target", "10.0.0.0/8"},
      {"--switch", "127.0.0.1:9559", "--allow-target", "192.0.2.7/24"},
      {"--switch", "127.0.0.1:9559", "--allow-target", "leaf1:70000"},
      {"--switch", "127.0.0.1:9559", "--allow-target", "192.0.2.0/24,leaf1:9559"},
      {"--network", "FOLDER/absent.json", "--device-config", "sluice.pb.bin"},
      {"--network", "FOLDER/absent.json", "--device-config", "lab=FOLDER/absent.pb.bin"},
      {"--topology", "x.json"},
      {"--profile", "bmv2"},
      {"--device-id", "0"},
      {"--election-id", "1"},
      {"--fpga-down", "127.0.0.1:1"},
      {"--fpga-up", "127.0.0.1:1"},
      {"--fpga-clock", "156250000"},
      {"--fpga-customer-bursts"},
      {"--switch", "127.0.0.1:9559"},
      {"--switch", "9559", plain},
      {"--switch", "127.0.0.1:0", plain},
      {"--switch", "127.0.0.1:65536", plain},
      {"--switch", "127.0.0.1:9559", plain, "--profile", "bmv3"},
      {"--switch", "127.0.0.1:9559", plain, "--profile", "alveo-u200"},
      {"--switch", "127.0.0.1:9559", plain, "--profile", "stratum-tofino"},
      {
        "--switch",
        "127.0.0.1:9559",
        plain,
        "--profile",
        "stratum-tofino",
        "--device-config",
        "absent.pb.bin"
      },
      {"--switch", "127.0.0.1:9559", plain, "--device-config", "sluice.pb.bin"},
      {"--switch", "127.0.0.1:9559", plain, "--profile", "stratum-tofino2"},
      {"--switch", "127.0.0.1:9559", shaped, "--profile", "bmv2", "--fpga-down", "127.0.0.1:9"},
      {"--switch", "127.0.0.1:9559", plain, "--device-id", "-1"},
      {"--switch", "127.0.0.1:9559", plain, "--election-id", "0"},
      {"--switch", "127.0.0.1:9559", plain, "--fpga-clock", "1"},
      {"--switch", "127.0.0.1:9559", plain, "--bottleneck", "1G"},
      {"--switch", "127.0.0.1:9559", plain, "--seed", "1"},
      {"--switch", "127.0.0.1:9559", plain, "--p4runtime", "127.0.0.1:0"},
      {"--switch", "127.0.0.1:9559", plain, "--fpga-down", "127.0.0.1:9601"},
      {"--switch", "127.0.0.1:9559", shaped},
      {"--switch", "127.0.0.1:9559", shaped, "--fpga-down", "agent"},
      {"--switch", "127.0.0.1:9559", shaped, "--fpga-down", "mmap:FOLDER/resource0"},
      {"--switch", "127.0.0.1:9559", "--topology", "FOLDER/absent.json"},
      {"--switch", "127.0.0.1:9559", "--topology", "FOLDER/bad.json"},
    };
    StringBuilder texts = new StringBuilder();
    for (String[] arguments : cases) {
      texts.append(refusal(arguments));
    }
    Golden.check("serve-option-errors.txt", texts.toString());
    assertThat(folder.resolve("data")).doesNotExist();
  }
}
