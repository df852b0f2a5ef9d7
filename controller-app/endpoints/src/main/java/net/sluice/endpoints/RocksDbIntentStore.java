package net.sluice.endpoints;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import net.sluice.core.StoreBackup;
import net.sluice.core.shard.NetworkSwitch;
import net.sluice.core.store.ChangeRecords;
import net.sluice.core.store.Documents;
import net.sluice.core.store.IntentStore;
import net.sluice.core.store.Journal;
import net.sluice.core.store.NetworkStore;
import net.sluice.core.store.Revision;
import net.sluice.core.store.StoreBatch;
import net.sluice.core.store.StoreCodec;
import net.sluice.core.store.StoreContent;
import net.sluice.core.store.StoreException;
import net.sluice.core.store.StoreHistory;
import net.sluice.core.store.StoredRecord;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Tariff;
import net.sluice.intents.plan.Change;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SubscriberState;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Snapshot;
import org.rocksdb.WriteBatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps declarations in RocksDB, one column family per kind. A commit is one write batch whose log
 * is synced before it returns, so it survives the death of the process and of the machine.
 *
 * <p>As an {@link IntentStore} it is that of the only switch. Switches with a name of their own are
 * in column families of their own, which are made when there is such a switch, by keys that begin
 * with the name. Journals and documents have one family each, made likewise. With a commit go the
 * records of its changes.
 *
 * <p>More than 500 lines, because a commit is one batch of declarations, history and journal.
 */
public final class RocksDbIntentStore implements IntentStore, NetworkStore {
  private static final Logger LOG = LoggerFactory.getLogger(RocksDbIntentStore.class);

  /** The format of a store as a whole, and the only one that is read. */
  private static final byte FORMAT = 2;

  private static final byte[] FORMAT_KEY = "format".getBytes(StandardCharsets.US_ASCII);
  static final String IDENTITY_KEY = "identity";
  static final String SWITCH_KEY = "switch\0";
  static final String SEEN_KEY = "seen\0";

  // By name of the switch, and that of the only one is empty.
  static final String REVISION_KEY = "revision\0";
  static final String OPENINGS_KEY = "openings\0";
  private static final List<String> ONLY =
      List.of("subscribers", "policies", "rate-limits", "tariffs");
  private static final List<String> NETWORK_FAMILIES =
      List.of("network-subscribers", "network-policies", "network-rate-limits", "network-tariffs");

  /** The number of the families of tariffs, which are made with the first tariff. */
  private static final int TARIFFS = 3;

  private static final List<String> FAMILIES =
      Stream.concat(Stream.of(RocksDatabase.DEFAULT), ONLY.stream().limit(TARIFFS)).toList();

  /** Between a switch's name and an id: neither has it. */
  private static final char SEPARATOR = '\0';

  private final RocksDatabase database;
  private final Clock clock;
  private final OfSwitch only = view(NetworkSwitch.ONLY);
  private final Map<String, RocksDbJournal> journals = new ConcurrentHashMap<>();
  private final Map<String, RocksDbDocuments> documents = new ConcurrentHashMap<>();
  private final long identity;
  private volatile Measures measures = Measures.NONE;
  private volatile Recording recording;

  /** Of each switch, by the prefix of its keys, what is durable. */
  private final Map<String, StoreHistory> histories = new ConcurrentHashMap<>();

  /** Of this opening, likewise; others after each {@link #reopen}. */
  private final Map<String, Integer> marks = new ConcurrentHashMap<>();

  /** Where and how changes are recorded. */
  private record Recording(RocksDbJournal journal, ChangeRecords form) {}

  /**
   * Opens the store in {@code directory}, which is created if it does not exist.
   *
   * @throws StoreException if the directory cannot be used, is in use, is corrupt, or was written
   *     by a release with a newer format; nothing is changed then
   */
  public RocksDbIntentStore(Path directory) {
    this(directory, Clock.systemUTC());
  }

  /** As above; the clock is that of its journals. */
  public RocksDbIntentStore(Path directory, Clock clock) {
    this(directory, options -> {}, clock, true);
  }

  /** As above; {@code more} sets options of RocksDB beyond those of the store. */
  RocksDbIntentStore(Path directory, Consumer<DBOptions> more) {
    this(directory, more, Clock.systemUTC(), true);
  }

  /**
   * Opens the store in {@code directory} to read what it holds by now. Changes nothing there, not
   * even RocksDB's log, and does so beside a process that uses it, too. A store that was not opened
   * by this release yet may have identity 0, which stands for none.
   *
   * @throws StoreException if there is none, or it is corrupt or of a newer format
   */
  static RocksDbIntentStore readOnly(Path directory) {
    return new RocksDbIntentStore(directory, options -> {}, Clock.systemUTC(), false);
  }

