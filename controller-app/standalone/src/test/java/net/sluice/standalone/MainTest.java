package net.sluice.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

final class MainTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    CommandLine command = Main.commandLine(Optional.empty());
    command.setOut(new PrintWriter(out, true));
    command.setErr(new PrintWriter(err, true));
    return command.execute(args);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--http|8181|--http is '8181'; allowed: HOST:PORT with a port of 0 to 65535, such as"
            + " 127.0.0.1:8181 or [::1]:8181",
        "--http|127.0.0.1:65536|--http is '127.0.0.1:65536'; allowed: HOST:PORT with a port of 0"
            + " to 65535, such as 127.0.0.1:8181 or [::1]:8181",
        "--max-subscriber-rate|fast|--max-subscriber-rate is 'fast'; allowed: a rate in bit/s, 1M"
            + " to 100G, written like 400k, 2.5M or 1G",
        "--fpga-codel|5ms/100ms|--fpga-codel is '5ms/100ms'; allowed: absent: aqm of a limit, or"
            + " limitAqm of its policy, says how its delay is kept low",
        "--random-bits|12|--random-bits is '12'; allowed: 8 or 16",
      })
  void aBadOptionIsOneLineAndExitCodeTwo(String option, String value, String message) {
    assertThat(run("serve", option, value)).isEqualTo(2);
    assertThat(err.toString().strip()).isEqualTo("sluice: " + message);
  }

  @Test
  void anUnknownOptionAndAMissingCommandAreTold() {
    assertThat(run("serve", "--prot", "1")).isEqualTo(2);
    assertThat(err.toString()).contains("--prot").contains("Try 'sluice serve --help'.");
    assertThat(run()).isEqualTo(2);
    assertThat(err.toString()).contains("Say what to do, for example: sluice serve");
  }

  @Test
  void theVersionIsToldWithItsCommit() {
    assertThat(run("--version")).isZero();
    assertThat(out.toString()).matches("sluice \\S+\\Rcommit \\S+\\R");
  }

  @Test
  void serveNeedsASwitch() {
    assertThat(run("serve")).isEqualTo(2);
    assertThat(err.toString().strip())
        .isEqualTo(
            "sluice: --switch is missing; needed: HOST:PORT of a switch; or --network for several");
  }

  @Test
  void theDistributionHasNoCommandOrOptionOfTheEmulator() {
    CommandLine line = Main.commandLine(Optional.empty());
    assertThat(line.getSubcommands().keySet())
        .containsExactly(
            "help",
            "serve",
            "profile",
            "netcfg",
            "chassis",
            "agent",
            "token",
            "gates",
            "export",
            "report",
            "simulate",
            "import",
            "apply",
            "backup",
            "restore",
            "usage",
            "top");
    assertThat(line.getSubcommands().get("serve").getCommandSpec().optionsMap())
        .containsKeys("--switch", "--network", "--http")
        .doesNotContainKeys("--bottleneck", "--seed", "--p4runtime");
  }
}
