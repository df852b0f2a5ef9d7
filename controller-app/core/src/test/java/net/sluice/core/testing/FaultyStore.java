package net.sluice.core.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.Supplier;
import net.sluice.core.store.InMemoryIntentStore;
import net.sluice.core.store.IntentStore;
import net.sluice.core.store.StoreBatch;
import net.sluice.core.store.StoreException;
import net.sluice.core.store.StoreHistory;
import net.sluice.core.store.StoredRecord;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Tariff;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SubscriberState;

/**
 * A store in memory that fails and waits when told to. As one on disk it takes nothing more once it
 * has failed with a {@link StoreException}, until it is reopened.
 */
public final class FaultyStore implements IntentStore {
  private InMemoryIntentStore inner = new InMemoryIntentStore();
  private InMemoryIntentStore older;
  private final List<Set<String>> commits = new ArrayList<>();
  private Supplier<? extends Throwable> failure;
  private boolean unreadable;
  private boolean broken;
  private int reopened;
  private int loads;
  private boolean holdsLoad;
  private CountDownLatch held;
  private CountDownLatch begun;

  @Override
  public long identity() {
    return inner.identity();
  }

  @Override
  public synchronized StoreHistory history() {
    return inner.history();
  }

  /** From now on commits, and attempts to reopen, fail with this; null ends it. */
  public synchronized void failWith(Supplier<? extends Throwable> with) {
    failure = with;
  }

  /** What it holds by now is what is found when it is reopened. */
  public synchronized void keepCopy() {
    older = inner.copy();
  }

  /** Whether reads fail. */
  public synchronized void unreadable(boolean is) {
    unreadable = is;
  }

  /** The next commit waits until {@link #release}. */
  public synchronized void holdCommit() {
    held = new CountDownLatch(1);
    begun = new CountDownLatch(1);
  }

  /** The next reading of everything waits until {@link #release}. */
  public synchronized void holdLoad() {
    holdCommit();
    holdsLoad = true;
  }

  /** Returns when what is held has begun. */
  public void awaitHeld() throws InterruptedException {
    CountDownLatch latch;
    synchronized (this) {
      latch = begun;
    }
    latch.await();
  }

  /** Lets what is held go on. */
  public synchronized void release() {
    held.countDown();
    held = null;
    holdsLoad = false;
  }

  /** The ids in each batch that is in the store. */
  public synchronized List<Set<String>> commits() {
    return List.copyOf(commits);
  }

  /** How often it was asked to be reopened. */
  public synchronized int reopened() {
    return reopened;
  }

  /** How often everything was read. */
  public synchronized int loads() {
    return loads;
  }

  @Override
  public void commit(StoreBatch batch) {
    if (batch.isEmpty()) {
      return;
    }
    awaitRelease(false);
    synchronized (this) {
      if (broken) {
        throw new StoreException("the store is broken");
      }
      failIfToldTo();
      Set<String> ids = new TreeSet<>(batch.subscribers().keySet());
      ids.addAll(batch.policies().keySet());
      ids.addAll(batch.rateLimits().keySet());
      ids.addAll(batch.tariffs().keySet());
      commits.add(ids);
      inner.commit(batch);
    }
  }

  private void awaitRelease(boolean loading) {
    CountDownLatch wait;
    synchronized (this) {
      wait = holdsLoad == loading ? held : null;
      if (wait != null) {
        begun.countDown();
      }
    }
    if (wait != null) {
      try {
        wait.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private void failIfToldTo() {
    if (failure == null) {
      return;
    }
    Throwable thrown = failure.get();
    if (thrown instanceof Error e) {
      throw e;
    }
    broken = thrown instanceof StoreException;
    throw (RuntimeException) thrown;
  }

  @Override
  public synchronized void reopen() {
    reopened++;
    failIfToldTo();
    broken = false;
    if (older != null) {
      inner = older;
      older = null;
    }
  }

  private synchronized IntentStore readable() {
    if (unreadable) {
      throw new StoreException("input/output error");
    }
    return inner;
  }

  @Override
  public Optional<SubscriberState> subscriber(String id) {
    return readable().subscriber(id);
  }

  @Override
  public Optional<PolicyState> policy(String id) {
    return readable().policy(id);
  }

  @Override
  public Optional<Tariff> tariff(String id) {
    return readable().tariff(id);
  }

  @Override
  public Optional<RateLimit> rateLimit(String id) {
    return readable().rateLimit(id);
  }

  @Override
  public int scan(
      Kind kind, String afterId, long skip, int limit, Consumer<? super StoredRecord> out) {
    if (kind == Kind.POLICY) {
      synchronized (this) {
        loads++;
      }
      awaitRelease(true);
    }
    return readable().scan(kind, afterId, skip, limit, out);
  }

  @Override
  public void close() {}
}
