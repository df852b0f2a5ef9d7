package net.sluice.core.store;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Tariff;
import net.sluice.intents.plan.Change;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SubscriberState;

/** Changes to commit together. The last change of a record counts. Not thread-safe. */
public final class StoreBatch {
  private final Map<String, Optional<SubscriberState>> subscribers;
  private final Map<String, Optional<PolicyState>> policies = new LinkedHashMap<>();
  private final Map<String, Optional<RateLimit>> rateLimits = new LinkedHashMap<>();
  private final Map<String, Optional<Tariff>> tariffs = new LinkedHashMap<>();
  private List<Change> announced = List.of();

  /** An empty batch. */
  public StoreBatch() {
    subscribers = new LinkedHashMap<>();
  }

  /** An empty batch that has room for as many subscribers as another one. */
  public StoreBatch(StoreBatch likely) {
    subscribers = new LinkedHashMap<>((likely.subscribers.size() * 4 + 2) / 3);
  }

  /** Writes a subscriber. */
  public void put(SubscriberState subscriber) {
    subscribers.put(subscriber.subscriber().id(), Optional.of(subscriber));
  }

  /** Writes a policy. */
  public void put(PolicyState policy) {
    policies.put(policy.policy().id(), Optional.of(policy));
  }

  /** Writes a rate limit. */
  public void put(RateLimit limit) {
    rateLimits.put(limit.id(), Optional.of(limit));
  }

  /** Writes a tariff. */
  public void put(Tariff tariff) {
    tariffs.put(tariff.id(), Optional.of(tariff));
  }

  /** Deletes a tariff. */
  public void deleteTariff(String id) {
    tariffs.put(id, Optional.empty());
  }

  /** Tariffs written, and deleted ones with an empty value. */
  public Map<String, Optional<Tariff>> tariffs() {
    return tariffs;
  }

  /** Adds the changes of another one, which come after those here. */
  public void add(StoreBatch later) {
    subscribers.putAll(later.subscribers);
    policies.putAll(later.policies);
    rateLimits.putAll(later.rateLimits);
    tariffs.putAll(later.tariffs);
  }

  /** Deletes a subscriber. */
  public void deleteSubscriber(String id) {
    subscribers.put(id, Optional.empty());
  }

  /** Deletes a policy. */
  public void deletePolicy(String id) {
    policies.put(id, Optional.empty());
  }

  /** Deletes a rate limit. */
  public void deleteRateLimit(String id) {
    rateLimits.put(id, Optional.empty());
  }

  /** Subscribers written, and deleted ones with an empty value. */
  public Map<String, Optional<SubscriberState>> subscribers() {
    return subscribers;
  }

  /** Policies written, and deleted ones with an empty value. */
  public Map<String, Optional<PolicyState>> policies() {
    return policies;
  }

  /** Rate limits written, and deleted ones with an empty value. */
  public Map<String, Optional<RateLimit>> rateLimits() {
    return rateLimits;
  }

  /** Sets the changes that the commit records in their order, see {@link ChangeRecords}. */
  public void announce(List<Change> changes) {
    announced = changes;
  }

  /** The changes of which the commit tells; none at first. */
  public List<Change> announced() {
    return announced;
  }

  /** True if there is nothing to store. There may be changes to record. */
  public boolean isEmpty() {
    return subscribers.isEmpty() && policies.isEmpty() && rateLimits.isEmpty() && tariffs.isEmpty();
  }

  /** True if there is nothing to store and no change to record. */
  public boolean isIdle() {
    return isEmpty() && announced.isEmpty();
  }
}
