package net.sluice.endpoints;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import net.sluice.core.StoreBackup;
import net.sluice.core.shard.NetworkSwitch;
import net.sluice.core.store.IntentStore;
import net.sluice.core.store.NetworkStore;
import net.sluice.core.store.Revision;
import net.sluice.core.store.StoreBatch;
import net.sluice.core.store.StoreCodec;
import net.sluice.core.store.StoreException;
import net.sluice.core.store.StoreHistory;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SubscriberState;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Logger;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Snapshot;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * Keeps declarations in RocksDB, one column family per kind. A commit is one write batch whose log
 * is synced before it returns, so it survives the death of the process and of the machine.
 *
 * <p>As an {@link IntentStore} it is that of the only switch. Switches with a name of their own are
 * in column families of their own, which are made when there is such a switch, by keys that begin
 * with the name.
 */
public final class RocksDbIntentStore implements IntentStore, NetworkStore {
  /** Of the store as a whole; records have versions of their own. */
  private static final byte FORMAT = 1;

  private static final byte[] FORMAT_KEY = "format".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] IDENTITY_KEY = "identity".getBytes(StandardCharsets.US_ASCII);
  private static final String SWITCH_KEY = "switch\0";
  private static final String SEEN_KEY = "seen\0";

  // By name of the switch, and that of the only one is empty.
  private static final String REVISION_KEY = "revision\0";
  private static final String OPENINGS_KEY = "openings\0";
  private static final List<String> FAMILIES =
      List.of("default", "subscribers", "policies", "rate-limits");
  private static final List<String> NETWORK_FAMILIES =
      List.of("network-subscribers", "network-policies", "network-rate-limits");

  /** Of the families of a kind, where those of the only switch and those of named ones begin. */
  private static final int ONLY = 1;

  private static final int NAMED = FAMILIES.size();

  /** Between a switch's name and an id: neither has it. */
  private static final char SEPARATOR = '\0';

  private static final long CACHE_BYTES = 64L << 20;
  private static final long WRITE_BUFFER_BYTES = 32L << 20;

  /** Left free when the store is copied. */
  private static final long SPARE_BYTES = 16L << 20;

  /** A store that is opened again writes some files of less than that. */
  private static final int TRIAL_BYTES = 1 << 20;

  static {
    RocksDB.loadLibrary();
  }

  private final Path directory;
  private final StoreCodec codec = new StoreCodec();
  private final DBOptions options = new DBOptions();
  private final ColumnFamilyOptions familyOptions = new ColumnFamilyOptions();
  private final LRUCache cache = new LRUCache(CACHE_BYTES);
  private final BloomFilter filter = new BloomFilter(10);
  private final WriteOptions durable = new WriteOptions().setSync(true);
  private final List<ColumnFamilyHandle> handles = new ArrayList<>();

  private final OfSwitch only = view(NetworkSwitch.ONLY);

  /** Null while the store cannot even be read. */
  private RocksDB db;

  private volatile boolean hasNamed;
  private volatile Measures measures = Measures.NONE;

  private final long identity;
  private final boolean writable;

  /** Of each switch, by the prefix of its keys, what is durable. */
  private final Map<String, StoreHistory> histories = new ConcurrentHashMap<>();

  /** Of this opening, likewise; others after each {@link #reopen}. */
  private final Map<String, Integer> marks = new ConcurrentHashMap<>();

  // Guards the native handles against use after close.
  private final ReadWriteLock openLock = new ReentrantReadWriteLock();
  private boolean closed;

  /**
   * Opens the store in {@code directory}, which is created if it does not exist.
   *
   * @throws StoreException if the directory cannot be used, is in use, is corrupt, or was written
   *     by a release with a newer format; nothing is changed then
   */
  public RocksDbIntentStore(Path directory) {
    this(directory, options -> {});
  }

  /** As above; {@code more} sets options of RocksDB beyond those of the store. */
  RocksDbIntentStore(Path directory, Consumer<DBOptions> more) {
    this(directory, more, true);
  }

  /**
   * Opens the store in {@code directory} to read what it holds by now. Changes nothing there, not
   * even RocksDB's log, and does so beside a process that uses it, too. A store that was not opened
   * by this release yet may have identity 0, which stands for none.
   *
   * @throws StoreException if there is none, or it is corrupt or of a newer format
   */
  static RocksDbIntentStore readOnly(Path directory) {
    try (Logger silent = new Silent()) {
      return new RocksDbIntentStore(
          directory, options -> options.setCreateIfMissing(false).setLogger(silent), false);
    }
  }

  /** Given to RocksDB, it makes no file for its log. */
  private static final class Silent extends Logger {
    Silent() {
      super(InfoLogLevel.FATAL_LEVEL);
    }

    @Override
    protected void log(InfoLogLevel level, String message) {}
  }

  /** Whether there is a store in {@code directory}. */
  static boolean isIn(Path directory) {
    return Files.exists(directory.resolve("CURRENT"));
  }

  /**
   * Tries nothing, and finds out whether a store in {@code directory} could be made or written.
   *
   * @throws StoreException if not
   */
  static void requireWritable(Path directory) {
    Path there = directory;
    while (there.getParent() != null && !Files.exists(there, NOFOLLOW_LINKS)) {
      there = there.getParent();
    }
    if (!Files.isDirectory(there)) {
      throw cannotCreate(directory, "it is not a directory", null);
    }
    if (!Files.isWritable(there)) {
      String denied = "permission denied";
      throw there.equals(directory)
          ? new StoreException("cannot write the store in " + directory + ": " + denied)
          : cannotCreate(directory, denied, null);
    }
  }

  private static StoreException cannotCreate(Path directory, String reason, IOException cause) {
    return new StoreException(
        "cannot create the store's directory " + directory + ": " + reason, cause);
  }

  private RocksDbIntentStore(Path directory, Consumer<DBOptions> more, boolean writable) {
    this.directory = directory;
    this.writable = writable;
    StoreRestore.requireEnded(directory);
    if (writable) {
      try {
        Files.createDirectories(directory);
      } catch (IOException e) {
        throw cannotCreate(directory, reason(e), e);
      }
    }
    options
        .setCreateIfMissing(true)
        .setCreateMissingColumnFamilies(true)
        // A write cut short by a crash was never acknowledged; damage anywhere else is an error.
        .setWalRecoveryMode(WALRecoveryMode.TolerateCorruptedTailRecords)
        .setParanoidChecks(true)
        .setKeepLogFileNum(2)
        .setMaxTotalWalSize(256L << 20)
        .setStatsDumpPeriodSec(0);
    more.accept(options);
    familyOptions
        .setWriteBufferSize(WRITE_BUFFER_BYTES)
        .setCompressionType(CompressionType.NO_COMPRESSION)
        .setTableFormatConfig(
            new BlockBasedTableConfig()
                .setBlockCache(cache)
                .setFilterPolicy(filter)
                .setCacheIndexAndFilterBlocks(true));
    try {
      readFamilies();
      db =
          writable
              ? RocksDB.open(options, directory.toString(), families(), handles)
              : RocksDB.openReadOnly(options, directory.toString(), families(), handles);
    } catch (RocksDBException e) {
      closeOptions();
      throw cannotOpen(e);
    }
    try {
      checkFormat();
      identity = identify();
      readHistories();
      if (writable) {
        // Of a process that ended while it handed them out.
        StoreArchive.removeCopies(directory);
      }
    } catch (StoreException e) {
      close();
      throw e;
    }
  }

  /** Has it told how long commits take, from now on. */
  void tellCommits(Measures listener) {
    measures = listener;
  }

  /** Finds out whether there have been named switches. */
  private void readFamilies() throws RocksDBException {
    if (isIn(directory)) {
      try (Options listing = new Options()) {
        hasNamed =
            RocksDB.listColumnFamilies(listing, directory.toString()).stream()
                .map(name -> new String(name, StandardCharsets.US_ASCII))
                .anyMatch(NETWORK_FAMILIES.get(0)::equals);
      }
    }
  }

  private List<ColumnFamilyDescriptor> families() {
    return Stream.concat(
            FAMILIES.stream(), hasNamed ? NETWORK_FAMILIES.stream() : Stream.<String>empty())
        .map(this::family)
        .toList();
  }

  private ColumnFamilyDescriptor family(String name) {
    return new ColumnFamilyDescriptor(name.getBytes(StandardCharsets.US_ASCII), familyOptions);
  }

  @Override
  public IntentStore of(String switchName) {
    if (switchName.equals(NetworkSwitch.ONLY)) {
      return view(switchName);
    }
    if (!hasNamed && writable) {
      makeNamedFamilies();
    }
    return view(switchName);
  }

  private void makeNamedFamilies() {
    openLock.writeLock().lock();
    try {
      requireNotClosed();
      if (!hasNamed) {
        for (String name : NETWORK_FAMILIES) {
          handles.add(db.createColumnFamily(family(name)));
        }
        hasNamed = true;
      }
    } catch (RocksDBException e) {
      throw failed("write", e);
    } finally {
      openLock.writeLock().unlock();
    }
  }

  @Override
  public boolean holds(String switchName) {
    return use(
        () ->
            switchName.equals(NetworkSwitch.ONLY)
                || (hasNamed && view(switchName).holdsAnything()));
  }

  private OfSwitch view(String switchName) {
    return view(switchName, null);
  }

  private OfSwitch view(String switchName, Snapshot moment) {
    return switchName.equals(NetworkSwitch.ONLY)
        ? new OfSwitch(ONLY, "", moment)
        : new OfSwitch(NAMED, switchName + SEPARATOR, moment);
  }

  /** The records of one switch. */
  private final class OfSwitch implements IntentStore {
    private final int families;
    private final String prefix;

    /** As of when lists are read; null for now. */
    private final Snapshot moment;

    OfSwitch(int families, String prefix, Snapshot moment) {
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
      add(writes, 0, batch.subscribers(), codec::encode);
      add(writes, 1, batch.policies(), codec::encode);
      add(writes, 2, batch.rateLimits(), codec::encode);
      int mark = marks.computeIfAbsent(prefix, unused -> StoreHistory.drawMark());
      StoreHistory before = history();
      StoreHistory after = before.with(mark, before.revision().number() + 1);
      writes.put(handles.get(0), key(REVISION_KEY + prefix), bytes(after.revision().number()));
      if (!before.isBy(mark)) {
        writes.put(handles.get(0), key(OPENINGS_KEY + prefix), after.openings());
      }
      return after;
    }

    private <T> void add(
        WriteBatch writes, int kind, Map<String, Optional<T>> records, Function<T, byte[]> encode)
        throws RocksDBException {
      ColumnFamilyHandle family = handles.get(families + kind);
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

    private Optional<byte[]> get(int kind, String id) {
      return use(
          () -> {
            try {
              return isAbsent()
                  ? Optional.empty()
                  : Optional.ofNullable(db.get(handles.get(families + kind), key(prefix + id)));
            } catch (RocksDBException e) {
              throw failed("read", e);
            }
          });
    }

    private boolean holdsAnything() {
      return scanPolicies("", 0, 1, each -> {})
              + scanSubscribers("", 0, 1, each -> {})
              + scanRateLimits("", 0, 1, each -> {})
          > 0;
    }

    /** In a store that is only read there may have been no named switch. */
    private boolean isAbsent() {
      return families + 2 >= handles.size();
    }

    @Override
    public int scanSubscribers(
        String afterId, long skip, int limit, Consumer<? super SubscriberState> out) {
      return scan(0, afterId, skip, limit, StoreCodec::subscriber, out);
    }

    @Override
    public int scanPolicies(
        String afterId, long skip, int limit, Consumer<? super PolicyState> out) {
      return scan(1, afterId, skip, limit, StoreCodec::policy, out);
    }

    @Override
    public int scanRateLimits(
        String afterId, long skip, int limit, Consumer<? super RateLimit> out) {
      return scan(2, afterId, skip, limit, StoreCodec::rateLimit, out);
    }

    private <T> int scan(
        int kind,
        String afterId,
        long skip,
        int limit,
        BiFunction<String, byte[], T> decode,
        Consumer<? super T> out) {
      return use(
          () -> {
            int count = 0;
            if (isAbsent()) {
              return count;
            }
            byte[] begin = key(prefix);
            try (ReadOptions read =
                    new ReadOptions().setReadaheadSize(256 << 10).setSnapshot(moment);
                RocksIterator at = db.newIterator(handles.get(families + kind), read)) {
              // No id has a byte below '-', so the id with a 0 behind it comes right after it.
              at.seek(afterId.isEmpty() ? begin : key(prefix + afterId + SEPARATOR));
              for (long left = skip; left > 0 && isAt(at, begin); left--) {
                at.next();
              }
              for (; count < limit && isAt(at, begin); at.next()) {
                byte[] key = at.key();
                String id =
                    new String(
                        key, begin.length, key.length - begin.length, StandardCharsets.ISO_8859_1);
                out.accept(decode.apply(id, at.value()));
                count++;
              }
              at.status();
            } catch (RocksDBException e) {
              throw failed("read", e);
            }
            return count;
          });
    }

    /** Whether the iterator is at a key of this switch. */
    private static boolean isAt(RocksIterator at, byte[] begin) {
      if (!at.isValid()) {
        return false;
      }
      byte[] key = at.key();
      return key.length >= begin.length
          && Arrays.equals(key, 0, begin.length, begin, 0, begin.length);
    }

    @Override
    public void close() {}
  }

  private StoreException cannotOpen(RocksDBException cause) {
    String cannot = "cannot open the store in " + directory + ": ";
    return StoreLock.heldBy(directory, cause)
        .map(holder -> new StoreException(cannot + "it is in use by " + holder))
        .orElseGet(
            () -> new StoreException(cannot + cause.getMessage() + "; nothing was changed", cause));
  }

  /**
   * After a write that failed, RocksDB takes none until it is opened anew: the log ends with what
   * was written of it. It is opened for reading only if there is no room for the rest.
   */
  @Override
  public void reopen() {
    if (!writable) {
      throw new StoreException("the store in " + directory + " is open for reading only");
    }
    requireRoom();
    openLock.writeLock().lock();
    try {
      requireNotClosed();
      closeDb();
      try {
        db = RocksDB.open(options, directory.toString(), families(), handles);
        // What is there now may be another copy: its commits from here on are others.
        marks.clear();
        readHistories();
      } catch (RocksDBException e) {
        StoreException failure = cannotOpen(e);
        try {
          handles.clear();
          db = RocksDB.openReadOnly(options, directory.toString(), families(), handles);
        } catch (RocksDBException unreadable) {
          failure.addSuppressed(unreadable);
        }
        throw failure;
      }
    } finally {
      openLock.writeLock().unlock();
    }
  }

  /** Writes something before the open store, which can be read, is closed. */
  private void requireRoom() {
    Path trial = directory.resolve("trial");
    try {
      try (FileChannel channel = FileChannel.open(trial, CREATE, WRITE)) {
        ByteBuffer zeros = ByteBuffer.allocate(TRIAL_BYTES);
        while (zeros.hasRemaining()) {
          int unused = channel.write(zeros);
        }
        channel.force(true);
      } finally {
        Files.deleteIfExists(trial);
      }
    } catch (IOException e) {
      throw new StoreException("cannot write the store in " + directory + ": " + reason(e), e);
    }
  }

  private static String reason(IOException failure) {
    if (failure instanceof FileAlreadyExistsException) {
      return "it is not a directory";
    }
    if (failure instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (failure instanceof FileSystemException of) {
      return of.getReason() == null ? of.toString() : of.getReason();
    }
    return String.valueOf(failure.getMessage());
  }

  private void checkFormat() {
    try {
      byte[] format = db.get(handles.get(0), FORMAT_KEY);
      if (format == null) {
        if (writable) {
          db.put(handles.get(0), durable, FORMAT_KEY, new byte[] {FORMAT});
        }
      } else if (format.length != 1 || format[0] < 1) {
        throw new StoreException(
            "the store in " + directory + " has an unreadable format mark; nothing was changed");
      } else if (format[0] > FORMAT) {
        throw new StoreException(
            String.format(
                Locale.ROOT,
                "the store in %s has format %d; this release reads formats 1 to %d; nothing was"
                    + " changed",
                directory,
                format[0],
                FORMAT));
      }
    } catch (RocksDBException e) {
      throw failed("read", e);
    }
  }

  /** Reads the store's identity; one that has none yet is given one. */
  private long identify() {
    try {
      byte[] kept = db.get(handles.get(0), IDENTITY_KEY);
      if (kept == null && !writable) {
        return 0;
      } else if (kept == null) {
        kept = new byte[Long.BYTES];
        new SecureRandom().nextBytes(kept);
        kept[0] |= 1; // Not 0, whatever is drawn.
        db.put(handles.get(0), durable, IDENTITY_KEY, kept);
      } else if (kept.length != Long.BYTES) {
        throw new StoreException(
            "the store in " + directory + " has an unreadable identity; nothing was changed");
      }
      return ByteBuffer.wrap(kept).getLong();
    } catch (RocksDBException e) {
      throw failed("read", e);
    }
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
    batches.forEach((name, batch) -> parts.put(view(name), batch));
    commitParts(parts);
  }

  private void commitParts(Map<OfSwitch, StoreBatch> parts) {
    Map<String, StoreHistory> after = new HashMap<>();
    commit(
        writes -> {
          for (Map.Entry<OfSwitch, StoreBatch> part : parts.entrySet()) {
            after.put(part.getKey().prefix, part.getKey().add(writes, part.getValue()));
          }
        });
    histories.putAll(after);
  }

  @Override
  public Map<String, byte[]> switches() {
    return use(() -> read(SWITCH_KEY));
  }

  /** The values of the store as a whole whose keys begin so, by the rest of the key. */
  private Map<String, byte[]> read(String keys) {
    Map<String, byte[]> values = new LinkedHashMap<>();
    try (RocksIterator at = db.newIterator(handles.get(0))) {
      byte[] begin = key(keys);
      for (at.seek(begin); OfSwitch.isAt(at, begin); at.next()) {
        String key = new String(at.key(), StandardCharsets.ISO_8859_1);
        values.put(key.substring(keys.length()), at.value());
      }
      at.status();
    } catch (RocksDBException e) {
      throw failed("read", e);
    }
    return values;
  }

  @Override
  public void declare(String switchName, Optional<byte[]> document) {
    byte[] key = key(SWITCH_KEY + switchName);
    commit(
        writes -> {
          if (document.isPresent()) {
            writes.put(handles.get(0), key, document.get());
          } else {
            writes.delete(handles.get(0), key);
          }
        });
  }

  @Override
  public Map<String, Long> lastSeen() {
    Map<String, Long> numbers = new LinkedHashMap<>();
    use(() -> read(SEEN_KEY))
        .forEach((name, number) -> numbers.put(name, ByteBuffer.wrap(number).getLong()));
    return numbers;
  }

  @Override
  public void lastSeen(Map<String, Long> numbers) {
    commit(
        writes -> {
          for (Map.Entry<String, Long> each : numbers.entrySet()) {
            writes.put(handles.get(0), key(SEEN_KEY + each.getKey()), bytes(each.getValue()));
          }
        });
  }

  /** The store is not opened again meanwhile, which would end the snapshot. */
  @Override
  public void atOneMoment(Consumer<Function<String, IntentStore>> reading) {
    use(
        () -> {
          Snapshot moment = db.getSnapshot();
          try {
            reading.accept(name -> view(name, moment));
          } finally {
            db.releaseSnapshot(moment);
          }
          return null;
        });
  }

  @Override
  public Optional<StoreBackup> backUp() {
    return use(
        () -> {
          requireRoomForCopy();
          Path copy = directory.resolve(StoreArchive.COPY + UUID.randomUUID());
          try (Checkpoint checkpoint = Checkpoint.create(db)) {
            checkpoint.createCheckpoint(copy.toString());
          } catch (RocksDBException e) {
            throw failed("copy", e);
          }
          return Optional.of(new StoreArchive(copy));
        });
  }

  /**
   * RocksDB writes what is in memory to files before it links them into a copy. A store that ran
   * full by that would take no more changes.
   */
  private void requireRoomForCopy() {
    try {
      long needed = db.getAggregatedLongProperty("rocksdb.cur-size-all-mem-tables") + SPARE_BYTES;
      long room = Files.getFileStore(directory).getUsableSpace();
      if (room < needed) {
        throw new StoreException(
            "cannot copy the store in %s: %d bytes are free there; needed: %d"
                .formatted(directory, room, needed));
      }
    } catch (RocksDBException e) {
      throw failed("copy", e);
    } catch (IOException e) {
      throw new StoreException("cannot copy the store in " + directory + ": " + reason(e), e);
    }
  }

  /** The number of the last commit, by name of the switch; "" for the only one. */
  Map<String, Long> revisions() {
    Map<String, Long> revisions = new TreeMap<>();
    histories.forEach(
        (prefix, history) ->
            revisions.put(
                prefix.isEmpty() ? prefix : prefix.substring(0, prefix.length() - 1),
                history.revision().number()));
    return revisions;
  }

  /**
   * Reads all files and compares them with their checksums.
   *
   * @throws StoreException if one is damaged
   */
  void verify() {
    use(
        () -> {
          try {
            db.verifyChecksum();
            return null;
          } catch (RocksDBException e) {
            throw failed("read", e);
          }
        });
  }

  private interface Adding {
    void addTo(WriteBatch writes) throws RocksDBException;
  }

  private void commit(Adding adding) {
    use(
        () -> {
          try (WriteBatch writes = new WriteBatch()) {
            synchronized (codec) {
              adding.addTo(writes);
            }
            long begun = System.nanoTime();
            db.write(durable, writes);
            measures.committed(System.nanoTime() - begun);
            return null;
          } catch (RocksDBException e) {
            throw failed("write", e);
          }
        });
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
  public int scanSubscribers(
      String afterId, long skip, int limit, Consumer<? super SubscriberState> out) {
    return only.scanSubscribers(afterId, skip, limit, out);
  }

  @Override
  public int scanPolicies(String afterId, long skip, int limit, Consumer<? super PolicyState> out) {
    return only.scanPolicies(afterId, skip, limit, out);
  }

  @Override
  public int scanRateLimits(String afterId, long skip, int limit, Consumer<? super RateLimit> out) {
    return only.scanRateLimits(afterId, skip, limit, out);
  }

  private static byte[] bytes(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  private static byte[] key(String id) {
    return id.getBytes(StandardCharsets.ISO_8859_1);
  }

  private StoreException failed(String what, RocksDBException cause) {
    return new StoreException(
        "cannot " + what + " the store in " + directory + ": " + cause.getMessage(), cause);
  }

  private <T> T use(Supplier<T> action) {
    openLock.readLock().lock();
    try {
      requireNotClosed();
      if (db == null) {
        throw new StoreException("the store in " + directory + " could not be opened again");
      }
      return action.get();
    } finally {
      openLock.readLock().unlock();
    }
  }

  private void requireNotClosed() {
    if (closed) {
      throw new StoreException("the store in " + directory + " is closed");
    }
  }

  private void closeDb() {
    handles.forEach(ColumnFamilyHandle::close);
    handles.clear();
    if (db != null) {
      db.close();
      db = null;
    }
  }

  @Override
  public void close() {
    openLock.writeLock().lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      closeDb();
      closeOptions();
    } finally {
      openLock.writeLock().unlock();
    }
  }

  private void closeOptions() {
    durable.close();
    familyOptions.close();
    options.close();
    filter.close();
    cache.close();
  }
}
