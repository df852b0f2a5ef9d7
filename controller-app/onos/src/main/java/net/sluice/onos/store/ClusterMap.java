package net.sluice.onos.store;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import net.sluice.core.store.StoreException;
import org.onosproject.store.service.AsyncConsistentMap;
import org.onosproject.store.service.ConsistentMapException;
import org.onosproject.store.service.StorageException;
import org.onosproject.store.service.Versioned;

/** One of the cluster's maps, with answers waited for and failures in words for people. */
final class ClusterMap {
  /** Operations under way at once where there are many to do. */
  static final int AT_ONCE = 64;

  private final String name;
  private final AsyncConsistentMap<String, byte[]> map;
  private final Duration timeout;
  private final Clock clock;
  private volatile Instant silentSince;

  ClusterMap(String name, AsyncConsistentMap<String, byte[]> map, Duration timeout, Clock clock) {
    this.name = name;
    this.map = map;
    this.timeout = timeout;
    this.clock = clock;
  }

  AsyncConsistentMap<String, byte[]> map() {
    return map;
  }

  Versioned<byte[]> get(String key) {
    return await("reading " + key, map.get(key));
  }

  Set<String> keys() {
    return await("listing its keys", map.keySet());
  }

  /** True if the value is written, false if there was one already. */
  boolean putIfAbsent(String key, byte[] value) {
    return await("writing " + key, map.putIfAbsent(key, value)) == null;
  }

  /** True if the value is written, false if the one there was not of that version. */
  boolean replace(String key, long version, byte[] value) {
    return await("writing " + key, map.replace(key, version, value));
  }

  /** Does something for each item, {@link #AT_ONCE} at a time; returns when all are done. */
  <T> void forEach(String what, Collection<T> items, Function<T, CompletableFuture<?>> operation) {
    Deque<CompletableFuture<?>> underWay = new ArrayDeque<>();
    for (T item : items) {
      if (underWay.size() == AT_ONCE) {
        await(what, underWay.remove());
      }
      underWay.add(operation.apply(item));
    }
    for (CompletableFuture<?> each : underWay) {
      await(what, each);
    }
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
