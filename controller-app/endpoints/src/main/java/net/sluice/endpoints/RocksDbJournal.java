package net.sluice.endpoints;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import net.sluice.core.store.Journal;
import net.sluice.core.store.StoreContent;
import net.sluice.core.store.StoreException;
import net.sluice.endpoints.JournalRecord.Head;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;

/**
 * A journal in a column family of all journals. A record's key is the journal's name and the first
 * of its numbers; at number 0, which no record has, is its {@link Head}.
 *
 * <p>Records are also written together with what is written to other families, by threads that do
 * not wait for each other. So numbers are given before records are written, and nothing is read
 * from a number on that is not written.
 */
final class RocksDbJournal implements Journal {
  /** The family of all journals. */
  static final String FAMILY = "journals";

  private final String name;
  private final byte[] prefix;
  private final RocksDatabase database;
  private final Clock clock;

  /** Guards what follows; the database is not used while it is held, but to open the journal. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Condition ended = lock.newCondition();

  /** Those that are being written, by their numbers. */
  private final Deque<Added> underWay = new ArrayDeque<>();

  private volatile Head head;
  private volatile boolean whole;
  private boolean isOver;
  private long given;
  private long visible;

  /** Number of the first record that is kept; 0 if there is none. */
  private long oldest;

  /** Number of the newest record that can be read; 0 if there is none. */
  private long newest;

  private long at = Long.MIN_VALUE;

  /** Of all records that ever were. */
  private long bytes;

  private final Object trimming = new Object();

  /** Number of a record that is on the disk, as are those before it. */
  private volatile long synced;

  /** Opens a journal, which is begun if there is none. */
  RocksDbJournal(String name, RocksDatabase database, Clock clock) {
    this.name = name;
    this.prefix = JournalRecord.prefix(name);
    this.database = database;
    this.clock = clock;
    database.make(List.of(FAMILY));
    load();
  }

  private byte[] key(long number) {
    return JournalRecord.key(prefix, number);
  }

  private ColumnFamilyHandle family() {
    return database.family(FAMILY);
  }

  /** Passes on the records of all journals. */
  static void copy(RocksDatabase database, StoreContent to) {
    database.forEach(
        FAMILY,
        (key, value) -> {
          int end = key.length - Long.BYTES;
          long number = ByteBuffer.wrap(key).getLong(end);
          if (number > 0) {
            String name = new String(key, 0, end - 1, StandardCharsets.US_ASCII);
            to.entry(name, JournalRecord.of(database, name, number, value).entry());
          }
        });
  }

  /**
   * Adds a record to a journal that nothing has opened yet. What is added after its end, when it is
   * opened, skips numbers.
   *
   * @param before the bytes of all records before it
   */
  static void restore(
      RocksDatabase database, WriteBatch batch, String name, Entry entry, long before)
      throws RocksDBException {
    byte[] prefix = JournalRecord.prefix(name);
    ColumnFamilyHandle family = database.family(FAMILY);
    if (before == 0) {
      batch.put(family, JournalRecord.key(prefix, 0), Head.drawn().value());
    }
    batch.put(
        family,
        JournalRecord.key(prefix, entry.number()),
        JournalRecord.value(entry.at().toEpochMilli(), entry.count(), before, entry.bytes()));
  }

  /** Finds out what there is, when the database has been opened, also once more. */
  void load() {
    lock.lock();
    try {
      boolean unused =
          database.use(
              "read",
              db -> {
                load(db);
                return true;
              });
    } finally {
      lock.unlock();
    }
  }

  private void load(RocksDB db) throws RocksDBException {
    byte[] value = db.get(family(), key(0));
    Head found = value == null ? Head.drawn() : Head.of(value);
    boolean isAnother = head == null || head.id() != found.id();
    synced = 0;
    if (isAnother) {
      given = 0;
      bytes = 0;
      at = Long.MIN_VALUE;
      whole = value == null || found.isClosed();
    }
    try (RocksIterator place = db.newIterator(family())) {
      place.seekForPrev(key(Long.MAX_VALUE));
      JournalRecord last = isAt(place) ? stored(place) : null;
      place.seek(key(1));
      oldest = isAt(place) ? number(place.key()) : 0;
      newest = last == null ? 0 : last.entry().number();
      long end = last == null ? 0 : last.entry().last();
      if (last != null) {
        bytes = Math.max(bytes, last.before() + last.entry().bytes().length);
        at = Math.max(at, last.entry().at().toEpochMilli());
      }
      if (!isAnother) {
        given = Math.max(given, end);
      } else {
        given = found.isClosed() ? found.closedAt() : value == null ? 0 : end + SKIPPED;
      }
      place.status();
    }
    underWay.forEach(added -> given = Math.max(given, added.last()));
    visible = underWay.isEmpty() ? given : underWay.getFirst().first - 1;
    head = new Head(found.id(), Head.OPEN);
    if (value == null || found.isClosed()) {
      // Before the first number is given: it would be given again if this got lost.
      long unused = database.writeSynced(batch -> batch.put(family(), key(0), head.value()));
    }
  }

