package net.sluice.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** {@code profile}, {@code netcfg} and {@code chassis} on the command line. */
final class ProfileCommandsTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    CommandLine command = Main.commandLine(Optional.empty());
    command.setOut(new PrintWriter(out, true));
    command.setErr(new PrintWriter(err, true));
    return command.execute(args);
  }

  @Test
  void listNamesEveryProfile() {
    assertThat(run("profile", "list")).isZero();
    assertThat(out.toString().lines())
        .containsExactly(
            "emulator            Sluice's emulated switch",
            "bmv2                bmv2 (simple_switch_grpc)",
            "stratum-bmv2        Stratum on bmv2",
            "stratum-tofino      Stratum on Tofino (Edgecore Wedge100BF-32X)",
            "stratum-tofino2     Stratum on Tofino 2 (Edgecore AS9516-32D)",
            "emulator-aggregate  Sluice's emulated switch, marking aggregates",
            "bmv2-aggregate      bmv2 (simple_switch_grpc), marking aggregates",
            "alveo-u200          Queueing FPGA on Xilinx Alveo U200");
  }

  @Test
  void showPrintsTextOrJson() throws JsonProcessingException {
    assertThat(run("profile", "show", "stratum-tofino")).isZero();
    assertThat(out.toString())
        .contains("title                 Stratum on Tofino (Edgecore Wedge100BF-32X)\n")
        .contains("  subscribers           125,440\n")
        .contains("  id 9  name 9/0  number 60  speedBps 100,000,000,000\n");
    out.getBuffer().setLength(0);
    assertThat(run("profile", "show", "--json", "alveo-u200")).isZero();
    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertThat(json.at("/clockHz").asLong()).isEqualTo(220_000_000);
    assertThat(json.at("/rates/stepBps").asLong()).isEqualTo(1_410_256);
  }

  @Test
  void netcfgIsJsonForEverySwitch() throws JsonProcessingException {
    assertThat(run("netcfg", "stratum-bmv2", "--address", "a=192.0.2.1:50001", "192.0.2.2:50002"))
        .isZero();
    JsonNode devices = new ObjectMapper().readTree(out.toString()).get("devices");
    assertThat(devices.fieldNames()).toIterable().containsExactly("device:a", "device:switch2");
    assertThat(devices.at("/device:switch2/basic/managementAddress").asText())
        .isEqualTo("grpc://192.0.2.2:50002?device_id=1");
    assertThat(devices.at("/device:a/ports").isMissingNode()).isTrue();
    out.getBuffer().setLength(0);
    assertThat(run("netcfg", "stratum-bmv2", "--ports", "--address", "a=192.0.2.1:50001/9339"))
        .isZero();
    devices = new ObjectMapper().readTree(out.toString()).get("devices");
    assertThat(devices.at("/device:a/ports/8/speed").asLong()).isEqualTo(10_000);
    assertThat(devices.at("/device:a/sluice/gnmi").asText()).isEqualTo("192.0.2.1:9339");
  }

  @Test
  void chassisDividesPorts() {
    assertThat(run("chassis", "stratum-tofino", "--split", "3=4x25G")).isZero();
    assertThat(out.toString())
        .startsWith("description: \"Sluice: Stratum on Tofino (Edgecore Wedge100BF-32X)\"\n")
        .contains("  id: 304\n  name: \"3/3\"\n  slot: 1\n  port: 3\n  channel: 4\n")
        .doesNotContain("  id: 3\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "profile show wedge|NAME is 'wedge'; allowed: emulator, bmv2, stratum-bmv2,"
            + " stratum-tofino, stratum-tofino2, emulator-aggregate, bmv2-aggregate, alveo-u200",
        "netcfg alveo-u200|NAME is 'alveo-u200'; allowed: a switch: emulator, bmv2, stratum-bmv2,"
            + " stratum-tofino, stratum-tofino2, emulator-aggregate, bmv2-aggregate",
        "netcfg bmv2 --address here|--address is 'here'; allowed: [NAME=]HOST:PORT[/GNMI]"
            + " with ports from 1 to 65535",
        "netcfg bmv2 --split 1=4x25G|--split is '1=4x25G'; allowed: none: the ports of this switch"
            + " cannot be divided",
        "chassis emulator|NAME is 'emulator'; allowed: a switch that runs Stratum: stratum-...",
        "chassis stratum-tofino --split 40=4x25G|--split is '40=4x25G'; allowed: a port of 1 to 32",
      })
  void whatIsRefusedIsOneLineAndExitCodeTwo(String line, String message) {
    assertThat(run(line.split(" "))).isEqualTo(2);
    assertThat(err.toString().strip()).isEqualTo("sluice: " + message);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void profileAloneSaysWhatToDo() {
    assertThat(run("profile")).isEqualTo(2);
    assertThat(err.toString()).contains("sluice profile list, or sluice profile show NAME");
  }
}
