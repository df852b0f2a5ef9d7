package net.sluice.core.state;

import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/**
 * A hash index over numbers of 1 or more whose keys are kept elsewhere: open addressing with linear
 * probing, 8 bytes per cell, of which at most three quarters are taken. A cell has the hash beside
 * the number, so that a search looks at no key but the one that it finds, and growing at none. Not
 * thread-safe.
 */
abstract class SlotHash {
  private static final int INITIAL_CELLS = 64;

  /** The hash above the number; 0 where there is none. */
  private long[] cells = new long[INITIAL_CELLS];

  private int size;

  /** The hash of the key of {@code number}, which must be in the index or about to be added. */
  abstract int hashOf(int number);

  /** Whether there is a number with that hash: of most that are looked for there is none. */
  final boolean holds(int hash) {
    int mask = cells.length - 1;
    int at = hash & mask;
    while (cells[at] != 0) {
      if (hashIn(cells[at]) == hash) {
        return true;
      }
      at = at + 1 & mask;
    }
    return false;
  }

  /** The first number with that hash that {@code matches}, or 0. */
  final int find(int hash, IntPredicate matches) {
    int mask = cells.length - 1;
    for (int at = hash & mask; cells[at] != 0; at = at + 1 & mask) {
      long cell = cells[at];
      if (hashIn(cell) == hash && matches.test((int) cell)) {
        return (int) cell;
      }
    }
    return 0;
  }

  final void add(int number) {
    add(number, hashOf(number));
  }

  /** Adds a number whose hash is known. */
  final void add(int number, int hash) {
    if ((size + 1) * 4L > cells.length * 3L) {
      grow();
    }
    place((long) hash << 32 | number);
    size++;
  }

  /** Removes a number whose key is still known. */
  final void remove(int number) {
    int mask = cells.length - 1;
    int hole = hashOf(number) & mask;
    while ((int) cells[hole] != number) {
      if (cells[hole] == 0) {
        throw new IllegalStateException("number " + number + " is not in the index");
      }
      hole = hole + 1 & mask;
    }
    // Close the gap: a number that was pushed past the hole moves into it.
    for (int at = hole + 1 & mask; cells[at] != 0; at = at + 1 & mask) {
      int home = hashIn(cells[at]) & mask;
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
    for (long cell : cells) {
      if (cell != 0) {
        out.accept((int) cell);
      }
    }
  }

  /** This, which is empty, with the numbers of another one that has the same hash of each. */
  final SlotHash takeFrom(SlotHash other) {
    cells = other.cells;
    size = other.size;
    return this;
  }

  /** This, which is empty, with the numbers that another one has by now. */
  final SlotHash copyFrom(SlotHash other) {
    cells = other.cells.clone();
    size = other.size;
    return this;
  }

  final long bytes() {
    return 8L * cells.length;
  }

  private static int hashIn(long cell) {
    return (int) (cell >>> 32);
  }

  private void place(long cell) {
    int mask = cells.length - 1;
    int at = hashIn(cell) & mask;
    while (cells[at] != 0) {
      at = at + 1 & mask;
    }
    cells[at] = cell;
  }

  private void grow() {
    long[] old = cells;
    cells = new long[2 * old.length];
    for (long cell : old) {
      if (cell != 0) {
        place(cell);
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
