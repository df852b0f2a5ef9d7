package net.sluice.intents.model;

import java.util.Locale;
import java.util.Optional;

/** A kind of declaration, with the names it has in the API. */
public enum Kind {
  /** An SLA class. */
  POLICY("policies", "policy"),
  /** A subscriber. */
  SUBSCRIBER("subscribers", "subscriber"),
  /** A limit of a subscriber, a tree or a port. */
  RATE_LIMIT("rate-limits", "rateLimit"),
  /** A policy and a rate limit as they are sold. */
  TARIFF("tariffs", "tariff");

  private static final Kind[] ALL = values();

  private final String text = name().toLowerCase(Locale.ROOT).replace('_', '-');
  private final String words = text.replace('-', ' ');
  private final String path;
  private final String field;

  Kind(String path, String field) {
    this.path = path;
    this.field = field;
  }

  /** The kind whose {@link #text} this is. */
  public static Optional<Kind> of(String text) {
    for (Kind kind : ALL) {
      if (kind.text.equals(text)) {
        return Optional.of(kind);
      }
    }
    return Optional.empty();
  }

  /** {@code policy}, {@code subscriber}, {@code rate-limit} or {@code tariff}. */
  public String text() {
    return text;
  }

  /** Path segment of the list, such as {@code policies} or {@code rate-limits}. */
  public String path() {
    return path;
  }

  /** Whether it is declared once for all switches of a network, and not for one of them. */
  public boolean isOfNetwork() {
    return this == POLICY || this == TARIFF;
  }

  /** Field that names one in a problem, such as {@code policy} or {@code rateLimit}. */
  public String field() {
    return field;
  }

  /** For people, such as {@code policy} or {@code rate limit}. */
  public String words() {
    return words;
  }
}
