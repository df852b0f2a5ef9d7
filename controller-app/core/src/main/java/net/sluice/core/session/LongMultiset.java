package net.sluice.core.session;

/** A multiset of numbers: open addressing, without objects. Not thread-safe. */
final class LongMultiset {
  private long[] keys = new long[256];
  private int[] counts = new int[256];
  private int size;

  boolean contains(long key) {
    return counts[slot(key)] > 0;
  }

  void add(long key) {
    if (2 * (size + 1) > keys.length) {
      grow();
    }
    int at = slot(key);
    if (counts[at] == 0) {
      keys[at] = key;
      size++;
    }
    counts[at]++;
  }

  void remove(long key) {
    int at = slot(key);
    if (counts[at] == 0) {
      throw new IllegalStateException("removed more often than added: " + key);
    }
    if (--counts[at] > 0) {
      return;
    }
    size--;
    int mask = keys.length - 1;
    int hole = at;
    for (int next = at + 1 & mask; counts[next] != 0; next = next + 1 & mask) {
      int home = home(keys[next]);
      if ((next - home & mask) >= (next - hole & mask)) {
        keys[hole] = keys[next];
        counts[hole] = counts[next];
        counts[next] = 0;
        hole = next;
      }
    }
  }

  void clear() {
    java.util.Arrays.fill(counts, 0);
    size = 0;
  }

  boolean isEmpty() {
    return size == 0;
  }

  private int slot(long key) {
    int mask = keys.length - 1;
    int at = home(key);
    while (counts[at] != 0 && keys[at] != key) {
      at = at + 1 & mask;
    }
    return at;
  }

  private int home(long key) {
    return (int) (key * 0x9e3779b97f4a7c15L >>> 32) & keys.length - 1;
  }

  private void grow() {
    long[] oldKeys = keys;
    int[] oldCounts = counts;
    keys = new long[2 * oldKeys.length];
    counts = new int[2 * oldKeys.length];
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldCounts[i] > 0) {
        int at = slot(oldKeys[i]);
        keys[at] = oldKeys[i];
        counts[at] = oldCounts[i];
      }
    }
  }
}
