package net.sluice.core.state;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Subscriber ids by subscriber index: the ids as bytes in pages. Per subscriber: a reference and
 * the id itself with its length. Not thread-safe.
 */
final class IdTexts {
  private static final int PAGE_BITS = 16;
  private static final int PAGE_BYTES = 1 << PAGE_BITS;
  private static final int MIN_GARBAGE = 8 * PAGE_BYTES;

  /** Position of an id's length byte, plus 1; 0 if the index has no id. */
  private int[] position = new int[64];

  private byte[][] pages = new byte[0][];
  private long top;
  private long garbage;

  /** The id of an index in use. */
  String id(int index) {
    int at = at(index);
    byte[] page = pages[at >>> PAGE_BITS];
    int from = at & PAGE_BYTES - 1;
    return new String(page, from + 1, page[from], StandardCharsets.ISO_8859_1);
  }

  /** Gives an index without an id one. */
  void put(String id, int index) {
    if (index >= position.length) {
      position = Arrays.copyOf(position, Math.max(index + 1, index + (index >> 1)));
    }
    position[index] = append(bytesOf(id)) + 1;
  }

  /** Takes an index its id away. */
  void remove(int index) {
    int at = at(index);
    garbage += 1 + pages[at >>> PAGE_BITS][at & PAGE_BYTES - 1];
    position[index] = 0;
    if (garbage > MIN_GARBAGE && garbage * 2 > top) {
      compact();
    }
  }

  /** Bytes of its arrays. */
  long bytes() {
    return 4L * position.length + (long) pages.length * PAGE_BYTES;
  }

  private int append(byte[] id) {
    int length = id.length;
    int room = PAGE_BYTES - (int) (top & PAGE_BYTES - 1);
    if (room < length + 1) {
      garbage += room;
      top += room;
    }
    int at = Math.toIntExact(top);
    int page = at >>> PAGE_BITS;
    if (page == pages.length) {
      pages = Arrays.copyOf(pages, page + 1);
    }
    if (pages[page] == null) {
      pages[page] = new byte[PAGE_BYTES];
    }
    byte[] bytes = pages[page];
    int from = at & PAGE_BYTES - 1;
    bytes[from] = (byte) length;
    System.arraycopy(id, 0, bytes, from + 1, length);
    top += length + 1;
    return at;
  }

  private void compact() {
    byte[][] old = pages;
    pages = new byte[0][];
    top = 0;
    garbage = 0;
    for (int index = 0; index < position.length; index++) {
      if (position[index] != 0) {
        int at = position[index] - 1;
        byte[] page = old[at >>> PAGE_BITS];
        int from = at & PAGE_BYTES - 1;
        position[index] = append(Arrays.copyOfRange(page, from + 1, from + 1 + page[from])) + 1;
      }
    }
  }

  private int at(int index) {
    int at = index < position.length ? position[index] - 1 : -1;
    if (at < 0) {
      throw new IllegalStateException("subscriber index " + index + " has no id");
    }
    return at;
  }

  /** Whether the id of {@code index} is that one, as {@link #bytesOf} has it. */
  boolean holds(int index, byte[] id) {
    return holds(index, id, 0, id.length);
  }

  private boolean holds(int index, byte[] id, int start, int length) {
    int at = position[index] - 1;
    byte[] page = pages[at >>> PAGE_BITS];
    int from = at & PAGE_BYTES - 1;
    return page[from] == length
        && Arrays.equals(page, from + 1, from + 1 + length, id, start, start + length);
  }

  /** Whether the id of {@code index} is that of another index in other texts. */
  boolean holds(int index, IdTexts others, int other) {
    int otherAt = others.position[other] - 1;
    byte[] page = others.pages[otherAt >>> PAGE_BITS];
    int from = otherAt & PAGE_BYTES - 1;
    return holds(index, page, from + 1, page[from]);
  }

  /** The hash of the id of {@code index}, as {@link #hash} has it. */
  int hashOf(int index) {
    int at = position[index] - 1;
    byte[] page = pages[at >>> PAGE_BITS];
    int from = at & PAGE_BYTES - 1;
    int h = 0;
    for (int i = 1; i <= page[from]; i++) {
      h = 31 * h + page[from + i];
    }
    return SlotHash.mix(h);
  }

  /** The hash of an id. */
  static int hash(String id) {
    return SlotHash.mix(id.hashCode()); // the same polynomial: ids are ASCII
  }

  /** An id as it is kept. */
  static byte[] bytesOf(String id) {
    return id.getBytes(StandardCharsets.ISO_8859_1);
  }
}
