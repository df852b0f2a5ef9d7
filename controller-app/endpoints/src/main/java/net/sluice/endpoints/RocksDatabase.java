package net.sluice.endpoints;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import net.sluice.core.store.StoreException;
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
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * A database in a directory, with column families by name. Its failures are {@link StoreException}s
 * in words for people, and after one it can be opened again. Thread-safe.
 */
final class RocksDatabase {
  /** The family that every database has. */
  static final String DEFAULT = "default";

  private static final long CACHE_BYTES = 64L << 20;
  private static final long WRITE_BUFFER_BYTES = 32L << 20;

  static {
    RocksDB.loadLibrary();
  }

  private final Path directory;
  private final StoreDirectory home;
  private final boolean writable;
  private final List<List<String>> atTimes;
  private final DBOptions options = new DBOptions();
  private final ColumnFamilyOptions familyOptions = new ColumnFamilyOptions();
  private final LRUCache cache = new LRUCache(CACHE_BYTES);
  private final BloomFilter filter = new BloomFilter(10);
  private final WriteOptions synced = new WriteOptions().setSync(true);
  private final WriteOptions unsynced = new WriteOptions();
  private final Map<String, ColumnFamilyHandle> families = new ConcurrentHashMap<>();

  /** Those of {@link #families}, which are closed for a while when it is opened again. */
  private final Set<String> names = new ConcurrentSkipListSet<>();

  /** Null while the database cannot even be read. */
  private RocksDB db;

  // Guards the native handles against use after close.
  private final ReadWriteLock openLock = new ReentrantReadWriteLock();
  private boolean closed;

  private final Object syncing = new Object();

  /** Writes that were not synced as they were made, and how many of them are synced by now. */
  private final AtomicLong writes = new AtomicLong();

  private final AtomicLong syncedWrites = new AtomicLong();

  /** Something that is done with the database. */
  @FunctionalInterface
  interface Action<T> {
    T with(RocksDB db) throws RocksDBException;
  }

  /** Adds to what is written together. */
  @FunctionalInterface
  interface Adding {
    void addTo(WriteBatch batch) throws RocksDBException;
  }