  private RocksDbIntentStore(
      Path directory, Consumer<DBOptions> more, Clock clock, boolean writable) {
    this.clock = clock;
    database =
        new RocksDatabase(
            directory,
            more,
            writable,
            FAMILIES,
            List.of(
                NETWORK_FAMILIES.subList(0, TARIFFS),
                ONLY.subList(TARIFFS, ONLY.size()),
                NETWORK_FAMILIES.subList(TARIFFS, NETWORK_FAMILIES.size()),
                List.of(RocksDbJournal.FAMILY),
                List.of(RocksDbDocuments.FAMILY)));
    try {
      checkFormat();
      identity = identify();
      readHistories();
      if (writable) {
        // Of a process that ended while it handed them out.
        StoreCopy.removeAll(directory);
      }
    } catch (StoreException e) {
      database.close();
      throw e;
    }
  }

  /** Has it told how long commits take, from now on. */
  void tellCommits(Measures listener) {
    measures = listener;
  }

  @Override
  public IntentStore of(String switchName) {
    return begun(switchName);
  }

  private OfSwitch begun(String switchName) {
    if (!switchName.equals(NetworkSwitch.ONLY) && database.isWritable()) {
      database.make(NETWORK_FAMILIES.subList(0, TARIFFS));
    }
    return view(switchName);
  }

  @Override
  public Journal journal(String name) {
    NetworkStore.requireName(name);
    return journals.computeIfAbsent(name, n -> new RocksDbJournal(n, database, clock));
  }

  @Override
  public Documents documents(String name) {
    NetworkStore.requireName(name);
    return documents.computeIfAbsent(name, n -> new RocksDbDocuments(n, database));
  }

  @Override
  public void recordChanges(String journal, ChangeRecords form) {
    recording = new Recording((RocksDbJournal) journal(journal), form);
  }

  @Override
  public boolean holds(String switchName) {
    return switchName.equals(NetworkSwitch.ONLY) || !view(switchName).isEmpty();
  }

  private OfSwitch view(String switchName) {
    return view(switchName, null);
  }

  private OfSwitch view(String switchName, Snapshot moment) {
    return new OfSwitch(families(switchName), prefix(switchName), moment);
  }

  /** The families of a switch's records, in the order of {@link StoreContent.Kind}. */
  static List<String> families(String switchName) {
    return switchName.equals(NetworkSwitch.ONLY) ? ONLY : NETWORK_FAMILIES;
  }

  /** The beginning of the keys of a switch's records. */
  static String prefix(String switchName) {
    return switchName.equals(NetworkSwitch.ONLY) ? "" : switchName + SEPARATOR;
  }

  private static String switchName(String prefix) {
    return prefix.isEmpty() ? NetworkSwitch.ONLY : prefix.substring(0, prefix.length() - 1);
  }

  /** The records of one switch. */
  private final class OfSwitch implements IntentStore {
    private final List<String> families;
    private final String prefix;

    /** As of when lists are read; null for now. */
    private final Snapshot moment;

    OfSwitch(List<String> families, String prefix, Snapshot moment) {
      this.families = families;
      this.prefix = prefix;
      this.moment = moment;
    }

    @Override
    public long identity() {
      return identity;
    }

    @Override
    public StoreHistory history() {
      return histories.getOrDefault(prefix, StoreHistory.NONE);
    }

    @Override
    public boolean has(Revision revision) {
      return history().has(revision)
          || histories.values().stream().anyMatch(history -> history.has(revision));
    }

    @Override
    public void commit(StoreBatch batch) {
      commitParts(Map.of(this, batch));
    }

    /** Adds changes as the next commit of the switch; what its history is with that. */
    private StoreHistory add(WriteBatch writes, StoreBatch batch) throws RocksDBException {
      add(writes, 0, batch.subscribers(), StoreCodec::encode);
      add(writes, 1, batch.policies(), StoreCodec::encode);
      add(writes, 2, batch.rateLimits(), StoreCodec::encode);
      add(writes, TARIFFS, batch.tariffs(), StoreCodec::encode);
      int mark = marks.computeIfAbsent(prefix, unused -> StoreHistory.drawMark());
      StoreHistory before = history();
      StoreHistory after = before.with(mark, before.revision().number() + 1);
      writes.put(whole(), key(REVISION_KEY + prefix), bytes(after.revision().number()));
      if (!before.isBy(mark)) {
        writes.put(whole(), key(OPENINGS_KEY + prefix), after.openings());
      }
      return after;
    }

