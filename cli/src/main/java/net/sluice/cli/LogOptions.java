package net.sluice.cli;

import ch.qos.logback.classic.Level;
import java.util.Locale;
import java.util.Set;
import net.sluice.cli.Logging.Format;
import picocli.CommandLine.Option;

/** Level and format of the log, for commands that run until stopped. */
public final class LogOptions {
  private static final Set<String> LEVELS =
      Set.of("off", "error", "warn", "info", "debug", "trace");

  @Option(
      names = {"-L", "--log-level"},
      paramLabel = "LEVEL",
      defaultValue = "info",
      description =
          "Least level that is logged: error, warn, info, debug or trace; off for nothing."
              + " Default: ${DEFAULT-VALUE}")
  private String level;

  @Option(
      names = "--log-format",
      paramLabel = "FORMAT",
      defaultValue = "text",
      description =
          "How it is logged, on standard error: text, or json for an object a line. Default:"
              + " ${DEFAULT-VALUE}")
  private String format;

  /** Has it logged as the options say from now on. */
  public void apply() {
    if (!LEVELS.contains(level)) {
      throw new OptionException("--log-level", level, "error, warn, info, debug, trace or off");
    }
    if (!format.equals("text") && !format.equals("json")) {
      throw new OptionException("--log-format", format, "text or json");
    }
    Logging.configure(Level.valueOf(level), Format.valueOf(format.toUpperCase(Locale.ROOT)));
  }
}
