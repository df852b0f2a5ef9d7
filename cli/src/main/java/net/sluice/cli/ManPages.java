package net.sluice.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Manual pages of a command and its subcommands, one each, in troff with the macros man(7). */
public final class ManPages {
  private final String version;

  /** Pages that name a version, such as {@code sluice 1.0.0}. */
  public ManPages(String version) {
    this.version = version;
  }

  /**
   * Writes the page of a command, such as {@code sluice-token-add.1}, and those of its subcommands.
   *
   * @param folder where to; it is there
   */
  public void write(CommandLine command, Path folder) throws IOException {
    Files.writeString(folder.resolve(name(command.getCommandSpec()) + ".1"), page(command));
    for (CommandLine subcommand : subcommands(command)) {
      write(subcommand, folder);
    }
  }

  /** The page of a command. */
  String page(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    String name = name(spec);
    String words = words(spec.usageMessage().description());
    StringBuilder page = new StringBuilder(1024);
    page.append(
        ".TH \"%s\" 1 \"\" \"%s\" \"Sluice\"\n".formatted(name.toUpperCase(Locale.ROOT), version));
    page.append(".nh\n.ad l\n");
    page.append(".SH NAME\n").append(text(name)).append(" \\- ").append(text(summary(words)));
    page.append("\n.SH SYNOPSIS\n.B ").append(text(spec.qualifiedName())).append('\n');
    List<OptionSpec> options = spec.options().stream().filter(each -> !each.hidden()).toList();
    List<PositionalParamSpec> parameters = spec.positionalParameters();
    for (OptionSpec option : options) {
      if (option.required()) {
        page.append(option(option.longestName(), option)).append('\n');
      }
    }
    page.append("[\\fIOPTIONS\\fR]\n");
    for (PositionalParamSpec parameter : parameters) {
      String label = "\\fI" + text(parameter.paramLabel()) + "\\fR";
      page.append(parameter.required() ? label : "[" + label + "]").append('\n');
    }
    List<CommandLine> subcommands = subcommands(command);
    if (!subcommands.isEmpty()) {
      page.append("\\fICOMMAND\\fR\n");
    }
    page.append(".SH DESCRIPTION\n").append(text(words)).append('\n');
    if (!subcommands.isEmpty()) {
      page.append(".SH COMMANDS\n");
      for (CommandLine subcommand : subcommands) {
        CommandSpec of = subcommand.getCommandSpec();
        page.append(".TP\n.BR ").append(text(name(of))).append(" (1)\n");
        page.append(text(words(of.usageMessage().description()))).append('\n');
      }
    }
    if (!parameters.isEmpty()) {
      page.append(".SH PARAMETERS\n");
      for (PositionalParamSpec parameter : parameters) {
        page.append(".TP\n\\fI").append(text(parameter.paramLabel())).append("\\fR\n");
        page.append(text(words(parameter.description()))).append('\n');
      }
    }
    page.append(".SH OPTIONS\n");
    for (OptionSpec option : options) {
      page.append(".TP\n");
      List<String> names = new ArrayList<>();
      for (String each : option.names()) {
        names.add(option(each, option));
      }
      page.append(String.join(", ", names)).append('\n');
      page.append(text(words(option.description())));
      page.append(option.isMultiValue() ? "\nMay be repeated.\n" : "\n");
    }
    page.append(".SH \"EXIT STATUS\"\n0: done. 1: the work failed. 2: it could not start.\n");
    page.append(".SH \"SEE ALSO\"\n").append(also(command)).append('\n');
    return page.toString();
  }

  /** The sentence of an option or parameter, with its defaults; empty if it has none. */
  public static String words(ArgSpec of) {
    return words(of.description());
  }

  private static String words(String... description) {
    return String.join(" ", description)
        .replace("%n", " ")
        .replace("%%", "%")
        .replaceAll("\\s+", " ")
        .strip();
  }

  /** The first sentence, as it stands behind a name. */
  private static String summary(String words) {
    int end = words.indexOf(". ");
    String first = end < 0 ? words : words.substring(0, end);
    String plain = first.endsWith(".") ? first.substring(0, first.length() - 1) : first;
    return plain.isEmpty()
        ? plain
        : plain.substring(0, 1).toLowerCase(Locale.ROOT) + plain.substring(1);
  }

  private static String option(String name, OptionSpec option) {
    String bold = "\\fB" + text(name) + "\\fR";
    return option.arity().max() == 0 ? bold : bold + " \\fI" + text(option.paramLabel()) + "\\fR";
  }

  private String also(CommandLine command) {
    Set<String> names = new LinkedHashSet<>();
    for (CommandLine at = command.getParent(); at != null; at = at.getParent()) {
      names.add(name(at.getCommandSpec()));
    }
    if (names.isEmpty()) {
      subcommands(command).forEach(each -> names.add(name(each.getCommandSpec())));
    }
    return names.stream()
        .map(name -> "\\fB" + text(name) + "\\fR(1)")
        .collect(Collectors.joining(",\n"));
  }

  /** The subcommands but {@code help}, which the pages are in place of. */
  private static List<CommandLine> subcommands(CommandLine command) {
    return command.getSubcommands().values().stream()
        .filter(each -> !each.getCommandSpec().helpCommand())
        .distinct()
        .toList();
  }

  private static String name(CommandSpec spec) {
    return spec.qualifiedName("-");
  }

  /** Text in which troff finds no requests of its own. */
  private static String text(String words) {
    String escaped = words.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq");
    return escaped.startsWith(".") ? "\\&" + escaped : escaped;
  }
}
