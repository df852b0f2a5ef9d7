package net.sluice.standalone;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Consumer;
import net.sluice.core.ControllerConfig.FpgaEndpoint;
import net.sluice.standalone.cli.OptionException;
import net.sluice.standalone.cli.Options;
import net.sluice.standalone.fpgad.FpgaCommand;
import net.sluice.standalone.profile.ChassisCommand;
import net.sluice.standalone.profile.NetcfgCommand;
import net.sluice.standalone.profile.ProfileCommand;
import net.sluice.standalone.stf.StfCommand;
import net.sluice.standalone.switchd.SwitchCommand;
import net.sluice.standalone.trace.TraceCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/**
 * Entry point of the controller and of what stands in for its targets.
 *
 * <p>Exit codes: 0 done, 1 the work failed, 2 it could not start: bad arguments, or something it
 * needs (a port, a directory) is not available.
 */
@Command(
    name = "sluice",
    description = "Controller for per-subscriber SLAs.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    subcommands = {
      ServeCommand.class,
      SwitchCommand.class,
      FpgaCommand.class,
      StfCommand.class,
      ProfileCommand.class,
      NetcfgCommand.class,
      ChassisCommand.class,
      TraceCommand.class,
      CommandLine.HelpCommand.class
    })
public final class Main implements Runnable {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  /** The version and the commit that the build was made from, unless its launcher knows better. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() throws IOException {
      Properties build = new Properties();
      try (InputStream noted = Main.class.getResourceAsStream("build.properties")) {
        build.load(noted);
      }
      return new String[] {
        "sluice " + build.getProperty("version"),
        "commit " + System.getProperty("sluice.commit", build.getProperty("commit"))
      };
    }
  }

  /** Runs the command line and exits the process with its exit code. */
  public static void main(String[] args) {
    Logging.configure();
    System.exit(commandLine().execute(args));
  }

  /** The command line with all its subcommands. */
  static CommandLine commandLine() {
    return with(line -> {});
  }

  /**
   * The command line with more subcommands than its own.
   *
   * @param more adds them; what follows is set for every subcommand there is by then
   */
  public static CommandLine with(Consumer<CommandLine> more) {
    CommandLine line = new CommandLine(new Main());
    more.accept(line);
    Options.prepare(line);
    return line.setCaseInsensitiveEnumValuesAllowed(true)
        .registerConverter(InetSocketAddress.class, ListenAddress::parse)
        .registerConverter(ConnectAddress.class, ConnectAddress::parse)
        .registerConverter(FpgaEndpoint.class, RemoteSwitchOptions::fpga)
        .setParameterExceptionHandler(Main::refuse)
        .setExecutionExceptionHandler(Main::report);
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
      err.println("sluice: " + failure.getMessage());
      err.flush();
      return StartFailure.EXIT_CODE;
    }
    throw failure;
  }
}
