package net.sluice.onos.store;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import net.sluice.core.store.Documents;
import net.sluice.core.store.StoreException;
import org.onosproject.store.service.Versioned;

/**
 * Documents in one of the cluster's consistent maps, a value each, whose versions are the map's.
 *
 * <p>Each is written only if it is the version that this instance has just read, after it has found
 * that it leads. So what an instance sends that leads no more never replaces or deletes what was
 * written since. It may still arrive where nothing was: a document that the instance before began
 * to write and whose name is free, or one that nobody has touched since, is then as that instance
 * wanted it. The same holds for a write of this instance that was not answered.
 */
final class ClusterDocuments implements Documents {
  static final int MAX_BYTES = 256 << 10;
  private static final int ATTEMPTS = 100;
  private static final int LOCKS = 64;

  private final ClusterMap map;
  private final DocumentLead lead;

  /** One of them is held while a document is written, so that its version is known then. */
  private final List<Object> locks = Stream.generate(Object::new).limit(LOCKS).toList();

  /**
   * Documents of one name.
   *
   * @param map where they are, and nothing else
   * @param lead says whether this instance leads
   */
  ClusterDocuments(ClusterMap map, DocumentLead lead) {
    this.map = map;
    this.lead = lead;
  }

  @Override
  public int maxBytes() {
    return MAX_BYTES;
  }

  @Override
  public SortedSet<String> names() {
    lead.requireWell();
    return new TreeSet<>(map.all(map.allKeys()));
  }

  @Override
  public Optional<Stored> get(String name) {
    lead.requireWell();
    return Documents.isName(name)
        ? Optional.ofNullable(map.get(name)).map(now -> new Stored(now.value(), now.version()))
        : Optional.empty();
  }

  private Object lock(String name) {
    return locks.get(Math.floorMod(name.hashCode(), LOCKS));
  }

  /** Reads a document, and meanwhile asks whether this instance leads. */
  private Versioned<byte[]> led(String name) {
    CompletableFuture<Versioned<byte[]>> now = map.read(name);
    lead.requireOurs();
    return map.await("reading " + name, now);
  }

  private static long version(Versioned<byte[]> now) {
    return now == null ? ABSENT : now.version();
  }

  @Override
  public OptionalLong put(String name, byte[] bytes, long expected) {
    Documents.require(name, bytes, MAX_BYTES);
    synchronized (lock(name)) {
      return version(led(name)) == expected ? write(name, bytes, expected) : OptionalLong.empty();
    }
  }

  private OptionalLong write(String name, byte[] bytes, long expected) {
    boolean isWritten =
        expected == ABSENT ? map.putIfAbsent(name, bytes) : map.replace(name, expected, bytes);
    if (!isWritten) {
      return OptionalLong.empty();
    }
    Versioned<byte[]> now = map.get(name);
    if (now == null || !Arrays.equals(now.value(), bytes)) {
      throw new StoreException("another instance leads now: it has changed document " + name);
    }
    return OptionalLong.of(now.version());
  }

  @Override
  public void put(String name, byte[] bytes) {
    Documents.require(name, bytes, MAX_BYTES);
    synchronized (lock(name)) {
      for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        long version = version(led(name));
        boolean isWritten =
            version == ABSENT ? map.putIfAbsent(name, bytes) : map.replace(name, version, bytes);
        if (isWritten) {
          return;
        }
      }
      throw changesTooOften(name);
    }
  }

  @Override
  public boolean delete(String name, long expected) {
    synchronized (lock(name)) {
      return version(led(name)) == expected && remove(name, expected);
    }
  }

  private boolean remove(String name, long version) {
    return version == ABSENT || map.await("deleting " + name, map.remove(name, version));
  }

  @Override
  public void delete(String name) {
    synchronized (lock(name)) {
      for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (remove(name, version(led(name)))) {
          return;
        }
      }
      throw changesTooOften(name);
    }
  }

  private static StoreException changesTooOften(String name) {
    return new StoreException("document " + name + " of the cluster changes too often");
  }
}
