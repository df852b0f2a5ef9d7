package net.sluice.intents.compile;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.state.SubscriberState;
import net.sluice.intents.validate.Incompatibilities;
import net.sluice.intents.validate.Incompatibilities.Misfit;
import net.sluice.intents.validate.Problems;

/**
 * Admits all that is stored, with what is allocated to it, by the rules of a declaration that is
 * put now: under another topology or another profile than it was accepted under, some of it may no
 * longer fit. Keeps the first misfits and counts the others, so that millions can pass.
 *
 * <p>What was accepted under a topology and profiles is admitted under the same.
 */
public final class Revalidation {
  private final PolicyCompiler policies;
  private final SubscriberCompiler subscribers;
  private final RateLimitCompiler rateLimits;
  private final TariffCompiler tariffs;

  private final Map<Kind, Long> stored = new EnumMap<>(Kind.class);
  private final Map<Kind, Long> refused = new EnumMap<>(Kind.class);
  private final Map<Kind, List<Misfit>> first = new EnumMap<>(Kind.class);

  Revalidation(
      PolicyCompiler policies,
      SubscriberCompiler subscribers,
      RateLimitCompiler rateLimits,
      TariffCompiler tariffs) {
    this.policies = policies;
    this.subscribers = subscribers;
    this.rateLimits = rateLimits;
    this.tariffs = tariffs;
  }

  /**
   * Admits a subscriber.
   *
   * @param state all policies and rate limits, and the subscribers admitted so far without this one
   */
  public void admit(SlaState state, SubscriberState subscriber) {
    Problems problems = new Problems();
    subscribers.readmit(state, subscriber, problems);
    count(Kind.SUBSCRIBER, subscriber.subscriber().id(), problems);
  }

  /**
   * Admits the policies, tariffs and rate limits.
   *
   * @param state all that is stored
   * @param policySlots the policies, in the order to name them in
   * @param limits the rate limits, in the order to name them in
   */
  public void admit(SlaState state, Iterable<PolicyState> policySlots, Iterable<RateLimit> limits) {
    for (PolicyState policy : policySlots) {
      Problems problems = new Problems();
      policies.readmit(state, policy, problems);
      count(Kind.POLICY, policy.policy().id(), problems);
    }
    state
        .allTariffs()
        .forEach(
            tariff -> {
              Problems problems = new Problems();
              tariffs.readmit(state, tariff, problems);
              count(Kind.TARIFF, tariff.id(), problems);
            });
    for (RateLimit limit : limits) {
      Problems problems = new Problems();
      rateLimits.readmit(state, limit, problems);
      count(Kind.RATE_LIMIT, limit.id(), problems);
    }
  }

  private void count(Kind kind, String id, Problems problems) {
    stored.merge(kind, 1L, Long::sum);
    if (problems.isEmpty()) {
      return;
    }
    refused.merge(kind, 1L, Long::sum);
    List<Misfit> named = first.computeIfAbsent(kind, k -> new ArrayList<>());
    if (named.size() < Incompatibilities.NAMED) {
      named.add(new Misfit(kind, id, problems.all()));
    }
  }

  /** The declarations that were not admitted. */
  public Incompatibilities misfits() {
    List<Misfit> named =
        first.values().stream().flatMap(List::stream).limit(Incompatibilities.NAMED).toList();
    return new Incompatibilities(stored, refused, named);
  }
}
