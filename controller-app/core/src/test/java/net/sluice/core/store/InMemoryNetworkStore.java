package net.sluice.core.store;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A store in memory for each switch. */
public final class InMemoryNetworkStore implements NetworkStore {
  private final Map<String, InMemoryIntentStore> stores = new ConcurrentHashMap<>();
  private StoreException failure;

  /** The next commit of several switches fails. */
  public void failNext() {
    failure = new StoreException("cannot write: no space left");
  }

  @Override
  public IntentStore of(String switchName) {
    return stores.computeIfAbsent(switchName, unused -> new InMemoryIntentStore());
  }

  @Override
  public void commit(Map<String, StoreBatch> batches) {
    if (failure != null) {
      StoreException thrown = failure;
      failure = null;
      throw thrown;
    }
    batches.forEach((name, batch) -> of(name).commit(batch));
  }

  @Override
  public void close() {}
}
