package net.sluice.gates;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import net.sluice.cli.ListenAddress;
import net.sluice.gates.loop.LoopSettings;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The command whose process is its agent. */
class GatesCommandTest {
  /** An agent that does not survive an error ends the process, which would look well otherwise. */
  @Test
  void anAgentThatEndsEndsTheCommand() {
    GatesCommand command =
        new GatesCommand() {
          @Override
          AgentRun agent(AgentRun.Place place, LoopSettings settings) {
            return new AgentRun(
                place,
                settings,
                at -> {
                  throw new StackOverflowError("deep");
                });
          }
        };
    StringWriter err = new StringWriter();
    int code =
        new CommandLine(command)
            .registerConverter(InetSocketAddress.class, ListenAddress::parse)
            .setOut(new PrintWriter(new StringWriter()))
            .setErr(new PrintWriter(err, true))
            .execute();
    assertThat(code).isEqualTo(1);
    assertThat(err.toString())
        .isEqualTo("sluice gates: the agent has ended: java.lang.StackOverflowError: deep\n");
  }
}
