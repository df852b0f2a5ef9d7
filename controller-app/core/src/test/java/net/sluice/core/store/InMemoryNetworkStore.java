package net.sluice.core.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** A store in memory for each switch. */
public final class InMemoryNetworkStore implements NetworkStore {
  private final Map<String, InMemoryIntentStore> stores = new ConcurrentHashMap<>();
  private final List<Set<String>> commits = new ArrayList<>();
  private final CountDownLatch begun = new CountDownLatch(1);
  private Map<String, Long> lastSeen = Map.of();
  private int failing;
  private CountDownLatch held;

  /** The next commit of several switches fails. */
  public void failNext() {
    failAt(commits.size() + 1);
  }

  /** The commit of several switches with that number, from 1, fails. */
  public synchronized void failAt(int commit) {
    failing = commit;
  }

  /** The next commit of several switches waits until {@link #release}. */
  public synchronized void holdNext() {
    held = new CountDownLatch(1);
  }

  /** Returns when the commit that is held has begun. */
  public void awaitHeld() throws InterruptedException {
    begun.await();
  }

  /** Lets the commit that is held go on. */
  public synchronized void release() {
    held.countDown();
    held = null;
  }

  /** The switches of each commit of several, with those that failed. */
  public synchronized List<Set<String>> commits() {
    return List.copyOf(commits);
  }

  @Override
  public IntentStore of(String switchName) {
    return stores.computeIfAbsent(switchName, unused -> new InMemoryIntentStore());
  }

  @Override
  public boolean holds(String switchName) {
    return stores.containsKey(switchName);
  }

  @Override
  public void commit(Map<String, StoreBatch> batches) {
    CountDownLatch latch;
    synchronized (this) {
      latch = held;
      commits.add(Set.copyOf(batches.keySet()));
      if (commits.size() == failing) {
        throw new StoreException("cannot write: no space left");
      }
    }
    if (latch != null) {
      begun.countDown();
      try {
        latch.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new StoreException("interrupted", e);
      }
    }
    batches.forEach((name, batch) -> of(name).commit(batch));
  }

  @Override
  public Map<String, Long> lastSeen() {
    return lastSeen;
  }

  @Override
  public void lastSeen(Map<String, Long> numbers) {
    lastSeen = Map.copyOf(numbers);
  }

  @Override
  public void close() {}
}
