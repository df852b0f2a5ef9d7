package net.sluice.standalone;

import java.util.Map;
import java.util.Optional;
import net.sluice.agent.GatesCommand;
import net.sluice.cli.RootCommand;
import net.sluice.core.Servers.FpgaEndpoint;
import net.sluice.standalone.agent.AgentCommand;
import net.sluice.standalone.guard.TokenCommand;
import net.sluice.standalone.network.ConnectAddress;
import net.sluice.standalone.network.RemoteSwitchOptions;
import net.sluice.standalone.profile.ChassisCommand;
import net.sluice.standalone.profile.NetcfgCommand;
import net.sluice.standalone.profile.ProfileCommand;
import picocli.CommandLine;

/** Entry point of the distribution: the controller, and what prepares switches for it. */
public final class Main {
  private Main() {}

  /** Runs the command line and exits the process; exit codes as of {@link RootCommand}. */
  public static void main(String[] args) {
    RootCommand.exit(commandLine(Optional.empty()), args);
  }

  /**
   * The command line with more subcommands than its own.
   *
   * @param embedded the targets that {@code serve} runs where no switch is named; empty for none
   */
  public static CommandLine commandLine(Optional<InProcessTargets> embedded, Object... more) {
    return commandLine(embedded, System.getenv(), more);
  }

  /** The same with another environment than the process's. */
  static CommandLine commandLine(
      Optional<InProcessTargets> embedded, Map<String, String> environment, Object... more) {
    Object[] subcommands = new Object[more.length + 7];
    subcommands[0] = ServeCommand.line(embedded, environment);
    subcommands[1] = new ProfileCommand();
    subcommands[2] = new NetcfgCommand();
    subcommands[3] = new ChassisCommand();
    subcommands[4] = new AgentCommand();
    subcommands[5] = new TokenCommand();
    subcommands[6] = new GatesCommand();
    System.arraycopy(more, 0, subcommands, 7, more.length);
    return RootCommand.with(subcommands)
        .registerConverter(ConnectAddress.class, ConnectAddress::parse)
        .registerConverter(FpgaEndpoint.class, RemoteSwitchOptions::fpga);
  }
}
