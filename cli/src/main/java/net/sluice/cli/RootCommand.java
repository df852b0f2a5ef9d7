package net.sluice.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.Properties;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/**
 * The command {@code sluice}, to which modules add subcommands.
 *
 * <p>Exit codes: 0 done, 1 the work failed, 2 it could not start: bad arguments, or something it
 * needs (a port, a directory) is not available.
 */
@Command(
    name = "sluice",
    description = "Controller for per-subscriber SLAs.",
    mixinStandardHelpOptions = true,
    versionProvider = RootCommand.Version.class,
    subcommands = CommandLine.HelpCommand.class)
public final class RootCommand implements Runnable {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  private RootCommand() {}

  /** The version and the commit that the build was made from, unless its launcher knows better. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() throws IOException {
      Properties build = new Properties();
      try (InputStream noted = RootCommand.class.getResourceAsStream("build.properties")) {
        build.load(noted);
      }
      return new String[] {
        "sluice " + build.getProperty("version"),
        "commit " + System.getProperty("sluice.commit", build.getProperty("commit"))
      };
    }
  }

  /**
   * The command line with these subcommands, objects with picocli's annotations or command lines.
   * All read numbers and addresses alike and tell of a bad value in one line.
   */
  public static CommandLine with(Object... subcommands) {
    CommandLine line = new CommandLine(new RootCommand());
    for (Object subcommand : subcommands) {
      line.addSubcommand(subcommand);
    }
    Options.prepare(line);
    return line.setCaseInsensitiveEnumValuesAllowed(true)
        .registerConverter(InetSocketAddress.class, ListenAddress::parse)
        .setParameterExceptionHandler(RootCommand::refuse)
        .setExecutionExceptionHandler(RootCommand::report);
  }

  /** Runs a command line and exits the process with its exit code. */
  public static void exit(CommandLine line, String... args) {
    Logging.configure();
    System.exit(line.execute(args));
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Say what to do, for example: sluice serve");
  }

  /** One line that says what is wrong, rather than the whole usage text. */
  private static int refuse(ParameterException failure, String[] args) throws Exception {
    CommandLine command = failure.getCommandLine();
    Optional<OptionException> value = Options.refusal(failure);
    if (value.isPresent()) {
      return report(value.get(), command, null);
    }
    PrintWriter err = command.getErr();
    err.println("sluice: " + failure.getMessage());
    err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    err.flush();
    return StartFailure.EXIT_CODE;
  }

  /** One line for what the user can mend, a stack trace only for a fault of the program. */
  private static int report(Exception failure, CommandLine command, CommandLine.ParseResult parsed)
      throws Exception {
    if (failure instanceof StartFailure || failure instanceof OptionException) {
      PrintWriter err = command.getErr();
      err.println("sluice: " + where(failure, command) + failure.getMessage());
      err.flush();
      return StartFailure.EXIT_CODE;
    }
    throw failure;
  }

  /** Where the option is that a failure is about, if that is not the command line. */
  private static String where(Exception failure, CommandLine command) {
    return failure instanceof OptionException refused
            && command.getCommandSpec().userObject() instanceof OptionSource source
        ? source.sourceOf(refused.option()).map(where -> where + ": ").orElse("")
        : "";
  }
}
