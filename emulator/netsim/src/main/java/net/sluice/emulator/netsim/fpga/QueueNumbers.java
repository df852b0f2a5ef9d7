package net.sluice.emulator.netsim.fpga;

/**
 * The 18 bits that name a queue: BNG port [17:15], OLT tree [14:9], customer [8:3], class [2:0].
 * Which tree belongs to which port, and which customer to which tree, follows from the bits:
 * buckets are numbered by the id without its lower bits.
 */
public final class QueueNumbers {

  /** Queues there are. */
  public static final int QUEUES = 1 << 18;

  /** Customer buckets there are. */
  public static final int CUSTOMERS = 1 << 15;

  /** Tree buckets there are. */
  public static final int TREES = 1 << 9;

  /** Port buckets there are. */
  public static final int PORTS = 1 << 3;

  /** Bytes of the prefix that carries a queue id, big-endian, in front of a frame. */
  public static final int PREFIX_BYTES = 4;

  private QueueNumbers() {}

  /**
   * The id of a queue.
   *
   * @param port 0..7
   * @param tree 0..63, within the port
   * @param customer 0..63, within the tree
   * @param trafficClass 0..7
   * @throws IllegalArgumentException when one of them is out of range
   */
  public static int of(int port, int tree, int customer, int trafficClass) {
    check("port", port, 7);
    check("tree", tree, 63);
    check("customer", customer, 63);
    check("trafficClass", trafficClass, 7);
    return port << 15 | tree << 9 | customer << 3 | trafficClass;
  }

  /** Customer bucket of a queue, 0..32767. */
  public static int customer(int queueId) {
    return queueId >> 3;
  }

  /** Tree bucket of a queue, 0..511. */
  public static int tree(int queueId) {
    return queueId >> 9;
  }

  /** Port bucket of a queue, 0..7. */
  public static int port(int queueId) {
    return queueId >> 15;
  }

  /** Class of a queue, 0..7. */
  public static int trafficClass(int queueId) {
    return queueId & 7;
  }

  private static void check(String field, int value, int max) {
    if (value < 0 || value > max) {
      throw new IllegalArgumentException(field + " " + value + ": must be 0.." + max);
    }
  }
}
