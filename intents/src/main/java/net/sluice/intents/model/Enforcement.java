package net.sluice.intents.model;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The means to enforce a rate limit. */
public enum Enforcement {
  /** A shaping FPGA: what is above the limit waits in a queue. */
  FPGA,
  /** The switch itself: what is above the limit waits in its loop ports. */
  SHAPE,
  /** The switch's meters: what is above the limit is dropped. */
  POLICE;

  private final String text = name().toLowerCase(Locale.ROOT);

  /** {@code fpga}, {@code shape} or {@code police}. */
  public String text() {
    return text;
  }

  /** The one of that text. */
  public static Optional<Enforcement> of(String text) {
    return Arrays.stream(values()).filter(each -> each.text.equals(text)).findAny();
  }

  /** The allowed texts, for messages. */
  public static String texts() {
    String all = Arrays.stream(values()).map(Enforcement::text).collect(Collectors.joining(", "));
    int last = all.lastIndexOf(", ");
    return all.substring(0, last) + " or" + all.substring(last + 1);
  }
}
