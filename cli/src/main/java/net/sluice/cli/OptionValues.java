package net.sluice.cli;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import picocli.CommandLine.ITypeConverter;

/** Reads option values from text; each refusal is one {@link OptionException}. */
public final class OptionValues {
  private static final String OUTPUT_FILE =
      "a file name in an existing folder that can be written to";

  private OptionValues() {}

  /** A whole number in {@code [min, max]}. */
  public static long wholeNumber(String option, String text, long min, long max) {
    String allowed = "a whole number, " + min + " to " + max;
    long value;
    try {
      value = Long.parseLong(text.strip());
    } catch (NumberFormatException e) {
      throw new OptionException(option, text, allowed);
    }
    if (value < min || value > max) {
      throw new OptionException(option, text, allowed);
    }
    return value;
  }

  /** A decimal number in {@code [min, max]}. */
  public static double decimal(String option, String text, double min, double max) {
    String allowed = "a number, " + plain(min) + " to " + plain(max);
    double value;
    try {
      value = Double.parseDouble(text.strip());
    } catch (NumberFormatException e) {
      throw new OptionException(option, text, allowed);
    }
    if (!(value >= min && value <= max)) {
      throw new OptionException(option, text, allowed);
    }
    return value;
  }

  /** A rate in {@code [minBps, maxBps]}, see {@link WrittenRates}. */
  public static long rate(String option, String text, long minBps, long maxBps) {
    OptionalLong rate = WrittenRates.parse(text);
    if (rate.isEmpty() || rate.getAsLong() < minBps || rate.getAsLong() > maxBps) {
      throw new OptionException(option, text, rateRange(minBps, maxBps));
    }
    return rate.getAsLong();
  }

  /** The range that {@link #rate} allows, as text. */
  public static String rateRange(long minBps, long maxBps) {
    return "a rate in bit/s, %s to %s, written like 400k, 2.5M or 1G"
        .formatted(WrittenRates.text(minBps), WrittenRates.text(maxBps));
  }

  /**
   * A file to be read: it is there, and may be read.
   *
   * @param text null if the option was not given, which is not allowed
   */
  public static Path inputFile(String option, String text) {
    try {
      Path path = Path.of(text == null ? "" : text);
      if (Files.isRegularFile(path) && Files.isReadable(path)) {
        return path;
      }
    } catch (InvalidPathException e) {
      // Said below.
    }
    throw unreadable(option, text);
  }

  /** The refusal of a file that cannot be read. */
  public static OptionException unreadable(String option, String text) {
    return new OptionException(option, text == null ? "" : text, "a file that can be read");
  }

  /** Reads options that name a file to be written, see {@link #outputFile}. */
  public static final class OutputFile implements ITypeConverter<Path> {
    @Override
    public Path convert(String text) {
      return outputFile(text).orElseThrow(() -> new InvalidOption(OUTPUT_FILE));
    }
  }

  /** A file to be written: its folder exists and it is not a folder itself. */
  public static Path outputFile(String option, String text) {
    return outputFile(text).orElseThrow(() -> new OptionException(option, text, OUTPUT_FILE));
  }

  private static Optional<Path> outputFile(String text) {
    Path path;
    try {
      path = Path.of(text);
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
    Path folder = path.toAbsolutePath().getParent();
    boolean writable =
        Files.exists(path) ? Files.isWritable(path) : folder != null && Files.isWritable(folder);
    return text.isBlank() || Files.isDirectory(path) || !writable
        ? Optional.empty()
        : Optional.of(path);
  }

  private static String plain(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }
}