  /**
   * Opens the database in a directory.
   *
   * @param more sets options of RocksDB beyond those of the store
   * @param writable whether the directory is created if it does not exist; otherwise nothing is
   *     changed there, not even RocksDB's log, also beside a process that uses it
   * @param always families that are made if they do not exist
   * @param atTimes groups of families that are made by {@link #make}
   */
  RocksDatabase(
      Path directory,
      Consumer<DBOptions> more,
      boolean writable,
      List<String> always,
      List<List<String>> atTimes) {
    this.directory = directory;
    this.home = new StoreDirectory(directory);
    this.writable = writable;
    this.atTimes = atTimes;
    StoreRestore.requireEnded(directory);
    if (writable) {
      home.make();
    }
    options
        .setCreateIfMissing(writable)
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
    try (Logger silent = writable ? null : new Silent()) {
      if (!writable) {
        options.setLogger(silent);
      }
      names.addAll(always);
      open(!writable);
    } catch (RocksDBException e) {
      closeOptions();
      throw cannotOpen(e);
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

  private Set<String> existing() throws RocksDBException {
    Set<String> names = new HashSet<>();
    if (home.hasStore()) {
      try (Options listing = new Options()) {
        for (byte[] name : RocksDB.listColumnFamilies(listing, directory.toString())) {
          names.add(new String(name, StandardCharsets.US_ASCII));
        }
      }
    }
    return names;
  }

  private void open(boolean toRead) throws RocksDBException {
    // Asked each time: one that could not be made may be there.
    Set<String> existing = existing();
    atTimes.stream()
        .filter(
            group ->
                toRead ? existing.containsAll(group) : group.stream().anyMatch(existing::contains))
        .forEach(names::addAll);
    List<String> order = List.copyOf(names);
    List<ColumnFamilyDescriptor> descriptors = order.stream().map(this::descriptor).toList();
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    String path = directory.toString();
    db =
        toRead
            ? RocksDB.openReadOnly(options, path, descriptors, handles)
            : RocksDB.open(options, path, descriptors, handles);
    for (int i = 0; i < order.size(); i++) {
      families.put(order.get(i), handles.get(i));
    }
  }

  private ColumnFamilyDescriptor descriptor(String name) {
    return new ColumnFamilyDescriptor(name.getBytes(StandardCharsets.US_ASCII), familyOptions);
  }

  private StoreException cannotOpen(RocksDBException cause) {
    String cannot = "cannot open the store in " + directory + ": ";
    return StoreLock.heldBy(directory, cause)
        .map(holder -> new StoreException(cannot + "it is in use by " + holder))
        .orElseGet(
            () -> new StoreException(cannot + cause.getMessage() + "; nothing was changed", cause));
  }

  Path directory() {
    return directory;
  }

  boolean isWritable() {
    return writable;
  }

  /** Whether it was not closed yet. */
  boolean isOpen() {
    openLock.readLock().lock();
    try {
      return !closed;
    } finally {
      openLock.readLock().unlock();
    }
  }

  // ---------------------------------------------------------------- families

  /** Whether there is a family of that name. */
  boolean has(String family) {
    return names.contains(family);
  }

  /** A family that there is; while the database is used only. */
  ColumnFamilyHandle family(String name) {
    return families.get(name);
  }

  /** Makes the families that do not exist yet. */
  void make(List<String> wanted) {
    if (names.containsAll(wanted)) {
      return;
    }
    requireForWriting();
    openLock.writeLock().lock();
    try {
      requireOpen();
      for (String name : wanted) {
        if (!has(name)) {
          families.put(name, db.createColumnFamily(descriptor(name)));
          names.add(name);
        }
      }
    } catch (RocksDBException e) {
      throw failed("write", e);
    } finally {
      openLock.writeLock().unlock();
    }
  }

  // ---------------------------------------------------------------- use

  /**
   * Does something with the database, which is not closed or opened again meanwhile.
   *
   * @param what the word for it if it fails: "read", "write"
   */
  <T> T use(String what, Action<T> action) {
    openLock.readLock().lock();
    try {
      requireOpen();
      return action.with(db);
    } catch (RocksDBException e) {
      throw failed(what, e);
    } finally {
      openLock.readLock().unlock();
    }
  }

  /** Passes on every key of a family with its value; nothing if there is no such family. */
  void forEach(String family, BiConsumer<byte[], byte[]> out) {
    if (!has(family)) {
      return;
    }
    boolean unused =
        use(
            "read",
            opened -> {
              try (RocksIterator place = opened.newIterator(family(family))) {
                for (place.seekToFirst(); place.isValid(); place.next()) {
                  out.accept(place.key(), place.value());
                }
                place.status();
                return true;
              }
            });
  }

  /**
   * Writes all or nothing of what is added to a batch; when this returns it is on the disk.
   *
   * @return how long the writing took, in nanoseconds
   */
  long writeSynced(Adding adding) {
    return use(
        "write",
        opened -> {
          try (WriteBatch batch = new WriteBatch()) {
            adding.addTo(batch);
            long before = writes.get();
            long begun = System.nanoTime();
            opened.write(synced, batch);
            areSynced(before);
            return System.nanoTime() - begun;
          }
        });
  }

  /** Writes all or nothing of what is added to a batch; it may be lost with the machine. */
  void write(Adding adding) {
    writes.addAndGet(
        use(
            "write",
            opened -> {
              try (WriteBatch batch = new WriteBatch()) {
                adding.addTo(batch);
                opened.write(unsynced, batch);
                return 1;
              }
            }));
  }

  /** The log is one file: who syncs it has synced what was written before. */
  private void areSynced(long upTo) {
    syncedWrites.accumulateAndGet(upTo, Math::max);
  }

  /** Returns when all that was written before is on the disk. Callers that wait share a sync. */
  void sync() {
    long wanted = writes.get();
    synchronized (syncing) {
      if (syncedWrites.get() < wanted) {
        long upTo = writes.get();
        boolean unused =
            use(
                "write",
                opened -> {
                  opened.syncWal();
                  return true;
                });
        areSynced(upTo);
      }
    }
  }

  StoreException failed(String what, RocksDBException cause) {
    return new StoreException(
        "cannot " + what + " the store in " + directory + ": " + cause.getMessage(), cause);
  }

  private void requireOpen() {
    if (closed) {
      throw new StoreException("the store in " + directory + " is closed");
    }
    if (db == null) {
      throw new StoreException("the store in " + directory + " could not be opened again");
    }
  }

  private void requireForWriting() {
    if (!writable) {
      throw new StoreException("the store in " + directory + " is open for reading only");
    }
  }

  // ---------------------------------------------------------------- copies

  /** Copies everything that is written by now into a directory of its own. */
  StoreCopy copy() {
    return use(
        "copy",
        opened -> {
          home.requireRoomForCopy(
              opened.getAggregatedLongProperty("rocksdb.cur-size-all-mem-tables"));
          Path copy = directory.resolve(StoreCopy.COPY + UUID.randomUUID());
          try (Checkpoint checkpoint = Checkpoint.create(opened)) {
            checkpoint.createCheckpoint(copy.toString());
          }
          return new StoreCopy(copy);
        });
  }

  // ---------------------------------------------------------------- failures and the end

  /**
   * After a write that failed, RocksDB takes none until it is opened anew: the log ends with what
   * was written of it. It is opened for reading only if there is no room for the rest.
   *
   * @param reading reads again what was kept in memory; nothing else is done with the database
   *     meanwhile
   */
  void reopen(Runnable reading) {
    requireForWriting();
    home.requireRoomForLog();
    openLock.writeLock().lock();
    try {
      if (closed) {
        requireOpen();
      }
      closeDb();
      try {
        open(false);
      } catch (RocksDBException e) {
        StoreException failure = cannotOpen(e);
        try {
          open(true);
        } catch (RocksDBException unreadable) {
          failure.addSuppressed(unreadable);
        }
        throw failure;
      }
      reading.run();
    } finally {
      openLock.writeLock().unlock();
    }
  }

  private void closeDb() {
    families.values().forEach(ColumnFamilyHandle::close);
    families.clear();
    if (db != null) {
      db.close();
      db = null;
    }
  }

  /** Closes it; after the first time that does nothing. */
  void close() {
    openLock.writeLock().lock();
    try {
      if (!closed) {
        closed = true;
        closeDb();
        closeOptions();
      }
    } finally {
      openLock.writeLock().unlock();
    }
  }

  private void closeOptions() {
    synced.close();
    unsynced.close();
    familyOptions.close();
    options.close();
    filter.close();
    cache.close();
  }
}
