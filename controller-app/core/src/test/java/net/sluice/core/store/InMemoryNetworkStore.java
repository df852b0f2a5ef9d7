package net.sluice.core.store;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import net.sluice.core.StoreBackup;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Tariff;
import net.sluice.intents.plan.Change;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SubscriberState;

/**
 * A store in memory for each switch. As one on disk it takes nothing more once it was full or a
 * commit was {@link Fate in doubt}, until it is opened again.
 */
public final class InMemoryNetworkStore implements NetworkStore {
  private final AtomicReference<Runnable> atNextScan = new AtomicReference<>(() -> {});

  /** What becomes of a commit that fails, which shows when the store is opened again. */
  public enum Fate {
    /** None of it had got to the disk. */
    LOST,
    /** All of it had. */
    KEPT
  }

  private final Map<String, OfSwitch> stores = new ConcurrentHashMap<>();
  private final List<Set<String>> commits = new ArrayList<>();
  private final CountDownLatch begun = new CountDownLatch(1);
  private Map<String, Long> lastSeen = Map.of();
  private int failing;
  private CountDownLatch held;
  private volatile boolean full;
  private Fate nextFate;
  private volatile boolean broken;
  private Map<String, StoreBatch> inDoubt = Map.of();
  private final Clock clock;
  private final Map<String, InMemoryJournal> journals = new ConcurrentHashMap<>();
  private final Map<String, InMemoryDocuments> documents = new ConcurrentHashMap<>();
  private String recordsIn;
  private ChangeRecords form;

