package net.sluice.intents.model;

import java.util.Objects;
import java.util.Optional;

/**
 * The parts of a {@link Subscriber} that most subscribers do not have. A part is a component here
 * with a {@code with} method, a tag in the store's record, and a field of its JSON form.
 *
 * @param labels an operator's own words
 * @param aggregates its contract for many flows
 * @param terms of one whose policy is not always the same
 */
public record OptionalParts(Labels labels, Aggregates aggregates, Optional<SubscriberTerms> terms) {
  /** No part. */
  public static final OptionalParts NONE =
      new OptionalParts(Labels.NONE, Aggregates.NONE, Optional.empty());

  public OptionalParts {
    Objects.requireNonNull(labels, "labels");
    Objects.requireNonNull(aggregates, "aggregates");
    Objects.requireNonNull(terms, "terms");
  }

  /** The same with other labels. */
  public OptionalParts withLabels(Labels newLabels) {
    return new OptionalParts(newLabels, aggregates, terms);
  }

  /** The same with another contract. */
  public OptionalParts withAggregates(Aggregates newAggregates) {
    return new OptionalParts(labels, newAggregates, terms);
  }

  /** The same with other terms. */
  public OptionalParts withTerms(Optional<SubscriberTerms> newTerms) {
    return new OptionalParts(labels, aggregates, newTerms);
  }

  /** True if the subscriber has none of them. */
  public boolean isNone() {
    return equals(NONE);
  }

  /** Those of which something on a target depends; kept in memory for each subscriber. */
  public OptionalParts onTargets() {
    return aggregates.isEmpty() ? NONE : NONE.withAggregates(aggregates);
  }
}
