package net.sluice.emulator.v1model.table;

/** A table all of whose fields are matched exactly. */
public final class ExactTable extends HashedTable {

  ExactTable(String name, WordLayout layout, int dataWords, int limit, boolean withCounters) {
    super(name, layout, dataWords, limit, withCounters);
  }

  /** The entry for a one-word key, or 0. */
  public int find(long k0) {
    return probe(k0, 0);
  }

  /** The entry for a two-word key, or 0. */
  public int find(long k0, long k1) {
    return probe(k0, k1, 0);
  }

  /** The entry for a key of any number of words, or 0. */
  public int find(long[] key) {
    return probe(key, 0);
  }

  @Override
  public int place(long[] key) {
    return placeOf(key, 0);
  }

  @Override
  int find(MatchKey key) {
    return probe(key.value, 0);
  }

  @Override
  int placeKey(MatchKey key, int row) {
    System.arraycopy(key.value, 0, rows, row + 1, key.value.length);
    return 0;
  }

  @Override
  public void readKey(int slot, MatchKey into) {
    into.clear();
    System.arraycopy(rows, slot * stride + 1, into.value, 0, into.value.length);
    for (int w = 0; w < into.mask.length; w++) {
      into.mask[w] = layout().fullMask(w);
    }
  }
}
