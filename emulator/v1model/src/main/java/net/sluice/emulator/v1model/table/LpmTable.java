package net.sluice.emulator.v1model.table;

/**
 * A table with one longest-prefix field, any others exact. Prefix lengths that have entries are
 * tried from the longest to the shortest, one hash probe each; with a single length in use that is
 * one probe.
 */
public final class LpmTable extends HashedTable {

  private final int width;
  private final int words;

  /** Mask of the whole key for every prefix length. */
  private final long[][] masks;

  private final int[] entriesOfLength;

  /** The lengths in use, longest first, and the first two words of their masks. */
  private final int[] lengths;

  private final long[] mask0;
  private final long[] mask1;
  private int lengthCount;
  private final long[] scratch;

  LpmTable(String name, WordLayout layout, int dataWords, int limit, boolean withCounters) {
    super(name, layout, dataWords, limit, withCounters);
    WordLayout.Field field = layout.prefixField();
    width = field.widthBits();
    words = layout.words();
    masks = new long[width + 1][words];
    for (int length = 0; length <= width; length++) {
      for (int w = 0; w < words; w++) {
        masks[length][w] = layout.fullMask(w);
      }
      WordLayout.prefixMask(field, length, masks[length]);
    }
    entriesOfLength = new int[width + 1];
    lengths = new int[width + 1];
    mask0 = new long[width + 1];
    mask1 = new long[width + 1];
    scratch = new long[words];
  }

  /** The entry with the longest prefix of a one-word key, or 0. */
  public int find(long k0) {
    int n = lengthCount;
    for (int i = 0; i < n; i++) {
      int slot = probe(k0 & mask0[i], lengths[i]);
      if (slot != 0) {
        return slot;
      }
    }
    return 0;
  }

  /** The entry with the longest prefix of a two-word key, or 0. */
  public int find(long k0, long k1) {
    int n = lengthCount;
    for (int i = 0; i < n; i++) {
      int slot = probe(k0 & mask0[i], k1 & mask1[i], lengths[i]);
      if (slot != 0) {
        return slot;
      }
    }
    return 0;
  }

  /** The entry with the longest prefix of a key of any number of words, or 0. */
  public int find(long[] key) {
    for (int i = 0; i < lengthCount; i++) {
      int slot = probe(masked(key, lengths[i]), lengths[i]);
      if (slot != 0) {
        return slot;
      }
    }
    return 0;
  }

  @Override
  public int place(long[] key) {
    return placeOf(masked(key, lengths[0]), lengths[0]);
  }

  private long[] masked(long[] key, int length) {
    long[] mask = masks[length];
    for (int w = 0; w < words; w++) {
      scratch[w] = key[w] & mask[w];
    }
    return scratch;
  }

  @Override
  int find(MatchKey key) {
    return probe(key.value, key.prefixLength);
  }

  @Override
  int placeKey(MatchKey key, int row) {
    System.arraycopy(key.value, 0, rows, row + 1, words);
    return key.prefixLength;
  }

  @Override
  void link(int slot) {
    super.link(slot);
    if (entriesOfLength[aux(slot)]++ == 0) {
      listLengths();
    }
  }

  @Override
  void unlink(int slot) {
    super.unlink(slot);
    if (--entriesOfLength[aux(slot)] == 0) {
      listLengths();
    }
  }

  private void listLengths() {
    lengthCount = 0;
    for (int length = width; length >= 0; length--) {
      if (entriesOfLength[length] > 0) {
        lengths[lengthCount] = length;
        mask0[lengthCount] = masks[length][0];
        mask1[lengthCount] = words > 1 ? masks[length][1] : 0;
        lengthCount++;
      }
    }
  }

  @Override
  public void readKey(int slot, MatchKey into) {
    into.clear();
    System.arraycopy(rows, slot * stride + 1, into.value, 0, words);
    into.prefixLength = aux(slot);
    System.arraycopy(masks[into.prefixLength], 0, into.mask, 0, words);
  }
}
