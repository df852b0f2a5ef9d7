package net.sluice.onos.store;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import net.sluice.core.store.StoreException;
import org.onosproject.store.service.AsyncConsistentMap;
import org.onosproject.store.service.ConsistentMapException;
import org.onosproject.store.service.StorageException;
import org.onosproject.store.service.Versioned;

/**
 * One of the cluster's maps, or those of its keys that begin alike, with answers waited for and
 * failures in words for people.
 */
final class ClusterMap {
  /** Most attempts at a value that others change at the same time. */
  private static final int ATTEMPTS = 100;

  /** Operations under way at once where there are many to do. */
  static final int AT_ONCE = 64;

  /** Ends the part of a key that keys have in common. */
  private static final char SEPARATOR = '/';

  private final String name;
  private final String prefix;
  private final AsyncConsistentMap<String, byte[]> map;
  private final Duration timeout;
  private final Clock clock;
  private volatile Instant silentSince;

  ClusterMap(String name, AsyncConsistentMap<String, byte[]> map, Duration timeout, Clock clock) {
    this(name, "", map, timeout, clock);
  }

  private ClusterMap(
      String name,
      String prefix,
      AsyncConsistentMap<String, byte[]> map,
      Duration timeout,
      Clock clock) {
    this.name = name;
    this.prefix = prefix;
    this.map = map;
    this.timeout = timeout;
    this.clock = clock;
  }

  /** The keys that begin with {@code space} and a separator, as a map of their own. */
  ClusterMap in(String space) {
    return new ClusterMap(name, space + SEPARATOR, map, timeout, clock);
  }

  /** The space that {@link #in} would have to be given for a key; empty for one that is in none. */
  static Optional<String> spaceOf(String key) {
    int end = key.indexOf(SEPARATOR);
    return end < 0 ? Optional.empty() : Optional.of(key.substring(0, end));
  }

  Versioned<byte[]> get(String key) {
    return await("reading " + prefix + key, read(key));
  }

  /** The whole map's keys. */
  Set<String> allKeys() {
    return await("listing its keys", map.keySet());
  }

  /** Those of the whole map's keys that are in here, as they are called in here. */
  List<String> own(Set<String> allKeys) {
    return allKeys.stream()
        .filter(key -> key.startsWith(prefix) && key.indexOf(SEPARATOR, prefix.length()) < 0)
        .map(key -> key.substring(prefix.length()))
        .toList();
  }

  /** The same with those in which there is a separator. */
  List<String> all(Set<String> allKeys) {
    return allKeys.stream()
        .filter(key -> key.startsWith(prefix))
        .map(key -> key.substring(prefix.length()))
        .toList();
  }

  /** True if the value is written, false if there was one already. */
  boolean putIfAbsent(String key, byte[] value) {
    return await("writing " + prefix + key, insert(key, value)) == null;
  }

  /** True if the value is written, false if the one there was not of that version. */
  boolean replace(String key, long version, byte[] value) {
    return await("writing " + prefix + key, exchange(key, version, value));
  }

  /**
   * Replaces a value by what is made of it, once nothing has come in between.
   *
   * @param change given the value, or null if there is none; the same is not written
   * @return the value that is there then
   */
  byte[] update(String key, UnaryOperator<byte[]> change) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      Versioned<byte[]> now = get(key);
      byte[] before = now == null ? null : now.value();
      byte[] after = change.apply(before);
      if (after == before
          || (now == null ? putIfAbsent(key, after) : replace(key, now.version(), after))) {
        return after;
      }
    }
    throw new StoreException(prefix + key + " of the cluster's map " + name + " changes too often");
  }

  /** A value that is drawn if there is none; another instance may be faster. */
  byte[] drawn(String key, Supplier<byte[]> draw) {
    return update(key, now -> now == null ? draw.get() : now);
  }

  // What is not waited for.

  CompletableFuture<Versioned<byte[]>> read(String key) {
    return map.get(prefix + key);
  }

  CompletableFuture<Versioned<byte[]>> write(String key, byte[] value) {
    return map.put(prefix + key, value);
  }

  /** Writes a value if there is none; what there is otherwise. */
  CompletableFuture<Versioned<byte[]>> insert(String key, byte[] value) {
    return map.putIfAbsent(prefix + key, value);
  }

  CompletableFuture<Boolean> exchange(String key, long version, byte[] value) {
    return map.replace(prefix + key, version, value);
  }

  CompletableFuture<Versioned<byte[]>> remove(String key) {
    return map.remove(prefix + key);
  }

  CompletableFuture<Boolean> remove(String key, long version) {
    return map.remove(prefix + key, version);
  }

  /** Removes every value of the whole map. */
  CompletableFuture<Void> clear() {
    return map.clear();
  }

  /** Does something for each item, {@link #AT_ONCE} at a time; returns when all are done. */
  <T> void forEach(String what, Collection<T> items, Function<T, CompletableFuture<?>> operation) {
    begin(what, items, operation).run();
  }

  /** Begins to do so; what is returned does the rest. */
  <T> Runnable begin(
      String what, Collection<T> items, Function<T, CompletableFuture<?>> operation) {
    Iterator<T> left = items.iterator();
    Deque<CompletableFuture<?>> underWay = new ArrayDeque<>();
    while (left.hasNext() && underWay.size() < AT_ONCE) {
      underWay.add(operation.apply(left.next()));
    }
    return () -> {
      while (!underWay.isEmpty()) {
        await(what, underWay.remove());
        if (left.hasNext()) {
          underWay.add(operation.apply(left.next()));
        }
      }
    };
  }

  <T> T await(String what, CompletableFuture<T> answer) {
    try {
      T value = answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
      silentSince = null;
      return value;
    } catch (TimeoutException e) {
      throw silent(what, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("interrupted while " + what + " of the cluster's map " + name, e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof StoreException known) {
        throw known;
      }
      if (cause instanceof StorageException.Timeout
          || cause instanceof ConsistentMapException.Timeout) {
        throw silent(what, cause);
      }
      String words = cause.getMessage() == null ? "" : ": " + cause.getMessage();
      throw new StoreException(
          "the cluster's map "
              + name
              + " failed while "
              + what
              + ": "
              + cause.getClass().getSimpleName()
              + words,
          cause);
    }
  }

  private StoreException silent(String what, Throwable cause) {
    if (silentSince == null) {
      silentSince = clock.instant();
    }
    return new StoreException(
        "the cluster's map "
            + name
            + " does not answer, since "
            + silentSince
            + ", last while "
            + what
            + "; it is asked again with the next request",
        cause);
  }
}
