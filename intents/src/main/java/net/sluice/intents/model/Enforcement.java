package net.sluice.intents.model;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The means to enforce a rate limit. */
public enum Enforcement {
  /** A shaping FPGA: what is above the limit waits in a queue. */
  FPGA,
  /** The switch's meters: what is above the limit is dropped. */
  POLICE;

  private final String text = name().toLowerCase(Locale.ROOT);

  /** {@code fpga} or {@code police}. */
  public String text() {
    return text;
  }

  /** The one of that text. */
  public static Optional<Enforcement> of(String text) {
    return Arrays.stream(values()).filter(each -> each.text.equals(text)).findAny();
  }

  /** The allowed texts, for messages. */
  public static String texts() {
    return Arrays.stream(values()).map(Enforcement::text).collect(Collectors.joining(" or "));
  }
}
