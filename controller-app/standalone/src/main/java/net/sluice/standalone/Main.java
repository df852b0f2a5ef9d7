package net.sluice.standalone;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.sluice.cli.RootCommand;
import net.sluice.client.ApplyCommand;
import net.sluice.client.BackupCommand;
import net.sluice.client.ExportCommand;
import net.sluice.client.ImportCommand;
import net.sluice.client.ReportCommand;
import net.sluice.client.RestoreCommand;
import net.sluice.client.TopCommand;
import net.sluice.client.UsageCommand;
import net.sluice.gates.GatesCommand;
import net.sluice.standalone.agent.AgentCommand;
import net.sluice.standalone.guard.TokenCommand;
import net.sluice.standalone.profile.ChassisCommand;
import net.sluice.standalone.profile.NetcfgCommand;
import net.sluice.standalone.profile.ProfileCommand;
import picocli.CommandLine;

/**
 * Entry point of the distribution: the controller, what prepares switches for it, and what
 * operators do with it.
 */
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
    List<Object> subcommands = new ArrayList<>();
    subcommands.add(ServeCommand.line(embedded, environment));
    subcommands.add(new ProfileCommand());
    subcommands.add(new NetcfgCommand());
    subcommands.add(new ChassisCommand());
    subcommands.add(new AgentCommand());
    subcommands.add(new TokenCommand());
    subcommands.add(new GatesCommand());
    subcommands.add(new ExportCommand());
    subcommands.add(new ReportCommand());
    subcommands.add(new SimulateCommand());
    subcommands.add(new ImportCommand());
    subcommands.add(new ApplyCommand());
    subcommands.add(new BackupCommand());
    subcommands.add(new RestoreCommand());
    subcommands.add(new UsageCommand());
    subcommands.add(new TopCommand());
    subcommands.addAll(List.of(more));
    return RootCommand.with(subcommands.toArray());
  }
}