  /** Takes no more records; returns when all have been written that were under way. */
  void end() {
    lock.lock();
    try {
      isOver = true;
      while (!underWay.isEmpty()) {
        ended.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Notes after the {@link #end} that nothing is lost of what was added. */
  void addEnd(WriteBatch batch) throws RocksDBException {
    batch.put(family(), key(0), new Head(head.id(), last()).value());
  }

  // ---------------------------------------------------------------- adding

  /** Records that have numbers and are being written. */
  final class Added {
    private final List<Item> items;
    private final long first;
    private final long firstBytes;
    private final long millis;
    private boolean hasEnded;
    private boolean isWritten;

    private Added(List<Item> items) {
      this.items = items;
      at = Math.max(at, clock.millis());
      millis = at;
      first = given + 1;
      firstBytes = bytes;
      for (Item item : items) {
        given += item.count();
        bytes += item.bytes().length;
      }
    }

    /** The first number of the first. */
    long first() {
      return first;
    }

    private long last() {
      return first + items.stream().mapToLong(Item::count).sum() - 1;
    }

    private long newest() {
      return last() - items.get(items.size() - 1).count() + 1;
    }

    void addTo(WriteBatch batch) throws RocksDBException {
      long number = first;
      long before = firstBytes;
      for (Item item : items) {
        byte[] content = item.bytes();
        batch.put(
            family(), key(number), JournalRecord.value(millis, item.count(), before, content));
        number += item.count();
        before += content.length;
      }
    }

    /**
     * To be called once, also after a failure. Returns when these and all of lower numbers can be
     * read.
     */
    void end(boolean written) {
      lock.lock();
      try {
        hasEnded = true;
        isWritten = written;
        while (!underWay.isEmpty() && underWay.getFirst().hasEnded) {
          Added next = underWay.removeFirst();
          visible = next.last();
          if (next.isWritten) {
            newest = next.newest();
            oldest = oldest == 0 ? next.first : oldest;
          }
        }
        ended.signalAll();
        while (visible < first) {
          ended.awaitUninterruptibly();
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /** Gives records their numbers; who calls this has to write them, and to {@link Added#end}. */
  Added begin(List<Item> items) {
    Journal.requireItems(items);
    lock.lock();
    try {
      if (isOver) {
        throw new StoreException("the store in " + database.directory() + " is closed");
      }
      Added added = new Added(items);
      underWay.addLast(added);
      return added;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long append(List<Item> items) {
    Added added = begin(items);
    boolean isWritten = false;
    try {
      database.write(added::addTo);
      isWritten = true;
    } finally {
      added.end(isWritten);
    }
    return added.first();
  }

  @Override
  public void sync(long number) {
    if (synced < number) {
      long upTo = last();
      database.sync();
      synced = upTo;
    }
  }

  // ---------------------------------------------------------------- reading

  @Override
  public String id() {
    return HexFormat.of().toHexDigits(head.id());
  }

  @Override
  public boolean isWhole() {
    return whole;
  }

  @Override
  public long first() {
    lock.lock();
    try {
      return oldest == 0 ? visible + 1 : oldest;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long last() {
    lock.lock();
    try {
      return visible;
    } finally {
      lock.unlock();
    }
  }

  private boolean isAt(RocksIterator place) {
    if (!place.isValid()) {
      return false;
    }
    byte[] key = place.key();
    return key.length == prefix.length + Long.BYTES
        && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length)
        && number(key) > 0;
  }

  private long number(byte[] key) {
    return ByteBuffer.wrap(key).getLong(prefix.length);
  }

  private StoreException damaged(long number, String how) {
    return JournalRecord.damaged(database, name, number, how);
  }

  private JournalRecord stored(RocksIterator place) {
    return JournalRecord.of(database, name, number(place.key()), place.value());
  }

  @Override
  public List<Entry> read(long from, int maxBytes) {
    long last = last();
    long begin = Math.max(from, first());
    List<Entry> read = new ArrayList<>();
    if (begin > last) {
      return read;
    }
    return database.use(
        "read",
        db -> {
          try (RocksIterator place = db.newIterator(family())) {
            place.seekForPrev(key(begin));
            if (!isAt(place) || stored(place).entry().last() < begin) {
              place.seek(key(begin));
            }
            for (long size = 0; isAt(place) && (read.isEmpty() || size < maxBytes); place.next()) {
              Entry entry = stored(place).entry();
              if (entry.number() > last) {
                break;
              }
              read.add(entry);
              size += entry.bytes().length;
            }
            place.status();
            return read;
          }
        });
  }

  // ---------------------------------------------------------------- forgetting

  @Override
  public void trim(long mostBytes, Instant before) {
    synchronized (trimming) {
      long low;
      long high;
      long bytesBefore;
      lock.lock();
      try {
        low = oldest;
        high = newest;
        bytesBefore = bytes - mostBytes;
      } finally {
        lock.unlock();
      }
      long stays =
          high == 0 ? low : database.use("read", db -> first(db, low, high, bytesBefore, before));
      if (stays > low) {
        database.write(batch -> batch.deleteRange(family(), key(1), key(stays)));
        lock.lock();
        try {
          oldest = Math.max(oldest, stays);
        } finally {
          lock.unlock();
        }
      }
    }
  }

  /**
   * The first record that stays, looked for between the first and the newest one, each time at the
   * one in the middle.
   */
  private long first(RocksDB db, long first, long newest, long bytesBefore, Instant since)
      throws RocksDBException {
    try (RocksIterator place = db.newIterator(family())) {
      long low = first;
      long high = newest;
      while (low < high) {
        long middle = low + (high - low) / 2;
        place.seek(key(middle));
        if (!isAt(place)) {
          throw damaged(middle, "is missing");
        }
        JournalRecord stored = stored(place);
        if (stored.before() >= bytesBefore && !stored.entry().at().isBefore(since)) {
          high = middle;
        } else {
          low = stored.entry().last() + 1;
        }
      }
      place.seek(key(Math.min(low, newest)));
      if (!isAt(place)) {
        throw damaged(newest, "is missing");
      }
      return number(place.key());
    }
  }
}
