package net.sluice.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.sluice.cli.RootCommand;
import net.sluice.embedded.EmbeddedOptions;
import net.sluice.embedded.fpga.EmulatedFpgaCommand;
import net.sluice.emulator.cli.EmulatorMain;
import net.sluice.lab.bench.BenchCommand;
import net.sluice.lab.demo.DemoCommand;
import net.sluice.lab.fit.FitCommand;
import net.sluice.standalone.Main;
import picocli.CommandLine;

/**
 * Entry point of {@code ./sluice} in a checkout: the controller's commands, with emulated targets
 * for {@code serve}, the emulator's, and those that measure.
 */
public final class LabMain {
  private LabMain() {}

  /** Runs the command line and exits the process; exit codes as of {@link RootCommand}. */
  public static void main(String[] args) {
    RootCommand.exit(commandLine(), args);
  }

  /** The command line with all its subcommands. */
  public static CommandLine commandLine() {
    List<Object> more = new ArrayList<>(List.of(EmulatorMain.commands()));
    more.add(new EmulatedFpgaCommand());
    more.addAll(List.of(new DemoCommand(), ExperimentCommand.line(), new BenchCommand()));
    CommandLine line = Main.commandLine(Optional.of(new EmbeddedOptions()), more.toArray());
    line.getSubcommands().get("profile").addSubcommand(new FitCommand());
    return line;
  }
}
