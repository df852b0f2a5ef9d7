package net.sluice.core.store;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Tariff;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SubscriberState;

/** Keeps the records that a store on disk keeps, but only as long as it is open. */
public final class InMemoryIntentStore implements IntentStore {
  private final ConcurrentSkipListMap<String, byte[]> subscribers = new ConcurrentSkipListMap<>();
  private final ConcurrentSkipListMap<String, byte[]> policies = new ConcurrentSkipListMap<>();
  private final ConcurrentSkipListMap<String, byte[]> rateLimits = new ConcurrentSkipListMap<>();
  private final ConcurrentSkipListMap<String, byte[]> tariffs = new ConcurrentSkipListMap<>();
  private final long identity;
  private final AtomicInteger openings;
  private final int mark;
  private volatile StoreHistory history = StoreHistory.NONE;

  /** An empty store, the same as every other one. */
  public InMemoryIntentStore() {
    this(0x5eed_0000_5eed_0001L);
  }

  /** An empty store of that identity. */
  public InMemoryIntentStore(long identity) {
    this(identity, new AtomicInteger());
  }

  private InMemoryIntentStore(long identity, AtomicInteger openings) {
    this.identity = identity;
    this.openings = openings;
    this.mark = openings.incrementAndGet();
  }

  /** What the store holds now, to be opened in its place later. */
  public synchronized InMemoryIntentStore copy() {
    InMemoryIntentStore copy = new InMemoryIntentStore(identity, openings);
    copy.subscribers.putAll(subscribers);
    copy.policies.putAll(policies);
    copy.rateLimits.putAll(rateLimits);
    copy.tariffs.putAll(tariffs);
    copy.history = StoreHistory.of(history.openings(), history.revision().number());
    return copy;
  }

  @Override
  public StoreHistory history() {
    return history;
  }

  @Override
  public long identity() {
    return identity;
  }

  @Override
  public synchronized void commit(StoreBatch batch) {
    if (batch.isEmpty()) {
      return;
    }
    batch.subscribers().forEach((id, s) -> set(subscribers, id, s.map(StoreCodec::encode)));
    batch.policies().forEach((id, p) -> set(policies, id, p.map(StoreCodec::encode)));
    batch.rateLimits().forEach((id, l) -> set(rateLimits, id, l.map(StoreCodec::encode)));
    batch.tariffs().forEach((id, t) -> set(tariffs, id, t.map(StoreCodec::encode)));
    history = history.with(mark, history.revision().number() + 1);
  }

  private static void set(Map<String, byte[]> records, String id, Optional<byte[]> value) {
    if (value.isPresent()) {
      records.put(id, value.get());
    } else {
      records.remove(id);
    }
  }

  @Override
  public Optional<SubscriberState> subscriber(String id) {
    return Optional.ofNullable(subscribers.get(id)).map(v -> StoreCodec.subscriber(id, v));
  }

  @Override
  public Optional<PolicyState> policy(String id) {
    return Optional.ofNullable(policies.get(id)).map(v -> StoreCodec.policy(id, v));
  }

  @Override
  public Optional<RateLimit> rateLimit(String id) {
    return Optional.ofNullable(rateLimits.get(id)).map(v -> StoreCodec.rateLimit(id, v));
  }

  @Override
  public Optional<Tariff> tariff(String id) {
    return Optional.ofNullable(tariffs.get(id)).map(v -> StoreCodec.tariff(id, v));
  }

  @Override
  public int scan(
      Kind kind, String afterId, long skip, int limit, Consumer<? super StoredRecord> out) {
    ConcurrentSkipListMap<String, byte[]> records =
        switch (kind) {
          case POLICY -> policies;
          case SUBSCRIBER -> subscribers;
          case RATE_LIMIT -> rateLimits;
          case TARIFF -> tariffs;
        };
    int[] count = new int[1];
    records.tailMap(afterId, false).entrySet().stream()
        .skip(skip)
        .limit(limit)
        .forEach(
            record -> {
              out.accept(new StoredRecord(kind, record.getKey(), record.getValue()));
              count[0]++;
            });
    return count[0];
  }

  @Override
  public void reopen() {}

  @Override
  public void close() {}
}
