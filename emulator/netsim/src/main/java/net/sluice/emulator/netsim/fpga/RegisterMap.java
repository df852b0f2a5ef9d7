package net.sluice.emulator.netsim.fpga;

import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/**
 * The register map, as {@code fpga-driver/rtl/registers.csv} has it, of a core with the scheduler
 * of three levels: 32-bit words at byte addresses, bits [31:24] of which select a slave.
 *
 * <ul>
 *   <li>Slave 0, queue depth: the limit of class k at {@code k << 2}, bytes, in steps of 8, 24
 *       bits, {@code 128 << k} at power-on; that of each queue of customer i at {@code 0x00100000 +
 *       4 * i}, 0 for the class's, where CoDel is built in.
 *   <li>Slave 1, scheduler: the rate word of bucket i of a level (1 customer, 2 tree, 3 port) at
 *       {@code 1 << 24 | level << 21 | i << 2}, 18 bits, 1 at power-on; index 0x1FFFF is the size
 *       of all buckets of the level, bytes, 2000 at power-on, 32767 at most; that of customer i
 *       alone is at {@code 0x01300000 + 4 * i}, 0 for the level's. How the classes of customer i
 *       share its bucket is at {@code 0x01380000 + 4 * i}, see {@link ClassTurns}.
 *   <li>Slave 2, counters: a write of a queue id to the first word takes a snapshot of the queue's
 *       64-bit counter; its low word is read at {@code 0x02000004}, its high word at {@code
 *       0x02000008}. Bits [63:37] count packets, [36:0] bytes; both wrap.
 *   <li>Slave 3, the core itself: four words that keep what is written, the identification from
 *       {@code 0x03000100} on, CoDel's targets and intervals, 16 bits of ticks for each class, from
 *       {@code 0x03000200} and {@code 0x03000220} on where it is built in, statistics from {@code
 *       0x03000300} on.
 * </ul>
 *
 * <p>A value wider than its register loses its upper bits, except a bucket size, which saturates; a
 * read that meets no register gives {@link #STRAY}, and so do the counters until a queue is
 * selected; a write that meets none does nothing. Accesses without a register are counted.
 */
final class RegisterMap {

  /** The value read from an address without a register. */
  static final int STRAY = 0xCAFEBABE;

  static final int CLASSES = 8;
  static final int BUCKET_SIZE_INDEX = 0x1FFFF;

  /** Number of statistics. */
  static final int STATISTICS = 7;

  private static final int NOTES = 4;
  private static final int IDENTIFICATION = 0x100;
  private static final int CODEL = 0x200;
  private static final int STATISTIC = 0x300;
  private static final int CODEL_BUILT = 1 << 16;
  private static final int CODEL_MASK = 0xFFFF;
  private static final int CORE_ID = 0x534C5501;
  private static final int SCHEDULER_LEVELS = 3;
  private static final int CLASS_SHARES = 1 << 17;
  private static final int CUSTOMER_DELAYS = 1 << 18;

  private static final int DEPTH_MASK = 0xFFFFF8;
  private static final int RESET_DEPTH_BYTES = 128;
  private static final int SLAVE_SHIFT = 24;
  private static final int SLAVE_MASK = 0xFFFFFF;
  private static final int LEVEL_SHIFT = 21;
  private static final int INDEX_MASK = 0x7FFFF;
  private static final int BURSTS = 0x300000;
  private static final int SHARES = 0x380000;
  private static final int CUSTOMER_DEPTHS = 0x100000;
  private static final int CUSTOMER_CODEL = 0x100000;
  private static final int PACKET_BITS = 27;
  private static final int BYTE_BITS = 37;

  private final FpgaBuild build;
  private final PacketQueues queues;
  private final ClassTurns turns;
  private final CodelQueues codel;
  private final TokenBuckets[] levels;
  private final int[] depthBytes = new int[CLASSES];

  /** By customer; 0 for that of the class. */
  private final int[] ownDepthBytes = new int[QueueNumbers.CUSTOMERS];

