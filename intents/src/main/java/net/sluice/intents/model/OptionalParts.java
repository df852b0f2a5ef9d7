package net.sluice.intents.model;

import java.util.Objects;

/**
 * The parts of a {@link Subscriber} that most subscribers do not have. A part is a component here
 * with a {@code with} method, a tag in the store's record, and a field of its JSON form.
 *
 * @param labels an operator's own words
 * @param aggregates its contract for many flows
 */
public record OptionalParts(Labels labels, Aggregates aggregates) {
  /** No part. */
  public static final OptionalParts NONE = new OptionalParts(Labels.NONE, Aggregates.NONE);

  public OptionalParts {
    Objects.requireNonNull(labels, "labels");
    Objects.requireNonNull(aggregates, "aggregates");
  }

  /** The same with other labels. */
  public OptionalParts withLabels(Labels newLabels) {
    return new OptionalParts(newLabels, aggregates);
  }

  /** The same with another contract. */
  public OptionalParts withAggregates(Aggregates newAggregates) {
    return new OptionalParts(labels, newAggregates);
  }

  /** True if the subscriber has none of them. */
  public boolean isNone() {
    return equals(NONE);
  }

  /** Those of which something on a target depends; kept in memory for each subscriber. */
  public OptionalParts onTargets() {
    return withLabels(Labels.NONE);
  }
}
