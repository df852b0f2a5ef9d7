package net.sluice.onos;

import com.google.common.base.CaseFormat;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import net.sluice.cli.OptionException;
import net.sluice.cli.Options;
import net.sluice.intents.value.InvalidValueException;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * Reads properties as the options that {@code sluice serve} has for the same: {@code webhookAllow}
 * is {@code --webhook-allow}.
 */
final class PropertyOptions {
  private static final Pattern OPTION = Pattern.compile("--[a-z][a-z-]*[a-z]");

  private PropertyOptions() {}

  /** The property that an option is. */
  static String property(String option) {
    return CaseFormat.LOWER_HYPHEN.to(CaseFormat.LOWER_CAMEL, option.substring(2));
  }

  /** The properties that some options are. */
  static Set<String> names(Object options) {
    Set<String> names = new LinkedHashSet<>();
    for (OptionSpec option : new CommandLine(options).getCommandSpec().options()) {
      names.add(property(option.longestName()));
    }
    return names;
  }

  /**
   * Fills in options.
   *
   * @param values of properties; what is blank, or has no option here, is left out
   * @throws InvalidValueException if one is not acceptable
   */
  static <T> T read(T options, Map<String, String> values) {
    CommandLine line = new CommandLine(options);
    Options.prepare(line);
    List<String> given = new ArrayList<>();
    for (OptionSpec option : line.getCommandSpec().options()) {
      String name = property(option.longestName());
      String value = values.getOrDefault(name, "").trim();
      if (option.arity().max() > 0 && !value.isEmpty()) {
        given.add(option.longestName() + "=" + value.replaceAll("\\s*,\\s*", ","));
      } else if (value.equals("true")) {
        given.add(option.longestName());
      } else if (!value.isEmpty() && !value.equals("false")) {
        throw new InvalidValueException(name, value, "true or false");
      }
    }
    try {
      line.parseArgs(given.toArray(String[]::new));
      Options.checkRanges(line.getParseResult());
      return options;
    } catch (ParameterException e) {
      throw refusal(Options.refusal(e).orElseThrow(() -> e), values);
    }
  }

  /** The refusal of an option as one of its property. */
  static InvalidValueException refusal(OptionException e, Map<String, String> values) {
    String name = property(e.option());
    String allowed = OPTION.matcher(e.allowed()).replaceAll(option -> property(option.group()));
    return new InvalidValueException(name, values.getOrDefault(name, ""), allowed);
  }
}
