package net.sluice.intents.model;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import net.sluice.intents.model.schedule.Schedule;
import net.sluice.intents.value.Ids;

/**
 * A product of an operator: a policy and a rate limit that any number of subscribers have, each
 * with a limit of its own that is made of it.
 *
 * @param id identifier, see {@link Ids}
 * @param policyId the policy of its subscribers
 * @param upstreamPolicyId that of their upstream traffic, if it is another one
 * @param limit the values of each subscriber's limit; without a rate there is none
 * @param schedule rates of these limits at times
 * @param labels an operator's own words
 * @param displayName its name for people, see {@link PlainText}
 */
public record Tariff(
    String id,
    String policyId,
    Optional<String> upstreamPolicyId,
    LimitValues limit,
    Schedule<LimitTerms.Holding> schedule,
    Labels labels,
    Optional<String> displayName)
    implements Declaration {
  /** Most tariffs of a network. */
  public static final int MOST = Short.MAX_VALUE;

  /** The beginning of ids of limits that tariffs make; no declaration can have such an id. */
  private static final String MADE = "~";

  public Tariff {
    Ids.require("id", id);
    Ids.require("policy", policyId);
    upstreamPolicyId.ifPresent(each -> Ids.require("upstreamPolicy", each));
    Objects.requireNonNull(limit, "limit");
    Objects.requireNonNull(schedule, "schedule");
    Objects.requireNonNull(labels, "labels");
    displayName.ifPresent(name -> PlainText.require("displayName", name, PlainText.MAX_NAME));
    // Refuses values of which no limit can be made.
    Optional<RateLimit> unused = limitOf(id, limit, schedule);
  }

  @Override
  public Kind kind() {
    return Kind.TARIFF;
  }

  /** The id of the limit that a subscriber has of its tariff. */
  public static String limitId(String subscriberId) {
    return MADE + subscriberId;
  }

  /** The subscriber whose tariff makes the limit with that id; empty if none does. */
  public static Optional<String> subscriberOf(String limitId) {
    return limitId.startsWith(MADE)
        ? Optional.of(limitId.substring(MADE.length()))
        : Optional.empty();
  }

  /** The limit that a subscriber under this tariff has; empty if that says no rate. */
  public Optional<RateLimit> limitOf(Subscriber subscriber) {
    return limitOf(
        subscriber.id(),
        subscriber.parts().tariff().orElseThrow().overrides().over(limit),
        schedule);
  }

  /** The limit that it makes where nothing is overridden; empty if it says no rate. */
  public Optional<RateLimit> plainLimit() {
    return limitOf(id, limit, schedule);
  }

  private static Optional<RateLimit> limitOf(
      String subscriberId, LimitValues values, Schedule<LimitTerms.Holding> schedule) {
    return values.limits()
        ? Optional.of(
            new RateLimit(
                limitId(subscriberId),
                new Scope.OfSubscriber(subscriberId),
                values.downBps(),
                values.upBps(),
                values.burstBytes(),
                values.enforcement(),
                values.gate().orElse(Gate.OPEN),
                OptionalInt.empty(),
                LimitTerms.of(
                    new LimitTerms.Rates(values.downBps(), values.upBps(), values.burstBytes()),
                    false,
                    schedule),
                Optional.empty(),
                values.delay()))
        : Optional.empty();
  }

  /** Whether its subscribers have that policy. */
  public boolean names(String otherPolicyId) {
    return policyId.equals(otherPolicyId) || upstreamPolicyId.equals(Optional.of(otherPolicyId));
  }

  /** Whether another one has the same policies. */
  public boolean hasPoliciesOf(Tariff other) {
    return policyId.equals(other.policyId) && upstreamPolicyId.equals(other.upstreamPolicyId);
  }

  /** The policies that a subscriber under this tariff has where it says nothing else. */
  SubscriberTerms.Holding.Has holding(TariffUse use) {
    return new SubscriberTerms.Holding.Has(
        use.policyId().orElse(policyId),
        // Who has another policy than the tariff's has that in both directions.
        use.upstreamPolicyId()
            .or(() -> use.policyId().isPresent() ? Optional.empty() : upstreamPolicyId));
  }
}
