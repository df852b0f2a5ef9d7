package net.sluice.core;

import java.util.Locale;

/** What can be declared. */
public enum Kind {
  /** An SLA class. */
  POLICY,
  /** A subscriber. */
  SUBSCRIBER,
  /** A limit of a subscriber, a tree or a port. */
  RATE_LIMIT;

  private final String text = name().toLowerCase(Locale.ROOT).replace('_', '-');

  /** {@code policy}, {@code subscriber} or {@code rate-limit}. */
  public String text() {
    return text;
  }
}
