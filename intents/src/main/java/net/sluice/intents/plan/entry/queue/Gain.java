package net.sluice.intents.plan.entry.queue;

import java.util.Locale;

/** How boldly a port's congestion threshold is moved at each step. */
public enum Gain {
  /** For fast ports: many packets arrive between steps. */
  FAST,
  /** In between. */
  MEDIUM,
  /** For slow ports: few packets arrive between steps. */
  SLOW;

  private final String text = name().toLowerCase(Locale.ROOT);

  /** As people are told it: {@code fast}. */
  public String text() {
    return text;
  }
}
