package net.sluice.intents.model;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The gate of a rate limit's queue. */
public enum Gate {
  /** Packets pass at the limit's rate. */
  OPEN,
  /** No packet passes; packets wait in the queue. */
  CLOSED;

  private final String text = name().toLowerCase(Locale.ROOT);

  /** {@code open} or {@code closed}. */
  public String text() {
    return text;
  }

  /** The one of that text. */
  public static Optional<Gate> of(String text) {
    return Arrays.stream(values()).filter(each -> each.text.equals(text)).findAny();
  }

  /** The allowed texts, for messages. */
  public static String texts() {
    return Arrays.stream(values()).map(Gate::text).collect(Collectors.joining(" or "));
  }
}
