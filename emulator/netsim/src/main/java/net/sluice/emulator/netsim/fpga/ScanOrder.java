package net.sluice.emulator.netsim.fpga;

import java.util.Arrays;

/**
 * Which queues may send, and which of them the round robin meets next. Three levels of bitmaps, 8
 * ports of 64 trees of 64 customers, make the search a handful of instructions, however many queues
 * there are.
 *
 * <p>Positions. The round robin goes through positions 0..262143 and round again. A position has
 * the fields of a queue id, but a tree, customer or class field counts from where that round last
 * broke off: when a bucket runs out, the next pass through it starts behind the child that was
 * served last. Without that a flat round would always come back to an exhausted tree at its first
 * customers, who would take all of it. Ports count from 0.
 */
final class ScanOrder {

  static final int NONE = -1;

  private final ClassTurns turns = new ClassTurns();
  private final FpgaBuild build;
  private final int lastTree;
  private final long allTrees;
  // A port's bitmap of trees holds them over and over: so they can be rotated, few as they are.
  private final long repeated;

  private final byte[] waitingClasses = new byte[QueueNumbers.CUSTOMERS];
  private final long[] readyCustomers = new long[QueueNumbers.TREES];
  private final boolean[] treeOpen = new boolean[QueueNumbers.TREES];
  private final long[] readyTrees = new long[QueueNumbers.PORTS];
  private final boolean[] portOpen = new boolean[QueueNumbers.PORTS];

  private final byte[] firstClass = new byte[QueueNumbers.CUSTOMERS];
  private final byte[] firstCustomer = new byte[QueueNumbers.TREES];
  private final byte[] firstTree = new byte[QueueNumbers.PORTS];

  ScanOrder(FpgaBuild build) {
    this.build = build;
    lastTree = build.treesPerPort() - 1;
    allTrees = -1L >>> Long.SIZE - build.treesPerPort();
    long ones = 0;
    for (int i = 0; i < Long.SIZE; i += build.treesPerPort()) {
      ones |= 1L << i;
    }
    repeated = ones;
  }

  void clear() {
    turns.clear();
    Arrays.fill(waitingClasses, (byte) 0);
    Arrays.fill(readyCustomers, 0);
    Arrays.fill(treeOpen, false);
    Arrays.fill(readyTrees, 0);
    Arrays.fill(portOpen, false);
    Arrays.fill(firstClass, (byte) 0);
    Arrays.fill(firstCustomer, (byte) 0);
    Arrays.fill(firstTree, (byte) 0);
  }

  /** How classes share their customer's bucket. */
  ClassTurns turns() {
    return turns;
  }

  /** A queue, which {@link #queueAt} told, sends a packet. */
  void spend(int queueId, int bytes) {
    int customer = QueueNumbers.customer(queueId);
    if (turns.has(customer)) {
      turns.spend(queueId, waitingClasses[customer] & 0xff, bytes);
    }
  }

  /** Whether any queue of a customer holds a packet. */
  boolean waits(int customer) {
    return waitingClasses[customer] != 0;
  }

  void setWaiting(int queueId, boolean waiting) {
    int customer = QueueNumbers.customer(queueId);
    int bit = 1 << QueueNumbers.trafficClass(queueId);
    waitingClasses[customer] =
        (byte) (waiting ? waitingClasses[customer] | bit : waitingClasses[customer] & ~bit);
  }

  /** Sets whether a customer has packets and the tokens for one. */
  void setCustomerReady(int customer, boolean ready) {
    int tree = customer >> 6;
    long bit = 1L << customer;
    readyCustomers[tree] = ready ? readyCustomers[tree] | bit : readyCustomers[tree] & ~bit;
    updateTree(tree);
  }

  /** Sets whether a tree has the tokens for a packet. */
  void setTreeOpen(int tree, boolean open) {
    treeOpen[tree] = open;
    updateTree(tree);
  }

  /** Sets whether a port has the tokens for a packet. */
  void setPortOpen(int port, boolean open) {
    portOpen[port] = open;
  }

  /** One of a customer's queues was served: the next class has its turn. */
  void breakOffCustomer(int queueId) {
    firstClass[QueueNumbers.customer(queueId)] =
        (byte) ((QueueNumbers.trafficClass(queueId) + 1) & 7);
  }

  /** A tree ran out of tokens when one of its queues was served. */
  void breakOffTree(int queueId) {
    breakOffCustomer(queueId);
    firstCustomer[QueueNumbers.tree(queueId)] = (byte) ((QueueNumbers.customer(queueId) + 1) & 63);
  }

