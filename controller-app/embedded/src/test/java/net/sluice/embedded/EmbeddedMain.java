package net.sluice.embedded;

import java.util.Optional;
import net.sluice.cli.RootCommand;
import net.sluice.standalone.Main;
import picocli.CommandLine;

/** The controller's command line with emulated targets. */
final class EmbeddedMain {
  private EmbeddedMain() {}

  static CommandLine commandLine() {
    return Main.commandLine(Optional.of(new EmbeddedOptions()));
  }

  public static void main(String[] args) {
    RootCommand.exit(commandLine(), args);
  }
}
