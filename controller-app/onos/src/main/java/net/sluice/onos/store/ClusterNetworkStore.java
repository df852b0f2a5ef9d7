package net.sluice.onos.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.sluice.core.StoreBackup;
import net.sluice.core.shard.NetworkSwitch;
import net.sluice.core.store.BackupFile;
import net.sluice.core.store.ChangeRecords;
import net.sluice.core.store.Documents;
import net.sluice.core.store.IntentStore;
import net.sluice.core.store.Journal;
import net.sluice.core.store.NetworkStore;
import net.sluice.core.store.Revision;
import net.sluice.core.store.StoreBatch;
import net.sluice.core.store.StoreContent;
import net.sluice.core.store.StoreException;
import net.sluice.core.store.StoreHistory;
import org.onosproject.store.serializers.KryoNamespaces;
import org.onosproject.store.service.Serializer;
import org.onosproject.store.service.StorageService;
import org.onosproject.store.service.Versioned;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the declarations of a network in two of the cluster's consistent maps, journals in a third
 * and documents in a fourth. Each switch has a {@link ClusterIntentStore} there, with a commit
 * record and an order of commits of its own, so that commits of different switches neither wait for
 * each other nor replace the same value. The keys of a switch begin with its name; those of {@link
 * NetworkSwitch#ONLY} have no beginning.
 *
 * <p>A commit of several switches is made by one more value, see {@link JointCommits}.
 *
 * <p>More than 500 lines, because the maps are begun, filled by a backup and taken over together.
 */
public final class ClusterNetworkStore implements NetworkStore {
  /** Name of the map of records. */
  public static final String INTENTS = "sluice-intents";

  /** Name of the map of the commit records and the last batches. */
  public static final String LOG = "sluice-log";

  /** Name of the map of the journals. */
  public static final String JOURNALS = "sluice-journals";

  /** Name of the map of the documents. */
  public static final String DOCUMENTS = "sluice-documents";

  private static final Logger LOGGER = LoggerFactory.getLogger(ClusterNetworkStore.class);
  private static final String IDENTITY = "identity";
  private static final String SEEN = "seen";

  /** Of the decisions: no switch has this name. */
  private static final String DECISIONS = "";

  private final StorageService storage;
  private final Duration timeout;
  private final Clock clock;
  private final Generations generations;
  private final ClusterMap intents;
  private final ClusterMap log;
  private final ClusterMap decisions;
  private final JointCommits joints;
  private final ClusterMap journalMap;
  private final ClusterJournals journals;
  private final ClusterMap documentMap;
  private final DocumentLead documentLead;
  private final Map<String, ClusterDocuments> documents = new ConcurrentHashMap<>();
  private final String owner;
  private final KnownCommits known;
  private final Consumer<StoreException> lost;

  /** The last takeover of each switch before this store was made of a backup. */
  private final Map<String, Long> epochs = new TreeMap<>();

  private final Map<String, ClusterIntentStore> stores = new ConcurrentSkipListMap<>();
  private volatile long identity;
  private boolean closed;

  private ClusterNetworkStore(
      StorageService storage,
      Generations generations,
      String generation,
      String owner,
      Duration timeout,
      Clock clock,
      KnownCommits known,
      Consumer<StoreException> lost) {
    this.storage = storage;
    this.timeout = timeout;
    this.clock = clock;
    this.generations = generations;
    List<ClusterMap> maps = maps(storage, generation, timeout, clock);
    this.intents = maps.get(0);
    this.log = maps.get(1);
    this.decisions = log.in(DECISIONS);
    this.joints = new JointCommits(decisions);
    this.owner = owner;
    this.known = known;
    AtomicBoolean told = new AtomicBoolean();
    this.lost =
        reason -> {
          if (told.compareAndSet(false, true)) {
            lost.accept(reason);
          }
        };
    journalMap = maps.get(2);
    journals = new ClusterJournals(journalMap, clock, known, this.lost);
    documentMap = maps.get(3);
    documentLead = new DocumentLead(documentMap, this.lost);
  }

  /** The maps of a generation: records, log, journals and documents. */
  private static List<ClusterMap> maps(
      StorageService storage, String generation, Duration timeout, Clock clock) {
    String end = generation.equals(Generations.FIRST) ? "" : "-" + generation;
    return Stream.of(INTENTS, LOG, JOURNALS, DOCUMENTS)
        .map(name -> map(storage, name + end, timeout, clock))
        .toList();
  }

  private static ClusterMap map(
      StorageService storage, String name, Duration timeout, Clock clock) {
    return new ClusterMap(
        name,
        storage
            .<String, byte[]>consistentMapBuilder()
            .withName(name)
            .withSerializer(Serializer.using(KryoNamespaces.BASIC))
            .buildAsyncMap(),
        timeout,
        clock);
  }

  /**
   * Takes the store over, with every switch that anything was ever kept for: from here on nothing
   * that another instance writes is taken. Completes what is not done yet, and loads everything.
   *
   * @param owner this instance, for people
   * @param timeout longest wait for an answer of the cluster
   * @param known what this instance knows of the store, which it goes on to note
   * @param lost told once, if this instance can no longer write: because another has taken over, or
   *     because the cluster does not answer; the store is of no more use then
   * @throws StoreException if the cluster does not answer, or what it holds cannot be understood
   */
  public static ClusterNetworkStore open(
      StorageService storage,
      String owner,
      Duration timeout,
      Clock clock,
      KnownCommits known,
      Consumer<StoreException> lost) {
    Generations generations = new Generations(map(storage, Generations.MAP, timeout, clock));
    String generation = generations.takeOver();
    known.begin(generation);
    ClusterNetworkStore store =
        new ClusterNetworkStore(
            storage, generations, generation, owner, timeout, clock, known, lost);
    synchronized (store) {
      store.takeOver();
    }
    store.clearOthers();
    return store;
  }

  /** Clears the maps of a store that was replaced, or that was never put into use. */
  private void clearOthers() {
    try {
      for (String id : generations.left()) {
        maps(storage, id, timeout, clock).forEach(map -> map.await("clearing it", map.clear()));
        generations.forget(id);
      }
    } catch (StoreException e) {
      LOGGER.warn("maps that are not in use are not cleared yet: {}", e.getMessage());
    }
  }

  private void takeOver() {
    takeOver(NetworkSwitch.ONLY);
    identify();
    Set<String> logKeys;
    Set<String> names;
    do {
      logKeys = log.allKeys();
      names = new TreeSet<>();
      for (String key : logKeys) {
        ClusterMap.spaceOf(key).filter(name -> !name.equals(DECISIONS)).ifPresent(names::add);
      }
      names.removeAll(stores.keySet());
      names.forEach(this::takeOver);
      // Whoever led may have begun another one meanwhile.
    } while (!names.isEmpty());
    Set<String> intentKeys = intents.allKeys();
    for (ClusterIntentStore each : stores.values()) {
      each.load(intentKeys, logKeys);
    }
    journals.takeOver();
    journals.complete(stores.values().stream().map(ClusterIntentStore::lastCommit).toList());
    documentLead.takeOver();
    // No commit record refers to them any more.
    decisions.own(logKeys).forEach(joints::forget);
  }

  private ClusterIntentStore storeOf(String name) {
    boolean only = name.equals(NetworkSwitch.ONLY);
    return new ClusterIntentStore(
        name,
        only ? intents : intents.in(name),
        only ? log : log.in(name),
        joints,
        journals,
        () -> identity,
        this::has,
        known,
        lost);
  }

  private ClusterIntentStore takeOver(String name) {
    ClusterIntentStore store = storeOf(name);
    store.takeOver(owner);
    stores.put(name, store);
    return store;
  }

  /** Reads the store's identity; one that has none yet is given one. */
  private void identify() {
    identity = ByteBuffer.wrap(log.drawn(IDENTITY, NetworkStore::drawIdentity)).getLong();
  }

  private boolean has(Revision revision) {
    return stores.values().stream().anyMatch(store -> store.history().has(revision));
  }

  @Override
  public IntentStore of(String switchName) {
    return store(switchName);
  }

  @Override
  public synchronized boolean holds(String switchName) {
    return stores.containsKey(switchName);
  }

  private synchronized ClusterIntentStore store(String name) {
    if (closed) {
      throw new StoreException("the cluster's store is closed");
    }
    ClusterIntentStore known = stores.get(name);
    if (known != null) {
      return known;
    }
    ClusterIntentStore begun = takeOver(name);
    try {
      begun.load(intents.allKeys(), log.allKeys());
      journals.complete(List.of(begun.lastCommit()));
    } catch (StoreException e) {
      stores.remove(name);
      throw e;
    }
    return begun;
  }

  /**
   * Number of this takeover of a switch; each is higher than all before it.
   *
   * @throws StoreException if nothing has been kept for the switch and the cluster does not answer
   */
  public long epoch(String switchName) {
    return store(switchName).epoch();
  }

  @Override
  public void commit(Map<String, StoreBatch> batches) {
    Map<ClusterIntentStore, StoreBatch> parts = new HashMap<>();
    List<ClusterIntentStore> ordered = new ArrayList<>();
    new TreeMap<>(batches)
        .forEach(
            (name, batch) -> {
              ClusterIntentStore store = store(name);
              ordered.add(store);
              parts.put(store, batch);
            });
    if (ordered.size() == 1) {
      ordered.get(0).commit(parts.get(ordered.get(0)));
    } else {
      holding(ordered, () -> commitHeld(ordered, parts));
    }
  }

  /** Holds stores in the order of their names, so that two who do never wait for each other. */
  private static void holding(List<ClusterIntentStore> stores, Runnable action) {
    if (stores.isEmpty()) {
      action.run();
    } else {
      stores.get(0).holding(() -> holding(stores.subList(1, stores.size()), action));
    }
  }

  private void commitHeld(
      List<ClusterIntentStore> ordered, Map<ClusterIntentStore, StoreBatch> parts) {
    // Drawn, because a name that was ever decided about must not come again.
    String commit = "joint-" + Long.toHexString(new SecureRandom().nextLong());
    List<ClusterIntentStore> prepared = new ArrayList<>();
    List<StoreBatch> onlyTold = new ArrayList<>();
    try {
      for (ClusterIntentStore each : ordered) {
        if (each.prepare(commit, parts.get(each))) {
          prepared.add(each);
        } else {
          onlyTold.add(parts.get(each));
        }
      }
      if (!prepared.isEmpty() && !joints.decide(commit, true)) {
        throw new StoreException("another instance leads now: it has undone a commit under way");
      }
    } catch (RuntimeException e) {
      prepared.forEach(ClusterIntentStore::leftInDoubt);
      throw e;
    }
    List<ClusterJournals.OfCommit> records = new ArrayList<>();
    prepared.forEach(each -> records.add(each.joined()));
    conclude(commit, prepared);
    records.add(new ClusterJournals.OfCommit("", 0, journals.of(onlyTold)));
    journals.append(records);
  }

  private void conclude(String commit, List<ClusterIntentStore> prepared) {
    boolean concluded = true;
    for (ClusterIntentStore each : prepared) {
      concluded &= each.conclude();
    }
    if (concluded) {
      joints.forget(commit);
    } else {
      LOGGER.info("the decision about {} is kept until the store is taken over", commit);
    }
  }

  @Override
  public Journal journal(String name) {
    NetworkStore.requireName(name);
    return journals.journal(name);
  }

  @Override
  public Documents documents(String name) {
    NetworkStore.requireName(name);
    return documents.computeIfAbsent(
        name, n -> new ClusterDocuments(documentMap.in(n), documentLead));
  }

  @Override
  public void recordChanges(String journal, ChangeRecords form) {
    NetworkStore.requireName(journal);
    journals.recordChanges(journal, form);
  }

  @Override
  public synchronized Map<String, byte[]> switches() {
    Map<String, byte[]> documents = new TreeMap<>();
    stores.forEach(
        (name, store) -> store.document().ifPresent(document -> documents.put(name, document)));
    return documents;
  }

  @Override
  public void declare(String switchName, Optional<byte[]> document) {
    store(switchName).declare(document);
  }

  @Override
  public Map<String, Long> lastSeen() {
    Versioned<byte[]> kept = log.get(SEEN);
    Map<String, Long> numbers = new TreeMap<>();
    if (kept != null) {
      for (String line : new String(kept.value(), StandardCharsets.UTF_8).split("\n")) {
        String[] words = line.split(" ");
        numbers.put(words[0], Long.parseLong(words[1]));
      }
    }
    return numbers;
  }

  @Override
  public void lastSeen(Map<String, Long> numbers) {
    String text =
        numbers.entrySet().stream()
            .map(each -> each.getKey() + " " + each.getValue())
            .collect(Collectors.joining("\n"));
    Versioned<byte[]> unused =
        log.await("writing " + SEEN, log.write(SEEN, text.getBytes(StandardCharsets.UTF_8)));
  }

  /** One switch may have been taken over and another not: two may have been at it at once. */
  @Override
  public void requireOurs() {
    stores.values().forEach(ClusterIntentStore::requireOurs);
  }

  // ---------------------------------------------------------------- backups

  /** Copies everything as of one moment into a file; commits wait until it is written. */
  @Override
  public StoreBackup backUp() {
    List<ClusterIntentStore> all;
    synchronized (this) {
      all = List.copyOf(stores.values());
    }
    return BackupFile.keep(to -> holding(all, () -> copyTo(all, to)));
  }

  private void copyTo(List<ClusterIntentStore> all, StoreContent to) {
    to.identity(identity);
    Map<String, Long> seen = lastSeen();
    if (!seen.isEmpty()) {
      to.lastSeen(seen);
    }
    all.forEach(store -> store.copyTo(to));
    journals.copyTo(to);
    for (String key : new TreeSet<>(documentMap.allKeys())) {
      String of = ClusterMap.spaceOf(key).orElse("");
      Versioned<byte[]> document = of.isEmpty() ? null : documentMap.get(key);
      if (document != null) {
        to.document(of, key.substring(of.length() + 1), document.value());
      }
    }
  }

  /**
   * A store that was made of a backup.
   *
   * @param revisions number of the last commit by name of the switch
   * @param tooLarge documents of the backup that are too large for the cluster and are left out
   */
  public record Restored(long identity, Map<String, Long> revisions, long tooLarge) {}

  /**
   * Puts the store of a backup in the place of this one, which is of no more use then: {@code lost}
   * is told, and the next {@link #open} finds the other one.
   *
   * @param content passes on what the backup has
   * @param declares whether the declaration of a switch, by its name, is taken
   * @param journal the one that gets records behind those of the backup
   * @param records made for the number of the first of them
   * @throws StoreException if the content cannot be written, the cluster does not answer, or
   *     another instance leads; the store is what it was then
   */
  public Restored restore(
      Consumer<StoreContent> content,
      BiPredicate<String, byte[]> declares,
      String journal,
      LongFunction<List<Journal.Item>> records) {
    String generation = generations.begin();
    Restored restored;
    try {
      restored =
          make(
              generation,
              declares,
              filling -> {
                content.accept(filling);
                filling.append(journal, records, clock.instant());
              });
    } catch (RuntimeException e) {
      clearOthers();
      throw e;
    }
    // First, so that nothing is acknowledged that the store of the backup does not have.
    close();
    try {
      generations.use(generation);
    } finally {
      lost.accept(new StoreException("the store of a backup takes the place of this one"));
    }
    return restored;
  }

  private Restored make(
      String generation, BiPredicate<String, byte[]> declares, Consumer<ClusterContent> content) {
    try (ClusterNetworkStore made =
        new ClusterNetworkStore(
            storage,
            generations,
            generation,
            owner,
            timeout,
            clock,
            new KnownCommits(),
            unused -> {})) {
      stores.forEach((name, store) -> made.epochs.put(name, store.epoch()));
      ClusterContent filling = new ClusterContent(made, declares);
      content.accept(filling);
      final long tooLarge = filling.end();
      // Of switches that the backup does not have: agents take no epoch that was before.
      made.epochs.keySet().stream()
          .filter(name -> !made.stores.containsKey(name))
          .toList()
          .forEach(name -> made.begin(name, StoreHistory.NONE));
      Map<String, Long> revisions = new TreeMap<>();
      made.stores.forEach(
          (name, store) -> revisions.put(name, store.history().revision().number()));
      return new Restored(made.identity, revisions, tooLarge);
    }
  }

  /** Begins a store of that identity, of which there is nothing yet. */
  void beginAs(long given) {
    identity = given;
    byte[] value = ByteBuffer.allocate(Long.BYTES).putLong(given).array();
    boolean unused = log.putIfAbsent(IDENTITY, value);
  }

  /** Begins the store of a switch with commits that it had elsewhere. */
  void begin(String name, StoreHistory commits) {
    ClusterIntentStore store = storeOf(name);
    store.begin(owner, epochs.getOrDefault(name, 0L), commits);
    stores.put(name, store);
  }

  /** The values of a journal. */
  ClusterMap journalOf(String name) {
    return journalMap.in(name);
  }

  /** The values of documents. */
  ClusterMap documentsOf(String name) {
    return documentMap.in(name);
  }

  /** Whether no declaration is kept for any switch. */
  public boolean isEmpty() {
    return stores.values().stream().allMatch(IntentStore::isEmpty);
  }

  /** Writes nothing more; what is committed stays in the cluster. */
  @Override
  public synchronized void close() {
    closed = true;
    stores.values().forEach(ClusterIntentStore::close);
    journals.close();
    documentLead.close();
  }
}
