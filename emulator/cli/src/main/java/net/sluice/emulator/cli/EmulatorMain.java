package net.sluice.emulator.cli;

import net.sluice.cli.RootCommand;
import net.sluice.emulator.cli.live.SwitchCommand;
import net.sluice.emulator.cli.stf.StfCommand;
import net.sluice.emulator.cli.trace.TraceCommand;

/** Entry point of the emulator by itself: switch, traces and packet tests. */
public final class EmulatorMain {
  private EmulatorMain() {}

  /** The emulator's subcommands of {@code sluice}. */
  public static Object[] commands() {
    return new Object[] {new SwitchCommand(), new TraceCommand(), new StfCommand()};
  }

  /** Runs the command line and exits the process; exit codes as of {@link RootCommand}. */
  public static void main(String[] args) {
    RootCommand.exit(RootCommand.with(commands()), args);
  }
}