  /** An empty store in whose journals it is always the same moment. */
  public InMemoryNetworkStore() {
    this(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));
  }

  /** An empty store; the clock is that of its journals. */
  public InMemoryNetworkStore(Clock clock) {
    this.clock = clock;
  }

  @Override
  public StoreBackup backUp() {
    throw new StoreException("a store in memory is not backed up");
  }

  /** What the store holds now, to be opened in its place later as after a kill. */
  public synchronized InMemoryNetworkStore copy() {
    InMemoryNetworkStore copy = new InMemoryNetworkStore(clock);
    copy.lastSeen = lastSeen;
    journals.forEach(
        (name, journal) -> copy.journals.put(name, journal.afterKill(copy::requireWell)));
    documents.forEach((name, all) -> copy.documents.put(name, all.copy(copy::requireWell)));
    stores.forEach(
        (name, store) -> copy.stores.put(name, copy.new OfSwitch(name, store.records.copy())));
    return copy;
  }

  /** From now on there is no room, or there is again. */
  public synchronized void full(boolean is) {
    full = is;
  }

  /** The next commit, of one switch or several, fails in the midst of it. */
  public synchronized void breakNext(Fate fate) {
    nextFate = fate;
  }

  /** False if the next commit fails. */
  public synchronized boolean isWell() {
    return !full && !broken && nextFate == null;
  }

  /** Opens it again, as whoever starts does. */
  public synchronized void reopen() {
    if (full) {
      throw new StoreException("cannot open: no space left");
    }
    store(inDoubt);
    inDoubt = Map.of();
    broken = false;
    nextFate = null;
  }

  /** With the lock held. */
  private void write(Map<String, StoreBatch> batches) {
    requireNotBroken();
    if (full || nextFate != null) {
      broken = true;
      inDoubt = nextFate == Fate.KEPT ? Map.copyOf(batches) : Map.of();
      nextFate = null;
      throw new StoreException("cannot write: no space left");
    }
    store(batches);
  }

  private void store(Map<String, StoreBatch> batches) {
    batches.forEach((name, batch) -> stored(name).commit(batch));
    List<Journal.Item> items = records(batches.values());
    if (!items.isEmpty()) {
      journals.get(recordsIn).commit(items);
    }
  }

  private List<Journal.Item> records(Collection<StoreBatch> batches) {
    List<Change> changes = ChangeRecords.announced(batches);
    return form == null || changes.isEmpty() ? List.of() : form.of(changes);
  }

  private void requireNotBroken() {
    if (broken) {
      throw new StoreException("cannot write: no space left before");
    }
  }

  /** Takes no lock: a commit takes that of the store first, then that of the journal. */
  private void requireWell() {
    requireNotBroken();
    if (full) {
      throw new StoreException("cannot write: no space left");
    }
  }

  @Override
  public Journal journal(String name) {
    NetworkStore.requireName(name);
    return journals.computeIfAbsent(name, n -> new InMemoryJournal(clock, this::requireWell));
  }

  @Override
  public Documents documents(String name) {
    NetworkStore.requireName(name);
    return documents.computeIfAbsent(name, n -> new InMemoryDocuments(this::requireWell));
  }

  @Override
  public synchronized void recordChanges(String journal, ChangeRecords as) {
    Journal unused = journal(journal);
    recordsIn = journal;
    form = as;
  }

  private InMemoryIntentStore stored(String switchName) {
    return ((OfSwitch) of(switchName)).records;
  }

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

  /** Has something done before subscribers are read next, on the thread that reads them. */
  public void atNextScan(Runnable action) {
    atNextScan.set(action);
  }

  @Override
  public IntentStore of(String switchName) {
    return stores.computeIfAbsent(switchName, OfSwitch::new);
  }

  @Override
  public boolean holds(String switchName) {
    return stores.containsKey(switchName);
  }

  @Override
  public void commit(Map<String, StoreBatch> batches) {
    Set<String> committing =
        batches.keySet().stream()
            .filter(name -> !batches.get(name).isEmpty())
            .collect(Collectors.toUnmodifiableSet());
    if (committing.isEmpty()) {
      announce(batches.values());
      return;
    }
    CountDownLatch latch;
    synchronized (this) {
      latch = held;
      commits.add(committing);
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
    synchronized (this) {
      write(batches);
    }
  }

  private synchronized void announce(Collection<StoreBatch> batches) {
    List<Journal.Item> items = records(batches);
    if (!items.isEmpty()) {
      long unused = journals.get(recordsIn).append(items);
    }
  }

  @Override
  public synchronized Map<String, Long> lastSeen() {
    return lastSeen;
  }

  @Override
  public synchronized void lastSeen(Map<String, Long> numbers) {
    write(Map.of());
    lastSeen = Map.copyOf(numbers);
  }

  @Override
  public void close() {}

  private final class OfSwitch implements IntentStore {
    private final String name;
    private final InMemoryIntentStore records;

    OfSwitch(String name) {
      this(name, new InMemoryIntentStore());
    }

    OfSwitch(String name, InMemoryIntentStore records) {
      this.name = name;
      this.records = records;
    }

    @Override
    public long identity() {
      return records.identity();
    }

    @Override
    public StoreHistory history() {
      return records.history();
    }

    @Override
    public void commit(StoreBatch batch) {
      synchronized (InMemoryNetworkStore.this) {
        if (batch.isEmpty()) {
          announce(List.of(batch));
        } else {
          write(Map.of(name, batch));
        }
      }
    }

    @Override
    public void reopen() {
      InMemoryNetworkStore.this.reopen();
    }

    @Override
    public Optional<SubscriberState> subscriber(String id) {
      return records.subscriber(id);
    }

    @Override
    public Optional<PolicyState> policy(String id) {
      return records.policy(id);
    }

    @Override
    public Optional<Tariff> tariff(String id) {
      return records.tariff(id);
    }

    @Override
    public Optional<RateLimit> rateLimit(String id) {
      return records.rateLimit(id);
    }

    @Override
    public int scan(
        Kind kind, String afterId, long skip, int limit, Consumer<? super StoredRecord> out) {
      if (kind == Kind.SUBSCRIBER) {
        Runnable once = atNextScan.getAndSet(() -> {});
        once.run();
      }
      return records.scan(kind, afterId, skip, limit, out);
    }

    @Override
    public void close() {}
  }
}
