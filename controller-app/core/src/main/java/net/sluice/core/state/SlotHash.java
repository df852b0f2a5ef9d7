package net.sluice.core.state;

import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/**
 * A hash index over numbers of 1 or more whose keys are kept elsewhere: open addressing with linear
 * probing, 4 bytes per cell. At most half of the cells are taken, because each one that a search
 * passes costs a look at its key. Not thread-safe.
 */
abstract class SlotHash {
  private static final int INITIAL_CELLS = 64;

  private int[] cells = new int[INITIAL_CELLS];
  private int size;

  /** The hash of the key of {@code number}, which must be in the index or about to be added. */
  abstract int hashOf(int number);

  /** The first number with that hash that {@code matches}, or 0. */
  final int find(int hash, IntPredicate matches) {
    int mask = cells.length - 1;
    for (int at = hash & mask; cells[at] != 0; at = at + 1 & mask) {
      if (matches.test(cells[at])) {
        return cells[at];
      }
    }
    return 0;
  }

  final void add(int number) {
    if ((size + 1) * 2L > cells.length) {
      grow();
    }
    place(number);
    size++;
  }

  /** Removes a number whose key is still known. */
  final void remove(int number) {
    int mask = cells.length - 1;
    int hole = hashOf(number) & mask;
    while (cells[hole] != number) {
      if (cells[hole] == 0) {
        throw new IllegalStateException("number " + number + " is not in the index");
      }
      hole = hole + 1 & mask;
    }
    // Close the gap: whoever was pushed past the hole moves into it.
    for (int at = hole + 1 & mask; cells[at] != 0; at = at + 1 & mask) {
      int home = hashOf(cells[at]) & mask;
      if ((at - home & mask) >= (at - hole & mask)) {
        cells[hole] = cells[at];
        hole = at;
      }
    }
    cells[hole] = 0;
    size--;
  }

  final boolean isEmpty() {
    return size == 0;
  }

  /** Passes on all numbers, in no order. */
  final void forEach(IntConsumer out) {
    for (int number : cells) {
      if (number != 0) {
        out.accept(number);
      }
    }
  }

  /** This, which is empty, with the numbers of another one that has the same hash of each. */
  final SlotHash takeFrom(SlotHash other) {
    cells = other.cells;
    size = other.size;
    return this;
  }

  final long bytes() {
    return 4L * cells.length;
  }

  private void place(int number) {
    int mask = cells.length - 1;
    int at = hashOf(number) & mask;
    while (cells[at] != 0) {
      at = at + 1 & mask;
    }
    cells[at] = number;
  }

  private void grow() {
    int[] old = cells;
    cells = new int[2 * old.length];
    for (int number : old) {
      if (number != 0) {
        place(number);
      }
    }
  }

  /** Spreads the bits of {@code h} (finalizer of MurmurHash3). */
  static int mix(int h) {
    h ^= h >>> 16;
    h *= 0x85ebca6b;
    h ^= h >>> 13;
    h *= 0xc2b2ae35;
    return h ^ h >>> 16;
  }
}
