package net.sluice.endpoints;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import net.sluice.core.store.Documents;
import net.sluice.core.store.StoreContent;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;

/**
 * Documents in a column family of all documents. A key is the name of these documents and that of
 * the document; with an empty one it has the last version that was given.
 */
final class RocksDbDocuments implements Documents {
  /** The family of all documents. */
  static final String FAMILY = "documents";

  private static final char SEPARATOR = '\0';
  private static final int MAX_BYTES = 16 << 20;

  private final String prefix;
  private final RocksDatabase database;

  /** Held while a version is compared and another one written, but not while that is synced. */
  private final Object writing = new Object();

  /** Opens documents, of which there may be none yet. */
  RocksDbDocuments(String name, RocksDatabase database) {
    this.prefix = name + SEPARATOR;
    this.database = database;
    database.make(List.of(FAMILY));
  }

  /** Passes on all documents. */
  static void copy(RocksDatabase database, StoreContent to) {
    database.forEach(
        FAMILY,
        (place, value) -> {
          String key = new String(place, StandardCharsets.US_ASCII);
          int end = key.indexOf(SEPARATOR);
          if (end + 1 < key.length()) {
            to.document(key.substring(0, end), key.substring(end + 1), stored(value).bytes());
          }
        });
  }

  /**
   * Adds a document to a store that nothing has opened yet.
   *
   * @param version higher than that of any document that was added before
   */
  static void restore(
      RocksDatabase database, WriteBatch batch, String of, String name, long version, byte[] bytes)
      throws RocksDBException {
    add(database.family(FAMILY), batch, of + SEPARATOR, name, version, bytes);
  }

  private static void add(
      ColumnFamilyHandle family,
      WriteBatch batch,
      String prefix,
      String name,
      long version,
      byte[] bytes)
      throws RocksDBException {
    byte[] number = ByteBuffer.allocate(Long.BYTES).putLong(version).array();
    byte[] value = ByteBuffer.allocate(Long.BYTES + bytes.length).put(number).put(bytes).array();
    batch.put(family, key(prefix, ""), number);
    batch.put(family, key(prefix, name), value);
  }

  private static byte[] key(String prefix, String name) {
    return (prefix + name).getBytes(StandardCharsets.US_ASCII);
  }

  private byte[] key(String name) {
    return key(prefix, name);
  }

  private static Stored stored(byte[] value) {
    return new Stored(
        Arrays.copyOfRange(value, Long.BYTES, value.length), ByteBuffer.wrap(value).getLong());
  }

  private ColumnFamilyHandle family() {
    return database.family(FAMILY);
  }

  @Override
  public int maxBytes() {
    return MAX_BYTES;
  }

  @Override
  public SortedSet<String> names() {
    byte[] begin = key("");
    return database.use(
        "read",
        db -> {
          SortedSet<String> names = new TreeSet<>();
          try (RocksIterator place = db.newIterator(family())) {
            for (place.seek(begin); place.isValid(); place.next()) {
              String key = new String(place.key(), StandardCharsets.US_ASCII);
              if (!key.startsWith(prefix)) {
                break;
              }
              if (key.length() > prefix.length()) {
                names.add(key.substring(prefix.length()));
              }
            }
            place.status();
          }
          return names;
        });
  }

  @Override
  public Optional<Stored> get(String name) {
    return Documents.isName(name) ? read(name) : Optional.empty();
  }

  private long version(String name) {
    return get(name).map(Stored::version).orElse(ABSENT);
  }

  private Optional<Stored> read(String name) {
    byte[] value = database.use("read", db -> db.get(family(), key(name)));
    return Optional.ofNullable(value).map(RocksDbDocuments::stored);
  }

  @Override
  public OptionalLong put(String name, byte[] bytes, long expected) {
    Documents.require(name, bytes, MAX_BYTES);
    long version;
    synchronized (writing) {
      if (version(name) != expected) {
        return OptionalLong.empty();
      }
      version = write(name, bytes);
    }
    database.sync();
    return OptionalLong.of(version);
  }

  @Override
  public void put(String name, byte[] bytes) {
    Documents.require(name, bytes, MAX_BYTES);
    synchronized (writing) {
      long unused = write(name, bytes);
    }
    database.sync();
  }

  private long write(String name, byte[] bytes) {
    long version = 1 + read("").map(Stored::version).orElse(ABSENT);
    database.write(batch -> add(family(), batch, prefix, name, version, bytes));
    return version;
  }

  @Override
  public boolean delete(String name, long expected) {
    synchronized (writing) {
      if (version(name) != expected) {
        return false;
      }
      if (expected != ABSENT) {
        database.write(batch -> batch.delete(family(), key(name)));
      }
    }
    database.sync();
    return true;
  }

  @Override
  public void delete(String name) {
    synchronized (writing) {
      boolean unused = delete(name, version(name));
    }
  }
}
