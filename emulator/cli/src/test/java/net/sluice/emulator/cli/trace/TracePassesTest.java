package net.sluice.emulator.cli.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.sluice.cli.RootCommand;
import net.sluice.emulator.cli.EmulatorMain;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Traces of packets that pass a program more than once, or not to the end. */
class TracePassesTest {
  private static final Path PROGRAMS =
      Path.of("..", "..", "emulator", "v1model", "src", "test", "resources", "stf");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int trace(String program, String... more) {
    CommandLine command = RootCommand.with(EmulatorMain.commands());
    command.setOut(new PrintWriter(out, true));
    command.setErr(new PrintWriter(err, true));
    List<String> all =
        new ArrayList<>(
            List.of(
                "trace",
                "--json",
                PROGRAMS.resolve(program + ".json").toString(),
                "--p4info",
                PROGRAMS.resolve(program + ".p4info.txtpb").toString(),
                "--port",
                "3"));
    all.addAll(Arrays.asList(more));
    return command.execute(all.toArray(String[]::new));
  }

  @Test
  void aPacketIsFollowedUntilItLeaves() {
    // Resubmitted once, recirculated once, then sent on port 3.
    assertThat(trace("copies", "0400 0400 0000 0000 0000 0000 0003 0000 0000")).isZero();
    assertThat(err.toString()).isEmpty();
    assertThat(out.toString())
        .startsWith("packet 1 ")
        .containsOnlyOnce("packet ")
        .contains("resubmitted")
        .contains("sent on port 3");
  }

  @Test
  void aPacketThatEndsTheProgramIsShownUpToThere() {
    assertThat(trace("language", "0805" + "00".repeat(24))).isEqualTo(1);
    assertThat(out.toString()).startsWith("packet 1 ").contains("assert failed");
    assertThat(err.toString())
        .startsWith("sluice trace: the program has ended it: action 'language142': assert failed:");
  }

  @Test
  void aPacketThatNeverLeavesIsTold() {
    assertThat(trace("copies", "0404 0000 0000 0000 0000 0000 0003 0000 0000")).isEqualTo(1);
    assertThat(err.toString())
        .isEqualTo(
            "sluice trace: the program never ends: a packet that came in on port 3 has been"
                + " resubmitted or recirculated for the 4096th time and has not ended\n");
  }
}
