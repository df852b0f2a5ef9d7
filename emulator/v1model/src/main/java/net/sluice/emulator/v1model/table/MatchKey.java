package net.sluice.emulator.v1model.table;

import java.util.Arrays;

/**
 * The match side of an entry, in the words of a {@link WordLayout}. Reused from one entry to the
 * next, so that writing an entry allocates nothing.
 */
public final class MatchKey {

  /** The values; for a range field the low end. Bits outside the mask are zero. */
  public final long[] value;

  /** The bits that count; for a range field the high end. */
  public final long[] mask;

  /** Length of the prefix in the longest-prefix field, bits. */
  public int prefixLength;

  /** Higher wins; 0 in tables whose entries have none. */
  public int priority;

  /** A key of a layout, empty. */
  public MatchKey(WordLayout layout) {
    value = new long[layout.words()];
    mask = new long[layout.words()];
  }

  /** Sets everything to zero. */
  public void clear() {
    Arrays.fill(value, 0);
    Arrays.fill(mask, 0);
    prefixLength = 0;
    priority = 0;
  }
}