  private final int[] notes = new int[NOTES];
  private final int[] identification;
  private final IntUnaryOperator statistics;
  private boolean selected;
  private long snapshot;
  private long strayAccesses;

  /**
   * A map over the parts of an FPGA of that build.
   *
   * @param clockKhz clock frequency
   * @param statistics the value of each of {@value #STATISTICS} registers
   * @param turns how classes share their customer's bucket
   * @param levels the buckets of the customers, trees and ports
   */
  RegisterMap(
      FpgaBuild build,
      PacketQueues queues,
      CodelQueues codel,
      int clockKhz,
      IntUnaryOperator statistics,
      ClassTurns turns,
      TokenBuckets... levels) {
    this.build = build;
    this.queues = queues;
    this.codel = codel;
    this.turns = turns;
    this.identification =
        new int[] {
          CORE_ID,
          build.queueBits()
              | SCHEDULER_LEVELS << 8
              | (build.codel() ? CODEL_BUILT | CUSTOMER_DELAYS : 0)
              | CLASS_SHARES,
          FpgaClock.CYCLES_PER_TICK | TokenBuckets.MTU_BYTES << 16,
          clockKhz,
          build.largeBuffers(),
          build.smallBuffers()
        };
    this.statistics = statistics;
    this.levels = levels;
    reset();
  }

  /** Listener for changes by writes. */
  interface Changes {
    /** A bucket's rate word or own size has changed; level 0 customers, 1 trees, 2 ports. */
    void rateChanged(int level, int index);

    /** The size of a level's buckets has changed. */
    void bucketSizeChanged(int level);
  }

  /**
   * Power-on values of this map's own registers; rates and bucket sizes are reset with their
   * buckets.
   */
  void reset() {
    for (int i = 0; i < CLASSES; i++) {
      depthBytes[i] = RESET_DEPTH_BYTES << i;
    }
    Arrays.fill(ownDepthBytes, 0);
    Arrays.fill(notes, 0);
    selected = false;
    strayAccesses = 0;
  }

  /** Bytes that a queue may hold before it refuses a packet. */
  int depthOf(int queueId) {
    int own = ownDepthBytes[QueueNumbers.customer(queueId)];
    return own == 0 ? depthBytes[QueueNumbers.trafficClass(queueId)] : own;
  }

  long strayAccesses() {
    return strayAccesses;
  }

  int read(int address) {
    checkAligned(address);
    int offset = address & SLAVE_MASK;
    switch (address >>> SLAVE_SHIFT) {
      case 0 -> {
        if (offset >> 2 < CLASSES) {
          return depthBytes[offset >> 2];
        }
        if (isOfDelays(offset, CUSTOMER_DEPTHS)) {
          return ownDepthBytes[index(offset - CUSTOMER_DEPTHS)];
        }
      }
      case 1 -> {
        if (isOfCustomers(offset, SHARES)) {
          return turns.word(index(offset - SHARES));
        }
        if (isOfCustomers(offset, BURSTS)) {
          return levels[0].ownBytes(index(offset - BURSTS));
        }
        int level = level(offset);
        int index = index(offset);
        if (level >= 0 && index == BUCKET_SIZE_INDEX) {
          return levels[level].bucketBytes();
        }
        if (level >= 0 && index < levels[level].entries()) {
          return levels[level].word(index);
        }
      }
      case 2 -> {
        if (selected && offset == 4) {
          return (int) snapshot;
        }
        if (selected && offset == 8) {
          return (int) (snapshot >>> 32);
        }
      }
      case 3 -> {
        if (offset >> 2 < NOTES) {
          return notes[offset >> 2];
        }
        int identity = offset - IDENTIFICATION >> 2;
        if (identity >= 0 && identity < identification.length) {
          return identification[identity];
        }
        int[] times = codelTimes(offset);
        if (times != null) {
          return times[offset >> 2 & CLASSES - 1];
        }
        if (isOfDelays(offset, CUSTOMER_CODEL)) {
          return codel.word(index(offset - CUSTOMER_CODEL));
        }
        int statistic = offset - STATISTIC >> 2;
        if (statistic >= 0 && statistic < STATISTICS) {
          return statistics.applyAsInt(statistic);
        }
      }
      default -> {}
    }
    strayAccesses++;
    return STRAY;
  }

