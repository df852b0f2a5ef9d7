package net.sluice.lab.report;

import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;

/** The foot of a page: when it was made, of which sources and by which command. */
public final class RunFoot {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("d MMMM yyyy, HH:mm 'UTC'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  private RunFoot() {}

  /** The foot of a page that a command writes now. */
  public static String of(CommandSpec spec, Clock clock) {
    CommandSpec root = spec.root();
    String version = String.join(", ", root.commandLine().getCommandSpec().version());
    List<String> given =
        root.commandLine().getParseResult() == null
            ? List.of(spec.name())
            : root.commandLine().getParseResult().originalArgs();
    String command =
        Stream.concat(Stream.of("./sluice"), given.stream().map(RunFoot::quoted))
            .collect(Collectors.joining(" "));
    return TIME.format(clock.instant()) + " · " + version + " · " + command;
  }

  private static String quoted(String word) {
    return word.matches("[\\w@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