    private <T> void add(
        WriteBatch writes, int kind, Map<String, Optional<T>> records, Function<T, byte[]> encode)
        throws RocksDBException {
      if (records.isEmpty()) {
        return;
      }
      ColumnFamilyHandle family = database.family(families.get(kind));
      for (Map.Entry<String, Optional<T>> record : records.entrySet()) {
        if (record.getValue().isPresent()) {
          writes.put(family, key(prefix + record.getKey()), encode.apply(record.getValue().get()));
        } else {
          writes.delete(family, key(prefix + record.getKey()));
        }
      }
    }

    @Override
    public void reopen() {
      RocksDbIntentStore.this.reopen();
    }

    @Override
    public Optional<SubscriberState> subscriber(String id) {
      return get(0, id).map(value -> StoreCodec.subscriber(id, value));
    }

    @Override
    public Optional<PolicyState> policy(String id) {
      return get(1, id).map(value -> StoreCodec.policy(id, value));
    }

    @Override
    public Optional<RateLimit> rateLimit(String id) {
      return get(2, id).map(value -> StoreCodec.rateLimit(id, value));
    }

    @Override
    public Optional<Tariff> tariff(String id) {
      return get(TARIFFS, id).map(value -> StoreCodec.tariff(id, value));
    }

    private Optional<byte[]> get(int kind, String id) {
      return database.use(
          "read",
          db ->
              isAbsent(kind)
                  ? Optional.empty()
                  : Optional.ofNullable(
                      db.get(database.family(families.get(kind)), key(prefix + id))));
    }

    /** There may have been no named switch, or no tariff. */
    private boolean isAbsent(int kind) {
      return !database.has(families.get(kind));
    }

    @Override
    public int scan(
        Kind kind, String afterId, long skip, int limit, Consumer<? super StoredRecord> out) {
      int family =
          switch (kind) {
            case SUBSCRIBER -> 0;
            case POLICY -> 1;
            case RATE_LIMIT -> 2;
            case TARIFF -> TARIFFS;
          };
      return scan(
          family,
          afterId,
          skip,
          limit,
          (id, value) -> out.accept(new StoredRecord(kind, id, value)));
    }

    private int scan(
        int kind, String afterId, long skip, int limit, BiConsumer<String, byte[]> out) {
      return database.use(
          "read",
          db -> {
            int count = 0;
            if (isAbsent(kind)) {
              return count;
            }
            byte[] begin = key(prefix);
            try (ReadOptions read =
                    new ReadOptions().setReadaheadSize(256 << 10).setSnapshot(moment);
                RocksIterator at = db.newIterator(database.family(families.get(kind)), read)) {
              // No id has a byte below '-', so the id with a 0 behind it comes right after it.
              at.seek(afterId.isEmpty() ? begin : key(prefix + afterId + SEPARATOR));
              byte[] key = keyAt(at, begin);
              for (long left = skip; left > 0 && key != null; left--) {
                at.next();
                key = keyAt(at, begin);
              }
              for (; count < limit && key != null; key = keyAt(at, begin)) {
                String id =
                    new String(
                        key, begin.length, key.length - begin.length, StandardCharsets.ISO_8859_1);
                out.accept(id, at.value());
                count++;
                at.next();
              }
              at.status();
            }
            return count;
          });
    }

    /** The key that an iterator is at, if it begins so, else null. Each call copies it. */
    private static byte[] keyAt(RocksIterator at, byte[] begin) {
      byte[] key = at.isValid() ? at.key() : null;
      return key != null
              && key.length >= begin.length
              && Arrays.equals(key, 0, begin.length, begin, 0, begin.length)
          ? key
          : null;
    }

    private void copyTo(String name, StoreContent to) {
      to.history(name, history());
      for (StoreContent.Kind kind : StoreContent.Kind.values()) {
        int unused =
            scan(
                kind.ordinal(),
                "",
                0,
                Integer.MAX_VALUE,
                (id, value) -> to.record(name, kind, id, value));
      }
    }

    @Override
    public void close() {}
  }

  @Override
  public void reopen() {
    database.reopen(
        () -> {
          // What is there now may be another copy: its commits from here on are others.
          marks.clear();
          readHistories();
          journals.values().forEach(RocksDbJournal::load);
        });
  }

  /** The family of what is the store's as a whole. */
  private ColumnFamilyHandle whole() {
    return database.family(RocksDatabase.DEFAULT);
  }

  private Optional<byte[]> get(byte[] key) {
    return Optional.ofNullable(database.use("read", db -> db.get(whole(), key)));
  }

  private void put(byte[] key, byte[] value) {
    long unused = database.writeSynced(batch -> batch.put(whole(), key, value));
  }

