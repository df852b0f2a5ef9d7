package net.sluice.core.store;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Documents in memory. */
public final class InMemoryDocuments implements Documents {
  private static final int MAX_BYTES = 256 << 10;

  private final TreeMap<String, Stored> documents = new TreeMap<>();
  private final Runnable requireWell;
  private final int maxBytes;
  private long version;

  /** None yet. */
  public InMemoryDocuments() {
    this(() -> {}, MAX_BYTES);
  }

  /** The same, of at most so many bytes each. */
  public InMemoryDocuments(int maxBytes) {
    this(() -> {}, maxBytes);
  }

  /** The same, of a store that may have failed: then {@code requireWell} throws. */
  InMemoryDocuments(Runnable requireWell) {
    this(requireWell, MAX_BYTES);
  }

  private InMemoryDocuments(Runnable requireWell, int maxBytes) {
    this.requireWell = requireWell;
    this.maxBytes = maxBytes;
  }

  synchronized InMemoryDocuments copy(Runnable requiringWell) {
    InMemoryDocuments copy = new InMemoryDocuments(requiringWell, maxBytes);
    copy.documents.putAll(documents);
    copy.version = version;
    return copy;
  }

  @Override
  public int maxBytes() {
    return maxBytes;
  }

  @Override
  public synchronized SortedSet<String> names() {
    return new TreeSet<>(documents.keySet());
  }

  @Override
  public synchronized Optional<Stored> get(String name) {
    return Optional.ofNullable(documents.get(name));
  }

  @Override
  public OptionalLong put(String name, byte[] bytes, long expected) {
    Documents.require(name, bytes, maxBytes);
    requireWell.run();
    return write(name, bytes, expected);
  }

  private synchronized OptionalLong write(String name, byte[] bytes, long expected) {
    if (version(name) != expected) {
      return OptionalLong.empty();
    }
    documents.put(name, new Stored(bytes.clone(), ++version));
    return OptionalLong.of(version);
  }

  @Override
  public void put(String name, byte[] bytes) {
    Documents.require(name, bytes, maxBytes);
    requireWell.run();
    synchronized (this) {
      OptionalLong unused = write(name, bytes, version(name));
    }
  }

  @Override
  public boolean delete(String name, long expected) {
    requireWell.run();
    return remove(name, expected);
  }

  private synchronized boolean remove(String name, long expected) {
    if (version(name) != expected) {
      return false;
    }
    documents.remove(name);
    return true;
  }

  @Override
  public void delete(String name) {
    requireWell.run();
    synchronized (this) {
      boolean unused = remove(name, version(name));
    }
  }

  private long version(String name) {
    Stored stored = documents.get(name);
    return stored == null ? ABSENT : stored.version();
  }
}
