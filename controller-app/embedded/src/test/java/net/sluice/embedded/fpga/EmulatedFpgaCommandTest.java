package net.sluice.embedded.fpga;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import net.sluice.cli.RootCommand;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Refusals of {@code sluice fpga} before it has opened an interface. */
final class EmulatedFpgaCommandTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--clock 1000000|--down is missing; needed: INTERFACE=HOST:PORT, such as"
            + " veth1=127.0.0.1:9601; or --up, or both",
        "--down veth1|--down is 'veth1'; allowed: INTERFACE=HOST:PORT, such as"
            + " veth1=127.0.0.1:9601",
        "--up veth1=9601|--up is 'veth1=9601'; allowed: HOST:PORT with a port of 0 to 65535, such"
            + " as 127.0.0.1:8181 or [::1]:8181",
        "--down a=127.0.0.1:0 --up a=127.0.0.1:0|--up is 'a=127.0.0.1:0'; allowed: an interface"
            + " of its own; --down has this one",
        "--down a=127.0.0.1:0 --clock 1|--clock is '1'; allowed: a whole number, 1000000 to"
            + " 1000000000",
        "--down a=127.0.0.1:0 --line 0|--line is '0'; allowed: a rate in bit/s, 1 to 10T, written"
            + " like 400k, 2.5M or 1G",
        "--down a=127.0.0.1:0 --report /|--report is '/'; allowed: a file name in an existing"
            + " folder that can be written to",
      })
  void aBadOptionIsOneLine(String arguments, String message) {
    StringWriter err = new StringWriter();
    CommandLine command = RootCommand.with(new EmulatedFpgaCommand());
    command.setErr(new PrintWriter(err, true));
    assertThat(command.execute(("fpga " + arguments).split(" "))).isEqualTo(2);
    assertThat(err).hasToString("sluice: " + message + "\n");
  }
}
