package net.sluice.emulator.v1model.table;

/**
 * A table whose entries are found by hashing their (masked) key together with a small number that
 * tells apart entries with different masks: open addressing with linear probing over slot numbers,
 * at most half full, deletion by shifting back.
 */
public abstract class HashedTable extends MatchTable {

  private static final int FIRST_INDEX = 32;
  private static final long MIX1 = 0x9E3779B97F4A7C15L;
  private static final long MIX2 = 0xD6E8FEB86659FD93L;

  private final int words;
  private int[] index = new int[FIRST_INDEX];

  /** Shift that leaves the top bits of a hash, the number of a place in the index. */
  private int shift = Long.SIZE - Integer.numberOfTrailingZeros(FIRST_INDEX);

  private int linked;

  HashedTable(String name, WordLayout layout, int dataWords, int limit, boolean withCounters) {
    super(name, layout, 1, dataWords, limit, withCounters);
    this.words = layout.words();
  }

  @Override
  public long memoryBytes() {
    return super.memoryBytes() + 4L * index.length;
  }

  /**
   * A hash of which the top bits count. Multiples of the golden ratio lie evenly spread however
   * many there are (Knuth, The Art of Computer Programming 3, 6.4), so that consecutive keys, as
   * addresses and numbers are, hardly collide.
   */
  private static long hash1(long k0, int aux) {
    return (k0 ^ aux * MIX2) * MIX1;
  }

  private static long hash2(long k0, long k1, int aux) {
    long h = (k0 ^ aux * MIX2) * MIX1;
    return (h ^ h >>> 29 ^ k1) * MIX2;
  }

  private static long hashOf(long[] from, int at, int words, int aux) {
    if (words == 1) {
      return hash1(from[at], aux);
    }
    if (words == 2) {
      return hash2(from[at], from[at + 1], aux);
    }
    long h = aux * MIX2;
    for (int i = 0; i < words; i++) {
      h = (h ^ h >>> 29 ^ from[at + i]) * MIX1;
    }
    return h;
  }

  private static int auxOf(long header) {
    return (int) (header >>> AUX_SHIFT) & AUX_MASK;
  }

  /** The first entry with this one-word key and index data, or 0. */
  final int probe(long k0, int aux) {
    int[] slots = index;
    long[] r = rows;
    int mask = slots.length - 1;
    for (int i = (int) (hash1(k0, aux) >>> shift); ; i = i + 1 & mask) {
      int slot = slots[i];
      if (slot == 0) {
        return 0;
      }
      int row = slot * stride;
      if (r[row + 1] == k0 && auxOf(r[row]) == aux) {
        return slot;
      }
    }
  }

  /** The first entry with this two-word key and index data, or 0. */
  final int probe(long k0, long k1, int aux) {
    int[] slots = index;
    long[] r = rows;
    int mask = slots.length - 1;
    for (int i = (int) (hash2(k0, k1, aux) >>> shift); ; i = i + 1 & mask) {
      int slot = slots[i];
      if (slot == 0) {
        return 0;
      }
      int row = slot * stride;
      if (r[row + 1] == k0 && r[row + 2] == k1 && auxOf(r[row]) == aux) {
        return slot;
      }
    }
  }

  /**
   * The first entry with this key, masked by {@code mask} unless that is null, and this index data,
   * or 0.
   */
  final int probe(long[] key, int aux) {
    int[] slots = index;
    int mask = slots.length - 1;
    for (int i = (int) (hashOf(key, 0, words, aux) >>> shift); ; i = i + 1 & mask) {
      int slot = slots[i];
      if (slot == 0 || equal(slot, key, aux)) {
        return slot;
      }
    }
  }

  /**
   * Of the entries with this key and index data, which may differ in priority, the one with the
   * highest, or 0.
   */
  final int probeBest(long[] key, int aux) {
    int[] slots = index;
    int mask = slots.length - 1;
    int best = 0;
    for (int i = (int) (hashOf(key, 0, words, aux) >>> shift); ; i = i + 1 & mask) {
      int slot = slots[i];
      if (slot == 0) {
        return best;
      }
      if (equal(slot, key, aux)
          && (best == 0
              || priority(slot) > priority(best)
              || priority(slot) == priority(best) && slot < best)) {
        best = slot;
      }
    }
  }

  /** The entry with this key, index data and priority, or 0. */
  final int probeWithPriority(long[] key, int aux, int priority) {
    int[] slots = index;
    int mask = slots.length - 1;
    for (int i = (int) (hashOf(key, 0, words, aux) >>> shift); ; i = i + 1 & mask) {
      int slot = slots[i];
      if (slot == 0 || equal(slot, key, aux) && priority(slot) == priority) {
        return slot;
      }
    }
  }

  /**
   * The home place in the index of a packet's entry under the mask tried first, which most packets'
   * entries have. The table is not empty.
   *
   * @param key of the packet
   */
  public abstract int place(long[] key);

  /** The place of a masked key with its index data. */
  final int placeOf(long[] key, int aux) {
    return (int) (hashOf(key, 0, words, aux) >>> shift);
  }

  /**
   * Loads places returned by {@link #place}, and then the entries there with their counters, so
   * that their cache misses overlap.
   *
   * @param into gets the slots of the entries; {@link #DEFAULT_SLOT} where a place is empty
   * @return the sum of the data loaded, to be used by the caller: unused loads would be optimized
   *     away
   */
  public final long load(int[] places, int count, int[] into) {
    int[] slots = index;
    long[] r = rows;
    long sum = 0;
    for (int i = 0; i < count; i++) {
      into[i] = slots[places[i]];
    }
    for (int i = 0; i < count; i++) {
      int row = into[i] * stride;
      sum += r[row] + r[row + stride - 1];
    }
    for (int i = 0; counters != null && i < count; i++) {
      sum += counters[2 * into[i]];
    }
    return sum;
  }

  private boolean equal(int slot, long[] key, int aux) {
    int row = slot * stride;
    for (int w = 0; w < words; w++) {
      if (rows[row + 1 + w] != key[w]) {
        return false;
      }
    }
    return auxOf(rows[row]) == aux;
  }

  @Override
  void link(int slot) {
    if (2 * (linked + 1) > index.length) {
      grow();
    }
    put(index, slot);
    linked++;
  }

  private void put(int[] slots, int slot) {
    int mask = slots.length - 1;
    int i = home(slot);
    while (slots[i] != 0) {
      i = i + 1 & mask;
    }
    slots[i] = slot;
  }

  private int home(int slot) {
    return (int) (hashOf(rows, slot * stride + 1, words, aux(slot)) >>> shift);
  }

  private void grow() {
    int[] bigger = new int[2 * index.length];
    shift--;
    for (int slot : index) {
      if (slot != 0) {
        put(bigger, slot);
      }
    }
    index = bigger;
  }

  @Override
  void unlink(int slot) {
    int mask = index.length - 1;
    int i = home(slot);
    while (index[i] != slot) {
      i = i + 1 & mask;
    }
    // Close the gap: move back every later entry of the run that may still lie at or after its
    // home.
    int gap = i;
    for (int j = i + 1 & mask; index[j] != 0; j = j + 1 & mask) {
      int distanceFromHome = j - home(index[j]) & mask;
      int distanceFromGap = j - gap & mask;
      if (distanceFromHome >= distanceFromGap) {
        index[gap] = index[j];
        gap = j;
      }
    }
    index[gap] = 0;
    linked--;
  }
}
