package net.sluice.emulator.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import net.sluice.emulator.ports.pcap.PcapResolution;
import net.sluice.emulator.ports.pcap.PcapWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A program that asserts what does not hold ends the switch, which says why. */
class SwitchFailureTest {

  private static final Path PROGRAMS =
      Path.of("..", "..", "emulator", "v1model", "src", "test", "resources", "stf");

  @TempDir private Path folder;

  private String run(String program, byte[] packet) throws IOException {
    try (PcapWriter writer =
        PcapWriter.create(folder.resolve("v0_in.pcap"), PcapResolution.MICROS)) {
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
            PROGRAMS.resolve(program + ".json").toString(),
            "--p4info",
            PROGRAMS.resolve(program + ".p4info.txtpb").toString());
    assertThat(code).isEqualTo(1);
    return err.toString();
  }

  @Test
  void anAssertionThatDoesNotHoldEndsTheSwitchWithItsPlace() throws IOException {
    byte[] packet = new byte[26];
    packet[0] = 8;
    packet[1] = 5;
    assertThat(run("language", packet))
        .startsWith("sluice switch: the program has ended it: action '")
        .contains("assert failed: assert(h.op.a < 5) (language.p4, line ")
        .endsWith("for a packet that came in on port 0\n");
  }

  @Test
  void aProgramThatNeverLetsAPacketGoEndsTheSwitchWithWhatItDoes() throws IOException {
    byte[] resubmitsAlways = new byte[18];
    resubmitsAlways[0] = 4;
    resubmitsAlways[1] = 4;
    assertThat(run("copies", resubmitsAlways))
        .isEqualTo(
            "sluice switch: the program never ends: a packet that came in on port 0 has been"
                + " resubmitted or recirculated for the 1000000th time and has not ended\n");
  }
}
