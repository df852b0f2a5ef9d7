package net.sluice.emulator.netsim.fpga;

/**
 * The parameters of a core that is modelled; it has three levels of buckets.
 *
 * @param queueBits 2^n queues, 10 to 18. A smaller build has the lower queue ids
 * @param codel whether CoDel is built in
 * @param largeBuffers packet buffers of {@value #LARGE_BYTES} bytes, 1 or more
 * @param smallBuffers packet buffers of {@value #SMALL_BYTES} bytes, 0 or more
 */
public record FpgaBuild(int queueBits, boolean codel, int largeBuffers, int smallBuffers) {

  /** Bytes of a large buffer, and of the longest packet. */
  public static final int LARGE_BYTES = 2_048;

  /** Bytes of a small buffer. */
  public static final int SMALL_BYTES = 512;

  /** The core with the parameters that it has unless others are given. */
  public static final FpgaBuild FULL = new FpgaBuild(18, true, 131_072, 4_096);

  private static final int MIN_QUEUE_BITS = 10;
  private static final int MAX_QUEUE_BITS = 18;

  public FpgaBuild {
    if (queueBits < MIN_QUEUE_BITS || queueBits > MAX_QUEUE_BITS) {
      throw new IllegalArgumentException(
          "queueBits " + queueBits + ": must be " + MIN_QUEUE_BITS + ".." + MAX_QUEUE_BITS);
    }
    if (largeBuffers < 1) {
      throw new IllegalArgumentException("largeBuffers " + largeBuffers + ": must be 1 or more");
    }
    if (smallBuffers < 0) {
      throw new IllegalArgumentException("smallBuffers " + smallBuffers + ": must be 0 or more");
    }
  }

  /** Number of queues. */
  int queues() {
    return 1 << queueBits;
  }

  /** Number of customer buckets. */
  int customers() {
    return queues() >> 3;
  }

  /** Number of tree buckets. */
  int trees() {
    return queues() >> 9;
  }

  /** Number of port buckets. */
  int ports() {
    return Math.max(1, queues() >> 15);
  }

  /** Number of trees of each port. */
  int treesPerPort() {
    return trees() / ports();
  }
}
