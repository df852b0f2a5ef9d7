package net.sluice.core.state;

import java.util.HashMap;
import java.util.Map;

/** A map, or what differs in it from another one. Not thread-safe. */
final class Layered<K, V> {
  /** With null for what is only in the map below. */
  private final Map<K, V> own = new HashMap<>();

  private final Layered<K, V> below;

  /** An empty map. */
  Layered() {
    this(null);
  }

  /** A map that does not differ yet; {@code below} is not changed through it. */
  Layered(Layered<K, V> below) {
    this.below = below;
  }

  /** The value of a key; null if it has none. */
  V get(K key) {
    V found = own.get(key);
    return found != null || below == null || own.containsKey(key) ? found : below.get(key);
  }

  void put(K key, V value) {
    own.put(key, value);
  }

  /** Takes the key out; returns what it had, or null. */
  V remove(K key) {
    if (below == null) {
      return own.remove(key);
    }
    V had = get(key);
    own.put(key, null);
    return had;
  }
}
