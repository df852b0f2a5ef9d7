package net.sluice.emulator.v1model.runtime;

import java.util.Arrays;

/**
 * An indirect counter array: packets and bytes of each index. A page of it takes memory from when
 * something is counted there, so that a program may have counters for more than it comes to use.
 */
public final class CounterCells {
  private static final int PAGE_BITS = 11;
  private static final int PAGE = 1 << PAGE_BITS;

  /** Stands for each page on which nothing was counted; never written. */
  private static final long[] ZEROS = new long[2 * PAGE];

  private final int size;
  private final long[][] pages;

  /** An array of zeros. */
  public CounterCells(int size) {
    this.size = size;
    pages = new long[(size + PAGE - 1) >>> PAGE_BITS][];
    Arrays.fill(pages, ZEROS);
  }

  /** Indexes. */
  public int size() {
    return size;
  }

  /** Packets counted at an index, 0 to less than {@link #size}. */
  public long packets(int index) {
    return pages[index >>> PAGE_BITS][2 * (index & PAGE - 1)];
  }

  /** Their bytes. */
  public long bytes(int index) {
    return pages[index >>> PAGE_BITS][2 * (index & PAGE - 1) + 1];
  }

  /** Counts a packet. */
  public void count(int index, int packetBytes) {
    long[] page = pages[index >>> PAGE_BITS];
    if (page == ZEROS) {
      page = begin(index);
    }
    int at = 2 * (index & PAGE - 1);
    page[at]++;
    page[at + 1] += packetBytes;
  }

  /** Sets what was counted at an index. */
  public void set(int index, long packets, long bytes) {
    long[] page = pages[index >>> PAGE_BITS];
    if (page == ZEROS) {
      if (packets == 0 && bytes == 0) {
        return;
      }
      page = begin(index);
    }
    int at = 2 * (index & PAGE - 1);
    page[at] = packets;
    page[at + 1] = bytes;
  }

  private long[] begin(int index) {
    long[] page = new long[2 * PAGE];
    pages[index >>> PAGE_BITS] = page;
    return page;
  }

  /** A number that is equal for arrays in which the same was counted. */
  public int contentHash() {
    int hash = 0;
    for (int page = 0; page < pages.length; page++) {
      if (!Arrays.equals(pages[page], ZEROS)) {
        hash = 31 * hash + page;
        hash = 31 * hash + Arrays.hashCode(pages[page]);
      }
    }
    return hash;
  }
}
