package net.sluice.cli;

import java.lang.reflect.Field;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Rules for the options of every command: numbers, their ranges, and the refusal of one. */
public final class Options {
  private Options() {}

  /** Has a command and its subcommands read whole numbers, and keep them in their ranges. */
  public static void prepare(CommandLine line) {
    ITypeConverter<Long> number = text -> Long.valueOf(text.strip());
    ITypeConverter<Integer> small = text -> Integer.valueOf(text.strip());
    line.registerConverter(long.class, number)
        .registerConverter(Long.class, number)
        .registerConverter(int.class, small)
        .registerConverter(Integer.class, small)
        .setExecutionStrategy(
            parsed -> {
              checkRanges(parsed);
              return new CommandLine.RunLast().execute(parsed);
            });
  }

  /**
   * Has numbers that were read keep their ranges, which a command that runs does by itself.
   *
   * @throws ParameterException if one does not
   */
  public static void checkRanges(ParseResult parsed) {
    for (ArgSpec arg : parsed.matchedArgs()) {
      Range range = range(arg);
      if (range != null) {
        Object value = arg.getValue();
        List<?> values = value instanceof List<?> list ? list : List.of(value);
        for (int i = 0; i < values.size(); i++) {
          long number = ((Number) values.get(i)).longValue();
          if (number < range.min() || number > range.max()) {
            throw new OutOfRange(parsed, arg, arg.originalStringValues().get(i));
          }
        }
      }
    }
    if (parsed.hasSubcommand()) {
      checkRanges(parsed.subcommand());
    }
  }

  private static final class OutOfRange extends ParameterException {
    private static final long serialVersionUID = 1L;

    OutOfRange(ParseResult parsed, ArgSpec arg, String text) {
      super(
          parsed.commandSpec().commandLine(),
          text,
          new InvalidOption(allowed(range(arg))),
          arg,
          text);
    }
  }

  /** The refusal of a value that could not be read; empty for other failures of a command line. */
  public static Optional<OptionException> refusal(ParameterException failure) {
    ArgSpec arg = failure.getArgSpec();
    Throwable cause = failure.getCause();
    String allowed = null;
    if (cause instanceof InvalidOption) {
      allowed = cause.getMessage();
    } else if (cause instanceof NumberFormatException && range(arg) != null) {
      allowed = allowed(range(arg));
    }
    return Optional.ofNullable(allowed)
        .map(text -> new OptionException(name(arg), failure.getValue(), text));
  }

  /**
   * Refuses the first of some options that was given.
   *
   * @param command whose options they are
   * @param allowed what is allowed instead, a noun phrase
   * @throws OptionException if one was
   */
  public static void refuse(CommandSpec command, String allowed, String... options) {
    for (String name : options) {
      OptionSpec option = command.commandLine().getParseResult().matchedOption(name);
      if (option != null) {
        String text = option.arity().max() == 0 ? "" : option.originalStringValues().get(0);
        throw new OptionException(name, text, allowed);
      }
    }
  }

  private static String name(ArgSpec arg) {
    return arg instanceof OptionSpec option ? option.names()[0] : arg.paramLabel();
  }

  private static Range range(ArgSpec arg) {
    return arg.userObject() instanceof Field field ? field.getAnnotation(Range.class) : null;
  }

  private static String allowed(Range range) {
    return range.rate()
        ? OptionValues.rateRange(range.min(), range.max())
        : "a whole number, " + range.min() + " to " + range.max();
  }
}