  void write(int address, int value, long tick, Changes changes) {
    checkAligned(address);
    int offset = address & SLAVE_MASK;
    switch (address >>> SLAVE_SHIFT) {
      case 0:
        if (offset >> 2 < CLASSES) {
          depthBytes[offset >> 2] = value & DEPTH_MASK;
          return;
        }
        if (isOfDelays(offset, CUSTOMER_DEPTHS)) {
          ownDepthBytes[index(offset - CUSTOMER_DEPTHS)] = value & DEPTH_MASK;
          return;
        }
        break;
      case 1:
        if (isOfCustomers(offset, SHARES)) {
          turns.setWord(index(offset - SHARES), value);
          return;
        }
        if (isOfCustomers(offset, BURSTS)) {
          int customer = index(offset - BURSTS);
          levels[0].setOwnBytes(customer, bucketBytes(value), tick);
          changes.rateChanged(0, customer);
          return;
        }
        int level = level(offset);
        int index = index(offset);
        if (level >= 0 && index == BUCKET_SIZE_INDEX) {
          levels[level].setBucketBytes(bucketBytes(value), tick);
          changes.bucketSizeChanged(level);
          return;
        }
        if (level >= 0 && index < levels[level].entries()) {
          levels[level].setWord(index, value, tick);
          changes.rateChanged(level, index);
          return;
        }
        break;
      case 2:
        if (offset == 0) {
          selected = value >= 0 && value < build.queues();
          snapshot = selected ? counter(value) : 0;
          return;
        }
        break;
      case 3:
        if (offset >> 2 < NOTES) {
          notes[offset >> 2] = value;
          return;
        }
        int[] times = codelTimes(offset);
        if (times != null) {
          times[offset >> 2 & CLASSES - 1] = value & CODEL_MASK;
          return;
        }
        if (isOfDelays(offset, CUSTOMER_CODEL)) {
          codel.setWord(index(offset - CUSTOMER_CODEL), value);
          return;
        }
        break;
      default:
        break;
    }
    strayAccesses++;
  }

  /** Registers are unsigned: a value with the top bit set is a large one. */
  private static int bucketBytes(int value) {
    return (int) Math.min(value & 0xFFFFFFFFL, TokenBuckets.MAX_BUCKET_BYTES);
  }

  private long counter(int queueId) {
    return pack(queues.sentPackets(queueId), queues.sentBytes(queueId));
  }

  /** The counter register of so many packets and bytes. */
  static long pack(long packets, long bytes) {
    return (packets & (1L << PACKET_BITS) - 1) << BYTE_BITS | bytes & (1L << BYTE_BITS) - 1;
  }

  private int level(int offset) {
    int level = (offset >> LEVEL_SHIFT) - 1;
    // Bits 19 and 20 belong to no field.
    boolean fieldsOnly = (offset & (1 << LEVEL_SHIFT) - 1) <= INDEX_MASK;
    return fieldsOnly && level >= 0 && level < levels.length ? level : -1;
  }

  /** CoDel's targets or intervals, whichever an offset is in; null if in neither. */
  private int[] codelTimes(int offset) {
    int index = offset - CODEL >> 2;
    if (!build.codel() || index < 0 || index >= 2 * CLASSES) {
      return null;
    }
    return index < CLASSES ? codel.targetTicks() : codel.intervalTicks();
  }

  private boolean isOfDelays(int offset, int array) {
    return build.codel() && isOfCustomers(offset, array);
  }

  private boolean isOfCustomers(int offset, int array) {
    return offset >= array && offset < array + (levels[0].entries() << 2);
  }

  private static int index(int offset) {
    return (offset & INDEX_MASK) >> 2;
  }

  private static void checkAligned(int address) {
    if ((address & 3) != 0) {
      throw new IllegalArgumentException(
          String.format("address 0x%08x: must be a multiple of 4", address));
    }
  }
}
