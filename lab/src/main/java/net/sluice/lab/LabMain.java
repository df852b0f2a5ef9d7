package net.sluice.lab;

import net.sluice.lab.bench.BenchCommand;
import net.sluice.lab.demo.DemoCommand;
import net.sluice.lab.experiment.ExperimentCommand;
import net.sluice.lab.fit.FitCommand;
import net.sluice.standalone.Logging;
import net.sluice.standalone.Main;
import picocli.CommandLine;

/**
 * Entry point of {@code ./sluice} in a checkout: the controller's commands and, beside them, those
 * that measure it. Exit codes as of {@link Main}.
 */
public final class LabMain {
  private LabMain() {}

  /** Runs the command line and exits the process with its exit code. */
  public static void main(String[] args) {
    Logging.configure();
    System.exit(commandLine().execute(args));
  }

  /** The command line with all its subcommands. */
  public static CommandLine commandLine() {
    return Main.with(
        line -> {
          line.addSubcommand(new DemoCommand());
          line.addSubcommand(new ExperimentCommand());
          line.addSubcommand(new BenchCommand());
          line.getSubcommands().get("profile").addSubcommand(new FitCommand());
        });
  }
}
