package net.sluice.emulator.netsim.fpga;

import java.util.Arrays;

/**
 * How the classes of a customer share its bucket, as its word in {@code CUSTOMER_CLASSES} says:
 * bits 4 c + 3 to 4 c are class c's. 15 goes before all others, of several the highest class first;
 * a share of 1 to 14 has turns of as many times {@value #QUANTUM} bytes, and what a turn takes too
 * much is missing in the class's next one; 0 has turns of one packet. Customers whose word is 0 are
 * not its: their turns are those of {@link ScanOrder}.
 */
final class ClassTurns {
  private static final int CLASSES = 8;
  private static final int FIRST = 15;
  private static final int QUANTUM = 2048;

  private final int[] words = new int[QueueNumbers.CUSTOMERS];

  /** The class whose turn it is, by customer, and how many bytes are left of its turn. */
  private final byte[] at = new byte[QueueNumbers.CUSTOMERS];

  private final int[] credits = new int[QueueNumbers.CUSTOMERS];

  /** By queue id. */
  private final short[] debts = new short[QueueNumbers.QUEUES];

  void clear() {
    Arrays.fill(words, 0);
    Arrays.fill(at, (byte) 0);
    Arrays.fill(credits, 0);
    Arrays.fill(debts, (short) 0);
  }

  int word(int customer) {
    return words[customer];
  }

  void setWord(int customer, int word) {
    words[customer] = word;
  }

  boolean has(int customer) {
    return words[customer] != 0;
  }

  private int share(int customer, int trafficClass) {
    return words[customer] >>> 4 * trafficClass & FIRST;
  }

  /** The class to serve of those that hold a packet, one bit each, of which there is one. */
  int next(int customer, int waiting) {
    for (int c = CLASSES - 1; c >= 0; c--) {
      if ((waiting >> c & 1) != 0 && share(customer, c) == FIRST) {
        return c;
      }
    }
    int now = at[customer];
    return goesOn(customer, waiting) ? now : after(now, waiting);
  }

  private boolean goesOn(int customer, int waiting) {
    int now = at[customer];
    return (waiting >> now & 1) != 0 && credits[customer] > 0 && share(customer, now) != 0;
  }

  private static int after(int now, int waiting) {
    int next = now;
    do {
      next = (next + 1) % CLASSES;
    } while ((waiting >> next & 1) == 0);
    return next;
  }

  /** The class that {@link #next} tells sends a packet. */
  void spend(int queueId, int waiting, int bytes) {
    int customer = QueueNumbers.customer(queueId);
    int served = QueueNumbers.trafficClass(queueId);
    int share = share(customer, served);
    if (share == FIRST) {
      return;
    }
    if (!goesOn(customer, waiting)) {
      at[customer] = (byte) served;
      credits[customer] = share * QUANTUM - debts[queueId];
      debts[queueId] = 0;
    }
    if (share != 0) {
      credits[customer] -= bytes;
      debts[queueId] = (short) Math.min(QUANTUM - 1, Math.max(0, -credits[customer]));
    }
  }
}
