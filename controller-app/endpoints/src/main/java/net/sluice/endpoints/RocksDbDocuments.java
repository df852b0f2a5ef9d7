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
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksIterator;

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

  private byte[] key(String name) {
    return (prefix + name).getBytes(StandardCharsets.US_ASCII);
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
    return Optional.ofNullable(value)
        .map(
            bytes ->
                new Stored(
                    Arrays.copyOfRange(bytes, Long.BYTES, bytes.length),
                    ByteBuffer.wrap(bytes).getLong()));
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
    byte[] number = ByteBuffer.allocate(Long.BYTES).putLong(version).array();
    byte[] value = ByteBuffer.allocate(Long.BYTES + bytes.length).put(number).put(bytes).array();
    database.write(
        batch -> {
          batch.put(family(), key(""), number);
          batch.put(family(), key(name), value);
        });
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
