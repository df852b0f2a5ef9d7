package net.sluice.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import net.sluice.emulator.port.pcap.PcapResolution;
import net.sluice.emulator.port.pcap.PcapWriter;
import net.sluice.standalone.switchd.SwitchCommand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A program that asserts what does not hold ends the switch, which says why. */
class SwitchFailureTest {

  private static final Path PROGRAMS =
      Path.of("..", "..", "emulator", "src", "test", "resources", "stf");

  @TempDir private Path folder;

  @Test
  void anAssertionThatDoesNotHoldEndsTheSwitchWithItsPlace() throws IOException {
    try (PcapWriter writer =
        PcapWriter.create(folder.resolve("v0_in.pcap"), PcapResolution.MICROS)) {
      byte[] packet = new byte[26];
      packet[0] = 8;
      packet[1] = 5;
      writer.write(1_000_000_000, packet, 0, packet.length);
    }
    CommandLine command = new CommandLine(new SwitchCommand());
    StringWriter err = new StringWriter();
    command.setErr(new PrintWriter(err));
    int code =
        command.execute(
            "--pcap",
            folder.toString(),
            "-i",
            "0@v0",
            "--json",
            PROGRAMS.resolve("language.json").toString(),
            "--p4info",
            PROGRAMS.resolve("language.p4info.txtpb").toString());
    assertThat(code).isEqualTo(1);
    assertThat(err.toString())
        .startsWith("sluice switch: the program has ended it: action '")
        .contains("assert failed: assert(h.op.a < 5) (language.p4, line ")
        .endsWith("for a packet that came in on port 0\n");
  }
}