  /** A port ran out of tokens when one of its queues was served. */
  void breakOffPort(int queueId) {
    breakOffTree(queueId);
    firstTree[QueueNumbers.port(queueId)] = (byte) ((QueueNumbers.tree(queueId) + 1) & lastTree);
  }

  /**
   * First position at or after the given one, round and round, whose queue may send, or {@link
   * #NONE}.
   */
  int next(int position) {
    int port = position >> 15;
    int found = nextInPort(port, position & 0x7FFF);
    for (int i = 1; found == NONE && i <= build.ports(); i++) {
      port = (port + 1) & (build.ports() - 1);
      found = nextInPort(port, 0);
    }
    return found == NONE ? NONE : port << 15 | found;
  }

  /** First position of a position's customer. */
  static int customerStart(int position) {
    return position >> 3 << 3;
  }

  /** Position behind a position's customer. */
  int nextCustomer(int position) {
    return ((position >> 3) + 1 << 3) & (build.queues() - 1);
  }

  /** Position behind a position's tree. */
  int nextTree(int position) {
    return ((position >> 9) + 1 << 9) & (build.queues() - 1);
  }

  /** Position behind a position's port. */
  int nextPort(int position) {
    return ((position >> 15) + 1 << 15) & (build.queues() - 1);
  }

  /** First position of a position's tree. */
  static int treeStart(int position) {
    return position >> 9 << 9;
  }

  /** First position of a position's port. */
  static int portStart(int position) {
    return position >> 15 << 15;
  }

  /** The tree at a position, 0..511. */
  int treeAt(int position) {
    int port = position >> 15;
    return port << 6 | ((position >> 9) + firstTree[port]) & lastTree;
  }

  /** The queue at a position. */
  int queueAt(int position) {
    int tree = treeAt(position);
    int customer = tree << 6 | ((position >> 3) + firstCustomer[tree]) & 63;
    int waiting = waitingClasses[customer] & 0xff;
    return customer << 3
        | (turns.has(customer) && waiting != 0
            ? turns.next(customer, waiting)
            : (position + firstClass[customer]) & 7);
  }

  private int nextInPort(int port, int from) {
    if (!portOpen[port]) {
      return NONE;
    }
    long trees = Long.rotateRight(readyTrees[port], firstTree[port]) & allTrees;
    int at = from >> 9;
    if ((trees >>> at & 1) != 0) {
      int found = nextInTree(port << 6 | (at + firstTree[port]) & lastTree, from & 0x1FF);
      if (found != NONE) {
        return at << 9 | found;
      }
    }
    long later = after(trees, at);
    if (later == 0) {
      return NONE;
    }
    int then = Long.numberOfTrailingZeros(later);
    return then << 9 | nextInTree(port << 6 | (then + firstTree[port]) & lastTree, 0);
  }

  private int nextInTree(int tree, int from) {
    long customers = Long.rotateRight(readyCustomers[tree], firstCustomer[tree]);
    int at = from >> 3;
    if ((customers >>> at & 1) != 0) {
      int found = nextInCustomer(tree << 6 | (at + firstCustomer[tree]) & 63, from & 7);
      if (found != NONE) {
        return at << 3 | found;
      }
    }
    long later = after(customers, at);
    if (later == 0) {
      return NONE;
    }
    int then = Long.numberOfTrailingZeros(later);
    return then << 3 | nextInCustomer(tree << 6 | (then + firstCustomer[tree]) & 63, 0);
  }

  private int nextInCustomer(int customer, int from) {
    int classes = waitingClasses[customer] & 0xff;
    if (turns.has(customer)) {
      // Wherever in the customer the scan is: its classes have turns of their own.
      return classes == 0 ? NONE : from;
    }
    int first = firstClass[customer];
    int rotated = (classes >> first | classes << 8 - first) & 0xff;
    int later = rotated & 0xff << from;
    return later == 0 ? NONE : Integer.numberOfTrailingZeros(later);
  }

  private void updateTree(int tree) {
    int port = tree >> 6;
    long bit = repeated << (tree & lastTree);
    boolean ready = treeOpen[tree] && readyCustomers[tree] != 0;
    readyTrees[port] = ready ? readyTrees[port] | bit : readyTrees[port] & ~bit;
  }

  /** The bits above a bit. */
  private static long after(long bits, int at) {
    return at == 63 ? 0 : bits & (-1L << at + 1);
  }
}
