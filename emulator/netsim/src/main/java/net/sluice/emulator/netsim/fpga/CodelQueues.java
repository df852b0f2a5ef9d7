package net.sluice.emulator.netsim.fpga;

import java.util.Arrays;

/**
 * CoDel (RFC 8289) for each queue, as {@code fpga-driver/rtl/src/sluice_codel.sv} has it: the delay
 * is the fill level over the customer's rate, times are ticks, and the step interval / sqrt(count)
 * comes from a table of 256 counts. A queue from which nothing was taken for 16 intervals while it
 * was dropping makes up for no drops.
 */
final class CodelQueues {
  private static final int PAGE_BITS = 9;
  private static final int PAGE = 1 << PAGE_BITS;
  private static final int TICKS_BITS = 16;
  private static final int TICKS_MASK = (1 << TICKS_BITS) - 1;
  private static final int MOST_COUNT = (1 << 11) - 1;
  private static final int RECENT_INTERVALS = 16;
  private static final int ROOTS = 256;
  private static final int ROOT_SHIFT = 16;

  /** 65536 / sqrt(n), rounded down. */
  private static final int[] ROOT = new int[ROOTS];

  static {
    for (int n = 1; n < ROOTS; n++) {
      // The square root of an integer below 2^53 rounds down correctly.
      ROOT[n] = (int) Math.sqrt((double) ((1L << 2 * ROOT_SHIFT) / n));
    }
  }

  /** The state of one tree's queues. */
  private static final class Page {
    final boolean[] dropping = new boolean[PAGE];
    final boolean[] over = new boolean[PAGE];
    final long[] overTick = new long[PAGE];
    final long[] nextDropTick = new long[PAGE];
    final int[] count = new int[PAGE];
    final int[] lastCount = new int[PAGE];
  }

  private final int[] targetTicks = new int[RegisterMap.CLASSES];
  private final int[] intervalTicks = new int[RegisterMap.CLASSES];

  /** By customer: bits 15 to 0 the target, 31 to 16 the interval; 0 for those of the class. */
  private final int[] words = new int[QueueNumbers.CUSTOMERS];

  private final Page[] pages = new Page[QueueNumbers.TREES];

  /** Power-on state: no class and no customer has a target. */
  void clear() {
    Arrays.fill(targetTicks, 0);
    Arrays.fill(intervalTicks, 0);
    Arrays.fill(words, 0);
    Arrays.fill(pages, null);
  }

  int word(int customer) {
    return words[customer];
  }

  void setWord(int customer, int word) {
    words[customer] = word;
  }

  /** The targets of the classes in ticks; 0 is no CoDel. */
  int[] targetTicks() {
    return targetTicks;
  }

  /** The intervals of the classes in ticks. */
  int[] intervalTicks() {
    return intervalTicks;
  }

  /**
   * Judges the first packet of a queue when it is taken out.
   *
   * @param queueBytes bytes in the queue, with the packet
   * @param word rate word of its customer
   * @return true if the packet is to be dropped
   */
  boolean drops(int queueId, long queueBytes, int packetBytes, int word, long tick) {
    int own = words[QueueNumbers.customer(queueId)];
    int trafficClass = QueueNumbers.trafficClass(queueId);
    int target = own == 0 ? targetTicks[trafficClass] : own & TICKS_MASK;
    if (target == 0) {
      return false;
    }
    int interval = own == 0 ? intervalTicks[trafficClass] : own >>> TICKS_BITS;
    Page page = page(queueId);
    int i = queueId & PAGE - 1;
    boolean overTarget =
        word != 0
            && queueBytes - packetBytes > TokenBuckets.MTU_BYTES
            && queueBytes >= (long) target * word;
    if (!overTarget) {
      page.over[i] = false;
      page.dropping[i] = false;
      return false;
    }
    if (!page.over[i]) {
      page.over[i] = true;
      page.overTick[i] = tick + interval;
      page.dropping[i] = false;
      return false;
    }
    boolean recent = tick - page.nextDropTick[i] < (long) RECENT_INTERVALS * interval;
    if (page.dropping[i]) {
      if (tick < page.nextDropTick[i]) {
        return false;
      }
      page.count[i] = Math.min(page.count[i] + 1, MOST_COUNT);
      page.nextDropTick[i] =
          (recent ? page.nextDropTick[i] : tick) + stepTicks(interval, page.count[i]);
      return true;
    }
    if (tick < page.overTick[i]) {
      return false;
    }
    int gained = page.count[i] - page.lastCount[i] & MOST_COUNT;
    page.dropping[i] = true;
    page.count[i] = gained > 1 && recent ? gained : 1;
    page.lastCount[i] = page.count[i];
    page.nextDropTick[i] = tick + stepTicks(interval, page.count[i]);
    return true;
  }

  /** interval / sqrt(count), at most 0.8 % too long. */
  static int stepTicks(int interval, int count) {
    int shift = count >= 4 * ROOTS ? 2 : count >= ROOTS ? 1 : 0;
    return (int) ((long) interval * (ROOT[count >> 2 * shift] >> shift) >> ROOT_SHIFT);
  }

  private Page page(int queueId) {
    int number = queueId >> PAGE_BITS;
    if (pages[number] == null) {
      pages[number] = new Page();
    }
    return pages[number];
  }
}
