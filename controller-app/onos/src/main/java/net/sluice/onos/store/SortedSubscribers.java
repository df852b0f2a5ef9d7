package net.sluice.onos.store;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import net.sluice.core.state.IdIndex;

/**
 * Subscriber indices in the order of their ids: four bytes each, in blocks, so that a page of a
 * list is found without looking at those before it. Not thread-safe.
 */
final class SortedSubscribers {
  private static final int BLOCK = 1024;

  /** Indices of one stretch of ids; {@code size} of them count. */
  private static final class Block {
    int[] indices = new int[BLOCK];
    int size;
  }

  private final IdIndex ids = new IdIndex();
  private final List<Block> blocks = new ArrayList<>();

  /** The index of a subscriber, or 0. */
  int find(String id) {
    return ids.find(id);
  }

  /** The id of an index that has one. */
  String id(int index) {
    return ids.id(index);
  }

  /** Adds a subscriber whose id and index are both new. */
  void add(String id, int index) {
    ids.put(id, index);
    int at = blockOf(id);
    if (at < 0) {
      blocks.add(new Block());
      at = 0;
    }
    Block block = blocks.get(at);
    if (block.size == BLOCK) {
      // Ids often come in order: then the full block stays full.
      boolean last = at == blocks.size() - 1 && ids.id(block.indices[BLOCK - 1]).compareTo(id) < 0;
      int keep = last ? BLOCK : BLOCK / 2;
      Block upper = new Block();
      upper.size = BLOCK - keep;
      System.arraycopy(block.indices, keep, upper.indices, 0, upper.size);
      block.size = keep;
      blocks.add(at + 1, upper);
      if (last || ids.id(upper.indices[0]).compareTo(id) < 0) {
        block = upper;
      }
    }
    int place = placeOf(block, id);
    System.arraycopy(block.indices, place, block.indices, place + 1, block.size - place);
    block.indices[place] = index;
    block.size++;
  }

  /** Removes a subscriber that is there. */
  void remove(String id) {
    int at = blockOf(id);
    Block block = blocks.get(at);
    int place = placeOf(block, id);
    int index = block.indices[place];
    System.arraycopy(block.indices, place + 1, block.indices, place, block.size - place - 1);
    block.size--;
    if (block.size == 0) {
      blocks.remove(at);
    }
    ids.remove(index);
  }

  /**
   * Passes on indices in the order of ids.
   *
   * @return number passed on
   */
  int scan(String afterId, long skip, int limit, IntConsumer out) {
    int passed = 0;
    long left = skip;
    int from = afterId.isEmpty() ? 0 : Math.max(0, blockOf(afterId));
    for (int at = from; at < blocks.size() && passed < limit; at++) {
      Block block = blocks.get(at);
      int start = at == from && !afterId.isEmpty() ? placeAfter(block, afterId) : 0;
      int here = block.size - start;
      if (left >= here) {
        left -= here;
        continue;
      }
      for (int i = start + (int) left; i < block.size && passed < limit; i++) {
        out.accept(block.indices[i]);
        passed++;
      }
      left = 0;
    }
    return passed;
  }

  /** Bytes of the arrays. */
  long bytes() {
    return ids.bytes() + blocks.size() * (4L * BLOCK + 40);
  }

  /** The last block whose first id is not greater, or the first; -1 if there is none. */
  private int blockOf(String id) {
    int low = 0;
    int high = blocks.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (ids.id(blocks.get(middle).indices[0]).compareTo(id) <= 0) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return blocks.isEmpty() ? -1 : low;
  }

  /** Where an id is, or would be. */
  private int placeOf(Block block, String id) {
    int low = 0;
    int high = block.size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ids.id(block.indices[middle]).compareTo(id) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private int placeAfter(Block block, String id) {
    int place = placeOf(block, id);
    boolean equal = place < block.size && ids.id(block.indices[place]).equals(id);
    return equal ? place + 1 : place;
  }
}
