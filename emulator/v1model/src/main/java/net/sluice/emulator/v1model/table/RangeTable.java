package net.sluice.emulator.v1model.table;

import java.util.Arrays;

/**
 * A table with at least one range field. While its key is a single word and its entries do not
 * overlap, a lookup is a binary search; otherwise entries are scanned from the highest priority
 * down, the lower slot first among equals.
 */
public final class RangeTable extends MatchTable {

  private final int words;

  /** By word: how many words the range field has that starts there; 0 if none does. */
  private final int[] rangeWords;

  private final boolean searchable;

  /** Linked slots by priority (highest first), then slot. */
  private int[] byPriority = new int[16];

  /**
   * The same slots by the low end of their range, and those low ends; kept only while {@link
   * #disjoint}.
   */
  private int[] byLow = new int[16];

  private long[] lows = new long[16];
  private int count;
  private boolean disjoint;
  private int removals;
  private final long[] scratch;

  RangeTable(String name, WordLayout layout, int dataWords, int limit, boolean withCounters) {
    super(name, layout, 2, dataWords, limit, withCounters);
    words = layout.words();
    rangeWords = new int[words];
    for (WordLayout.Field field : layout.fields()) {
      rangeWords[field.word()] = field.kind() == MatchKind.RANGE ? field.words() : 0;
    }
    searchable = words == 1;
    disjoint = searchable;
    scratch = new long[words];
  }

  @Override
  public long memoryBytes() {
    return super.memoryBytes() + 16L * byLow.length;
  }

  /** The entry whose range has a one-word key, or 0. */
  public int find(long k0) {
    if (disjoint) {
      int at = lastNotAbove(k0);
      if (at < 0) {
        return 0;
      }
      int slot = byLow[at];
      return Long.compareUnsigned(k0, rows[slot * stride + 2]) <= 0 ? slot : 0;
    }
    scratch[0] = k0;
    return scan(scratch);
  }

  /** The entry whose range has a two-word key, or 0. */
  public int find(long k0, long k1) {
    scratch[0] = k0;
    scratch[1] = k1;
    return scan(scratch);
  }

  /** The entry whose range has a key of any number of words, or 0. */
  public int find(long[] key) {
    return scan(key);
  }

  private int lastNotAbove(long k0) {
    int low = 0;
    int high = count - 1;
    while (low <= high) {
      int middle = low + high >>> 1;
      if (Long.compareUnsigned(lows[middle], k0) <= 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return high;
  }

  private int scan(long[] key) {
    for (int i = 0; i < count; i++) {
      if (matches(byPriority[i], key)) {
        return byPriority[i];
      }
    }
    return 0;
  }

  private boolean matches(int slot, long[] key) {
    int row = slot * stride + 1;
    for (int w = 0; w < words; ) {
      int n = rangeWords[w];
      boolean hit =
          n > 0
              ? WordLayout.compare(rows, row + w, key, w, n) <= 0
                  && WordLayout.compare(key, w, rows, row + words + w, n) <= 0
              : (key[w] & rows[row + words + w]) == rows[row + w];
      if (!hit) {
        return false;
      }
      w += Math.max(1, n);
    }
    return true;
  }

  @Override
  int find(MatchKey key) {
    if (disjoint) {
      int at = lastNotAbove(key.value[0]);
      return at >= 0 && same(byLow[at], key) ? byLow[at] : 0;
    }
    for (int i = firstAtMost(key.priority);
        i < count && priority(byPriority[i]) == key.priority;
        i++) {
      if (same(byPriority[i], key)) {
        return byPriority[i];
      }
    }
    return 0;
  }

  private boolean same(int slot, MatchKey key) {
    int row = slot * stride + 1;
    return priority(slot) == key.priority
        && Arrays.equals(rows, row, row + words, key.value, 0, words)
        && Arrays.equals(rows, row + words, row + 2 * words, key.mask, 0, words);
  }

  @Override
  int placeKey(MatchKey key, int row) {
    System.arraycopy(key.value, 0, rows, row + 1, words);
    System.arraycopy(key.mask, 0, rows, row + 1 + words, words);
    return 0;
  }

  @Override
  void link(int slot) {
    if (count == byPriority.length) {
      byPriority = Arrays.copyOf(byPriority, 2 * count);
      byLow = Arrays.copyOf(byLow, 2 * count);
      lows = Arrays.copyOf(lows, 2 * count);
    }
    int at = placeByPriority(slot);
    System.arraycopy(byPriority, at, byPriority, at + 1, count - at);
    byPriority[at] = slot;
    if (disjoint) {
      int after = lastNotAbove(low(slot)) + 1;
      disjoint =
          (after == 0 || Long.compareUnsigned(high(byLow[after - 1]), low(slot)) < 0)
              && (after == count || Long.compareUnsigned(high(slot), lows[after]) < 0);
      if (disjoint) {
        System.arraycopy(byLow, after, byLow, after + 1, count - after);
        System.arraycopy(lows, after, lows, after + 1, count - after);
        byLow[after] = slot;
        lows[after] = low(slot);
      }
    }
    count++;
  }

  @Override
  void unlink(int slot) {
    int at = placeByPriority(slot);
    System.arraycopy(byPriority, at + 1, byPriority, at, count - at - 1);
    if (disjoint) {
      int where = lastNotAbove(low(slot));
      System.arraycopy(byLow, where + 1, byLow, where, count - where - 1);
      System.arraycopy(lows, where + 1, lows, where, count - where - 1);
    }
    count--;
    // Checking the rest for overlaps takes a sort: only after enough removals to pay for it.
    if (!disjoint && searchable && ++removals > count / 8) {
      removals = 0;
      sortIfDisjoint();
    }
  }

  private void sortIfDisjoint() {
    Integer[] sorted = new Integer[count];
    for (int i = 0; i < count; i++) {
      sorted[i] = byPriority[i];
    }
    Arrays.sort(sorted, (a, b) -> Long.compareUnsigned(low(a), low(b)));
    for (int i = 1; i < count; i++) {
      if (Long.compareUnsigned(high(sorted[i - 1]), low(sorted[i])) >= 0) {
        return;
      }
    }
    for (int i = 0; i < count; i++) {
      byLow[i] = sorted[i];
      lows[i] = low(sorted[i]);
    }
    disjoint = true;
  }

  private long low(int slot) {
    return rows[slot * stride + 1];
  }

  private long high(int slot) {
    return rows[slot * stride + 2];
  }

  /** Index of the first entry whose priority is at most {@code priority}. */
  private int firstAtMost(int priority) {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = low + high >>> 1;
      if (priority(byPriority[middle]) > priority) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Index of a slot, or where to insert it, in {@link #byPriority}. */
  private int placeByPriority(int slot) {
    int priority = priority(slot);
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = low + high >>> 1;
      int other = byPriority[middle];
      if (priority(other) > priority || priority(other) == priority && other < slot) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  @Override
  public void readKey(int slot, MatchKey into) {
    into.clear();
    int row = slot * stride + 1;
    System.arraycopy(rows, row, into.value, 0, words);
    System.arraycopy(rows, row + words, into.mask, 0, words);
    into.priority = priority(slot);
  }
}