  private void checkFormat() {
    Optional<byte[]> kept = get(FORMAT_KEY);
    if (kept.isEmpty()) {
      if (database.isWritable()) {
        put(FORMAT_KEY, new byte[] {FORMAT});
      }
      return;
    }
    byte[] format = kept.get();
    if (format.length != 1 || format[0] < 1) {
      throw unreadable("format mark");
    } else if (format[0] != FORMAT) {
      throw new StoreException(
          String.format(
              Locale.ROOT,
              "the store in %s has format %d; this release reads format %d, and has changed"
                  + " nothing: %s",
              database.directory(),
              format[0],
              FORMAT,
              StoreCodec.MIGRATION));
    }
  }

  private StoreException unreadable(String what) {
    return new StoreException(
        "the store in "
            + database.directory()
            + " has an unreadable "
            + what
            + "; nothing was changed");
  }

  /** Reads the store's identity; one that has none yet is given one. */
  private long identify() {
    byte[] kept = get(key(IDENTITY_KEY)).orElse(null);
    if (kept == null && !database.isWritable()) {
      return 0;
    } else if (kept == null) {
      kept = NetworkStore.drawIdentity();
      put(key(IDENTITY_KEY), kept);
    } else if (kept.length != Long.BYTES) {
      throw unreadable("identity");
    }
    return ByteBuffer.wrap(kept).getLong();
  }

  /** Reads how far the store has got, which it is not asked for again. */
  private void readHistories() {
    histories.clear();
    Map<String, byte[]> openings = read(OPENINGS_KEY);
    read(REVISION_KEY)
        .forEach(
            (prefix, revision) -> {
              StoreHistory history =
                  StoreHistory.of(
                      openings.getOrDefault(prefix, new byte[0]),
                      ByteBuffer.wrap(revision).getLong());
              histories.put(prefix, history);
            });
  }

  @Override
  public long identity() {
    return identity;
  }

  @Override
  public StoreHistory history() {
    return only.history();
  }

  @Override
  public boolean has(Revision revision) {
    return only.has(revision);
  }

  @Override
  public void commit(StoreBatch batch) {
    only.commit(batch);
  }

  @Override
  public void commit(Map<String, StoreBatch> batches) {
    Map<OfSwitch, StoreBatch> parts = new LinkedHashMap<>();
    batches.forEach((name, batch) -> parts.put(begun(name), batch));
    commitParts(parts);
  }

  /** Batches that have nothing to store only tell of changes. */
  private void commitParts(Map<OfSwitch, StoreBatch> parts) {
    Optional<RocksDbJournal.Added> records = records(parts.values());
    boolean isWritten = false;
    try {
      if (parts.values().stream().allMatch(StoreBatch::isEmpty)) {
        records.ifPresent(added -> database.write(added::addTo));
      } else {
        store(parts, records);
      }
      isWritten = true;
    } finally {
      boolean written = isWritten;
      records.ifPresent(added -> added.end(written));
    }
  }

  /** The records of the changes that batches tell of, which have their numbers. */
  private Optional<RocksDbJournal.Added> records(Collection<StoreBatch> batches) {
    Recording to = recording;
    List<Change> changes = ChangeRecords.announced(batches);
    List<Journal.Item> items = to == null || changes.isEmpty() ? List.of() : to.form.of(changes);
    return items.isEmpty() ? Optional.empty() : Optional.of(to.journal.begin(items));
  }

  private void store(Map<OfSwitch, StoreBatch> parts, Optional<RocksDbJournal.Added> records) {
    for (Map.Entry<OfSwitch, StoreBatch> part : parts.entrySet()) {
      if (!part.getValue().tariffs().isEmpty()) {
        database.make(part.getKey().families.subList(TARIFFS, TARIFFS + 1));
      }
    }
    Map<String, StoreHistory> after = new HashMap<>();
    commit(
        writes -> {
          for (Map.Entry<OfSwitch, StoreBatch> part : parts.entrySet()) {
            if (!part.getValue().isEmpty()) {
              after.put(part.getKey().prefix, part.getKey().add(writes, part.getValue()));
            }
          }
          if (records.isPresent()) {
            records.get().addTo(writes);
          }
        });
    histories.putAll(after);
  }

  @Override
  public Map<String, byte[]> switches() {
    return read(SWITCH_KEY);
  }

