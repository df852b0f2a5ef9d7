package net.sluice.core.state;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Subscriber ids by subscriber index and back: the ids as bytes in pages, found by a hash of their
 * content. Per subscriber: a reference, 4 to 11 bytes of hash and the id itself with its length.
 * Not thread-safe.
 */
public final class IdIndex {
  private static final int PAGE_BITS = 16;
  private static final int PAGE_BYTES = 1 << PAGE_BITS;
  private static final int MIN_GARBAGE = 8 * PAGE_BYTES;

  /** Position of an id's length byte, plus 1; 0 if the index has no id. */
  private int[] position = new int[64];

  private byte[][] pages = new byte[0][];
  private long top;
  private long garbage;
  private final SlotHash hash =
      new SlotHash() {
        @Override
        int hashOf(int number) {
          return hashOfBytes(number);
        }
      };

  /** The index of {@code id}, or 0. */
  public int find(String id) {
    return hash.find(hashOfText(id), index -> holds(index, id));
  }

  /** The id of an index in use. */
  public String id(int index) {
    int at = at(index);
    byte[] page = pages[at >>> PAGE_BITS];
    int from = at & PAGE_BYTES - 1;
    return new String(page, from + 1, page[from], StandardCharsets.ISO_8859_1);
  }

  /** Gives an index without an id one. */
  public void put(String id, int index) {
    if (index >= position.length) {
      position = Arrays.copyOf(position, Math.max(index + 1, index + (index >> 1)));
    }
    position[index] = append(id) + 1;
    hash.add(index);
  }

  /** Takes an index its id away. */
  public void remove(int index) {
    hash.remove(index);
    int at = at(index);
    garbage += 1 + pages[at >>> PAGE_BITS][at & PAGE_BYTES - 1];
    position[index] = 0;
    if (garbage > MIN_GARBAGE && garbage * 2 > top) {
      compact();
    }
  }

  /** Bytes of its arrays. */
  public long bytes() {
    return 4L * position.length + (long) pages.length * PAGE_BYTES + hash.bytes();
  }

  private int append(String id) {
    int length = id.length();
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
    for (int i = 0; i < length; i++) {
      bytes[from + 1 + i] = (byte) id.charAt(i);
    }
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
        String id = new String(page, from + 1, page[from], StandardCharsets.ISO_8859_1);
        position[index] = append(id) + 1;
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

  private boolean holds(int index, String id) {
    int at = position[index] - 1;
    byte[] page = pages[at >>> PAGE_BITS];
    int from = at & PAGE_BYTES - 1;
    if (page[from] != id.length()) {
      return false;
    }
    for (int i = 0; i < id.length(); i++) {
      if (page[from + 1 + i] != (byte) id.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private int hashOfBytes(int index) {
    int at = position[index] - 1;
    byte[] page = pages[at >>> PAGE_BITS];
    int from = at & PAGE_BYTES - 1;
    int h = 0;
    for (int i = 1; i <= page[from]; i++) {
      h = 31 * h + page[from + i];
    }
    return SlotHash.mix(h);
  }

  private static int hashOfText(String id) {
    return SlotHash.mix(id.hashCode()); // the same polynomial: ids are ASCII
  }
}
