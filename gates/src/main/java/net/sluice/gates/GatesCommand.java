package net.sluice.gates;

import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import net.sluice.cli.ListenAddress;
import net.sluice.cli.LogOptions;
import net.sluice.cli.Range;
import net.sluice.gates.loop.LoopSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sluice gates}: moves the gates of a switch on this machine. */
@Command(
    name = "gates",
    description = {
      "Move the windows of a switch's gate table until stopped, on the switch's own machine: where"
          + " packets wait for their rate limits. Without it they wait in the last pipe and go on"
          + " at their limits, later than they might."
    },
    mixinStandardHelpOptions = true)
public class GatesCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(GatesCommand.class);
  private static final int NANOS_PER_MICRO = 1_000;

  @Option(
      names = "--switch",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:9559",
      description = "Where its P4Runtime listens. Default: ${DEFAULT-VALUE}")
  private InetSocketAddress address;

  @Option(
      names = "--device-id",
      paramLabel = "N",
      defaultValue = "1",
      description = "P4Runtime device id. Default: ${DEFAULT-VALUE}")
  @Range(min = 0)
  private long deviceId;

  @Option(
      names = "--election-id",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Of several agents of a switch the one with the highest moves its gates."
              + " Default: ${DEFAULT-VALUE}")
  @Range(min = 1)
  private long electionId;

  @Option(
      names = "--period",
      paramLabel = "MICROS",
      defaultValue = "5",
      description =
          "Time between two steps, us; as long as the host needs if that is more."
              + " Default: ${DEFAULT-VALUE}")
  @Range(min = 1, max = 1_000_000)
  private long periodMicros;

  @Mixin private LogOptions logging = new LogOptions();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    logging.apply();
    LoopSettings settings = LoopSettings.PAPER.withPeriod(periodMicros * NANOS_PER_MICRO);
    PrintWriter out = spec.commandLine().getOut();
    try (AgentRun run = agent(new AgentRun.Place(address, deviceId, electionId), settings)) {
      Runtime.getRuntime().addShutdownHook(new Thread(run::close, "sluice-stop"));
      out.println("sluice gates: moves those of the switch at " + ListenAddress.text(address));
      out.flush();
      run.run();
      return 0;
    } catch (Error e) {
      LOG.error("the agent has ended", e);
      // The process is not to look well without moving gates: its service manager starts it again.
      spec.commandLine().getErr().println("sluice gates: the agent has ended: " + e);
      return 1;
    }
  }

  AgentRun agent(AgentRun.Place place, LoopSettings settings) {
    return new AgentRun(place, settings);
  }
}
