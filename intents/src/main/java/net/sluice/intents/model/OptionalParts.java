package net.sluice.intents.model;

import java.util.Objects;
import java.util.Optional;
import net.sluice.intents.model.aggregate.Aggregates;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.Ids;

/**
 * The parts of a {@link Subscriber} that most subscribers do not have. A part is a component here
 * with a {@code with} method.
 *
 * @param labels an operator's own words
 * @param aggregates its contract for many flows
 * @param terms of one that is not always treated alike
 * @param stopped whether none of its packets passes now
 * @param upstreamPolicyId the policy of its upstream traffic now, if one is named for that alone
 * @param displayName its name for people, see {@link PlainText}
 * @param tariff what it declares of its tariff, if it has one
 */
public record OptionalParts(
    Labels labels,
    Aggregates aggregates,
    Optional<SubscriberTerms> terms,
    boolean stopped,
    Optional<String> upstreamPolicyId,
    Optional<String> displayName,
    Optional<TariffUse> tariff) {
  /** No part. */
  public static final OptionalParts NONE =
      new OptionalParts(
          Labels.NONE,
          Aggregates.NONE,
          Optional.empty(),
          false,
          Optional.empty(),
          Optional.empty(),
          Optional.empty());

  public OptionalParts {
    Objects.requireNonNull(labels, "labels");
    Objects.requireNonNull(aggregates, "aggregates");
    Objects.requireNonNull(terms, "terms");
    upstreamPolicyId.ifPresent(id -> Ids.require(Subscriber.policyField(Direction.UP), id));
    displayName.ifPresent(name -> PlainText.require("displayName", name, PlainText.MAX_NAME));
    Objects.requireNonNull(tariff, "tariff");
  }

  /** Those of a subscriber without a tariff. */
  public OptionalParts(
      Labels labels,
      Aggregates aggregates,
      Optional<SubscriberTerms> terms,
      boolean stopped,
      Optional<String> upstreamPolicyId,
      Optional<String> displayName) {
    this(labels, aggregates, terms, stopped, upstreamPolicyId, displayName, Optional.empty());
  }

  /** The same with other labels. */
  public OptionalParts withLabels(Labels newLabels) {
    return new OptionalParts(
        newLabels, aggregates, terms, stopped, upstreamPolicyId, displayName, tariff);
  }

  /** The same with another contract. */
  public OptionalParts withAggregates(Aggregates newAggregates) {
    return new OptionalParts(
        labels, newAggregates, terms, stopped, upstreamPolicyId, displayName, tariff);
  }

  /** The same with other terms. */
  public OptionalParts withTerms(Optional<SubscriberTerms> newTerms) {
    return new OptionalParts(
        labels, aggregates, newTerms, stopped, upstreamPolicyId, displayName, tariff);
  }

  /** The same with packets that pass or do not. */
  public OptionalParts withStopped(boolean isStopped) {
    return new OptionalParts(
        labels, aggregates, terms, isStopped, upstreamPolicyId, displayName, tariff);
  }

  /** The same with another policy of its upstream traffic, or with none of its own. */
  public OptionalParts withUpstreamPolicy(Optional<String> policyId) {
    return new OptionalParts(labels, aggregates, terms, stopped, policyId, displayName, tariff);
  }

  /** The same with another name for people. */
  public OptionalParts withDisplayName(Optional<String> newDisplayName) {
    return new OptionalParts(
        labels, aggregates, terms, stopped, upstreamPolicyId, newDisplayName, tariff);
  }

  /** The same with another tariff, or with none. */
  public OptionalParts withTariff(Optional<TariffUse> other) {
    return new OptionalParts(
        labels, aggregates, terms, stopped, upstreamPolicyId, displayName, other);
  }

  /** True if the subscriber has none of them. */
  public boolean isNone() {
    return equals(NONE);
  }

  /** Those of which something on a target depends; kept in memory for each subscriber. */
  public OptionalParts onTargets() {
    return this == NONE || aggregates.isEmpty() && !stopped && upstreamPolicyId.isEmpty()
        ? NONE
        : new OptionalParts(
            Labels.NONE, aggregates, Optional.empty(), stopped, upstreamPolicyId, Optional.empty());
  }
}
