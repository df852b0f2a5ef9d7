package net.sluice.emulator.netsim.fpga;

import java.util.Arrays;

/**
 * The ticks at which buckets become ready: a timing wheel (Varghese and Lauck, 1987). A single one
 * suffices, as no bucket takes more than {@link TokenBuckets#MTU_BYTES} ticks to gain one MTU.
 * Every operation is O(1), except {@link #nextTick}, which scans a bitmap of 32 words.
 */
final class TimingWheel {

  static final int TICKS = 2_048;
  static final int NONE = -1;

  private final int[] heads = new int[TICKS];
  private final long[] occupied = new long[TICKS / 64];
  private final int[] nexts;
  private final int[] previous;
  private final long[] ticks;

  TimingWheel(int nodes) {
    nexts = new int[nodes];
    previous = new int[nodes];
    ticks = new long[nodes];
    clear();
  }

  void clear() {
    Arrays.fill(heads, NONE);
    Arrays.fill(occupied, 0);
    Arrays.fill(ticks, NONE);
  }

  /**
   * Wakes a node at a tick, instead of any tick set before; less than {@link #TICKS} after the
   * present.
   */
  void set(int node, long tick) {
    if (ticks[node] == tick) {
      return;
    }
    cancel(node);
    int slot = (int) tick & (TICKS - 1);
    int head = heads[slot];
    nexts[node] = head;
    previous[node] = NONE;
    if (head != NONE) {
      previous[head] = node;
    }
    heads[slot] = node;
    ticks[node] = tick;
    occupied[slot >> 6] |= 1L << slot;
  }

  /** Does not wake a node. */
  void cancel(int node) {
    if (ticks[node] == NONE) {
      return;
    }
    int slot = (int) ticks[node] & (TICKS - 1);
    int before = previous[node];
    int after = nexts[node];
    if (before == NONE) {
      heads[slot] = after;
    } else {
      nexts[before] = after;
    }
    if (after != NONE) {
      previous[after] = before;
    }
    if (heads[slot] == NONE) {
      occupied[slot >> 6] &= ~(1L << slot);
    }
    ticks[node] = NONE;
  }

  /** Some node to wake at a tick, or {@link #NONE}. */
  int first(long tick) {
    return heads[(int) tick & (TICKS - 1)];
  }

  /** First tick, from the given one on, with a node to wake, or {@link TokenBuckets#NEVER}. */
  long nextTick(long from) {
    int start = (int) from & (TICKS - 1);
    int word = start >> 6;
    long bits = occupied[word] & (-1L << start);
    for (int i = 0; i <= occupied.length; i++) {
      if (bits != 0) {
        int slot = (word << 6) + Long.numberOfTrailingZeros(bits);
        return from + ((slot - start) & (TICKS - 1));
      }
      word = (word + 1) & (occupied.length - 1);
      bits = occupied[word];
    }
    return TokenBuckets.NEVER;
  }
}
