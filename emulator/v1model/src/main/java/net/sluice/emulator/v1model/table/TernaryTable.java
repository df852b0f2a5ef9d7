package net.sluice.emulator.v1model.table;

import java.util.Arrays;

/**
 * A table with ternary or optional fields: a tuple space. Entries with the same mask share one hash
 * probe; masks are tried from the one with the highest priority down, and no further once nothing
 * better can follow. Among equal priorities the lower slot wins.
 */
public final class TernaryTable extends HashedTable {

  private static final int MAX_MASKS = AUX_MASK;

  private final int words;
  private final long[] scratch;

  /** By mask number: the mask, its entries, and an upper bound of their priorities. */
  private long[][] masks = new long[4][];

  private int[] entriesOfMask = new int[4];
  private int[] topPriority = new int[4];
  private int maskCount;

  /** Mask numbers in use, highest bound first. */
  private int[] order = new int[0];

  TernaryTable(String name, WordLayout layout, int dataWords, int limit, boolean withCounters) {
    super(name, layout, dataWords, limit, withCounters);
    words = layout.words();
    scratch = new long[words];
  }

  /** The entry with the highest priority that matches a one-word key, or 0. */
  public int find(long k0) {
    scratch[0] = k0;
    return search(k0, 0, null);
  }

  /** The entry with the highest priority that matches a two-word key, or 0. */
  public int find(long k0, long k1) {
    return search(k0, k1, null);
  }

  /** The entry with the highest priority that matches a key of any number of words, or 0. */
  public int find(long[] key) {
    return search(0, 0, key);
  }

  private int search(long k0, long k1, long[] key) {
    int best = 0;
    int bestPriority = -1;
    for (int id : order) {
      if (topPriority[id] < bestPriority) {
        break;
      }
      long[] mask = masks[id];
      if (key == null) {
        scratch[0] = k0 & mask[0];
        if (words > 1) {
          scratch[1] = k1 & mask[1];
        }
      } else {
        for (int w = 0; w < words; w++) {
          scratch[w] = key[w] & mask[w];
        }
      }
      int slot = probeBest(scratch, id);
      if (slot != 0) {
        int priority = priority(slot);
        if (priority > bestPriority || priority == bestPriority && slot < best) {
          best = slot;
          bestPriority = priority;
        }
      }
    }
    return best;
  }

  @Override
  public int place(long[] key) {
    long[] mask = masks[order[0]];
    for (int w = 0; w < words; w++) {
      scratch[w] = key[w] & mask[w];
    }
    return placeOf(scratch, order[0]);
  }

  @Override
  int find(MatchKey key) {
    int id = maskNumber(key.mask);
    return id < 0 ? 0 : probeWithPriority(key.value, id, key.priority);
  }

  private int maskNumber(long[] mask) {
    for (int id : order) {
      if (Arrays.equals(masks[id], mask)) {
        return id;
      }
    }
    return -1;
  }

  @Override
  int placeKey(MatchKey key, int row) {
    int id = maskNumber(key.mask);
    if (id < 0) {
      id = 0;
      while (id < maskCount && entriesOfMask[id] != 0) {
        id++;
      }
      if (id >= MAX_MASKS) {
        return -1;
      }
      if (id == masks.length) {
        masks = Arrays.copyOf(masks, 2 * id);
        entriesOfMask = Arrays.copyOf(entriesOfMask, 2 * id);
        topPriority = Arrays.copyOf(topPriority, 2 * id);
      }
      maskCount = Math.max(maskCount, id + 1);
      masks[id] = key.mask.clone();
      topPriority[id] = -1;
    }
    System.arraycopy(key.value, 0, rows, row + 1, words);
    return id;
  }

  @Override
  void link(int slot) {
    super.link(slot);
    int id = aux(slot);
    boolean reorder = entriesOfMask[id]++ == 0;
    if (priority(slot) > topPriority[id]) {
      topPriority[id] = priority(slot);
      reorder = true;
    }
    if (reorder) {
      sortMasks();
    }
  }

  @Override
  void unlink(int slot) {
    super.unlink(slot);
    if (--entriesOfMask[aux(slot)] == 0) {
      sortMasks();
    }
  }

  private void sortMasks() {
    int n = 0;
    int[] sorted = new int[maskCount];
    for (int id = 0; id < maskCount; id++) {
      if (entriesOfMask[id] > 0) {
        int i = n++;
        while (i > 0 && topPriority[sorted[i - 1]] < topPriority[id]) {
          sorted[i] = sorted[i - 1];
          i--;
        }
        sorted[i] = id;
      }
    }
    order = Arrays.copyOf(sorted, n);
  }

  @Override
  public void readKey(int slot, MatchKey into) {
    into.clear();
    System.arraycopy(rows, slot * stride + 1, into.value, 0, words);
    System.arraycopy(masks[aux(slot)], 0, into.mask, 0, words);
    into.priority = priority(slot);
  }
}
