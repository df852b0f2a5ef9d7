package net.sluice.core.state;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;

/**
 * The subscriber indices that changes planned together have given back. Others are taken first:
 * those that had one may get it again.
 */
final class GivenBack {
  private final BitSet indices = new BitSet();

  /** The index found from each one on: those between that are free were given back. */
  private final Map<Integer, Integer> found = new HashMap<>();

  void add(int index) {
    indices.set(index);
  }

  boolean contains(int index) {
    return indices.get(index);
  }

  /** An index is free that was not given back. */
  void hasMoved() {
    found.clear();
  }

  /**
   * The lowest free index from {@code from} on that was not given back. All calls together look at
   * each index that was given back once.
   *
   * @param lowestFree the lowest free index from one on
   */
  int lowestOther(int from, IntUnaryOperator lowestFree) {
    int index = lowestFree.applyAsInt(found.getOrDefault(from, from));
    while (indices.get(index)) {
      index = lowestFree.applyAsInt(index + 1);
    }
    found.put(from, index);
    return index;
  }

  /** Those that are free. */
  BitSet free(IntPredicate isUsed) {
    BitSet free = (BitSet) indices.clone();
    indices.stream().filter(isUsed).forEach(free::clear);
    return free;
  }
}