  /** The values of the store as a whole whose keys begin so, by the rest of the key. */
  private Map<String, byte[]> read(String keys) {
    return database.use(
        "read",
        db -> {
          Map<String, byte[]> values = new LinkedHashMap<>();
          try (RocksIterator at = db.newIterator(whole())) {
            byte[] begin = key(keys);
            at.seek(begin);
            for (byte[] key = OfSwitch.keyAt(at, begin); key != null; ) {
              String text = new String(key, StandardCharsets.ISO_8859_1);
              values.put(text.substring(keys.length()), at.value());
              at.next();
              key = OfSwitch.keyAt(at, begin);
            }
            at.status();
          }
          return values;
        });
  }

  @Override
  public void declare(String switchName, Optional<byte[]> document) {
    byte[] key = key(SWITCH_KEY + switchName);
    commit(
        writes -> {
          if (document.isPresent()) {
            writes.put(whole(), key, document.get());
          } else {
            writes.delete(whole(), key);
          }
        });
  }

  @Override
  public Map<String, Long> lastSeen() {
    Map<String, Long> numbers = new LinkedHashMap<>();
    read(SEEN_KEY).forEach((name, number) -> numbers.put(name, ByteBuffer.wrap(number).getLong()));
    return numbers;
  }

  @Override
  public void lastSeen(Map<String, Long> numbers) {
    commit(
        writes -> {
          for (Map.Entry<String, Long> each : numbers.entrySet()) {
            writes.put(whole(), key(SEEN_KEY + each.getKey()), bytes(each.getValue()));
          }
        });
  }

  /** The store is not opened again meanwhile, which would end the snapshot. */
  @Override
  public void atOneMoment(Consumer<Function<String, IntentStore>> reading) {
    boolean unused =
        database.use(
            "read",
            db -> {
              Snapshot moment = db.getSnapshot();
              try {
                reading.accept(name -> view(name, moment));
              } finally {
                db.releaseSnapshot(moment);
              }
              return true;
            });
  }

  @Override
  public StoreBackup backUp() {
    return database.copy();
  }

  /** Passes everything on, of a store that nothing writes meanwhile. */
  void copyTo(StoreContent to) {
    to.identity(identity);
    Map<String, Long> seen = lastSeen();
    if (!seen.isEmpty()) {
      to.lastSeen(seen);
    }
    revisions().keySet().forEach(name -> view(name).copyTo(name, to));
    switches().forEach(to::declaration);
    RocksDbJournal.copy(database, to);
    RocksDbDocuments.copy(database, to);
  }

  /**
   * Makes a store in {@code directory}, which is empty.
   *
   * @param content passes everything on that it is to have
   * @throws StoreException if the directory cannot be used; the store is not to be used then
   */
  static void make(Path directory, Consumer<StoreContent> content) {
    try (RocksDbIntentStore store = new RocksDbIntentStore(directory)) {
      RocksDbContent filling = new RocksDbContent(store.database);
      content.accept(filling);
      filling.end();
    }
  }

  /** The number of the last commit, by name of the switch. */
  Map<String, Long> revisions() {
    Map<String, Long> revisions = new TreeMap<>();
    histories.forEach(
        (prefix, history) -> revisions.put(switchName(prefix), history.revision().number()));
    return revisions;
  }

  /**
   * Reads all files and compares them with their checksums.
   *
   * @throws StoreException if one is damaged
   */
  void verify() {
    boolean unused =
        database.use(
            "read",
            db -> {
              db.verifyChecksum();
              return true;
            });
  }

  private void commit(RocksDatabase.Adding adding) {
    measures.committed(
        database.writeSynced(
            batch -> {
              adding.addTo(batch);
            }));
  }

  @Override
  public Optional<SubscriberState> subscriber(String id) {
    return only.subscriber(id);
  }

  @Override
  public Optional<PolicyState> policy(String id) {
    return only.policy(id);
  }

  @Override
  public Optional<RateLimit> rateLimit(String id) {
    return only.rateLimit(id);
  }

  @Override
  public Optional<Tariff> tariff(String id) {
    return only.tariff(id);
  }

  @Override
  public int scan(
      Kind kind, String afterId, long skip, int limit, Consumer<? super StoredRecord> out) {
    return only.scan(kind, afterId, skip, limit, out);
  }

  static byte[] bytes(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  private static byte[] key(String id) {
    return id.getBytes(StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() {
    if (!database.isOpen()) {
      return;
    }
    try {
      journals.values().forEach(RocksDbJournal::end);
      if (!journals.isEmpty()) {
        long unused =
            database.writeSynced(
                batch -> {
                  for (RocksDbJournal journal : journals.values()) {
                    journal.addEnd(batch);
                  }
                });
      }
    } catch (StoreException e) {
      LOG.warn("the journals could not be closed and go on with other numbers", e);
    } finally {
      database.close();
    }
  }
}
