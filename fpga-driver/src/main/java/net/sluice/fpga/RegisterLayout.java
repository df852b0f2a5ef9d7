package net.sluice.fpga;

import net.sluice.intents.plan.FpgaLevel;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.FpgaSetting.BucketSize;
import net.sluice.intents.plan.FpgaSetting.ClassShares;
import net.sluice.intents.plan.FpgaSetting.CustomerBurst;
import net.sluice.intents.plan.FpgaSetting.CustomerCodel;
import net.sluice.intents.plan.FpgaSetting.CustomerDepth;
import net.sluice.intents.plan.FpgaSetting.QueueDepth;
import net.sluice.intents.plan.FpgaSetting.RateWord;
import net.sluice.intents.plan.FpgaSetting.StoreWord;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.intents.value.Ranges;

/**
 * The register map of the queueing FPGA, after the published RTL of paper 001.
 *
 * <p>Registers are 32-bit little-endian words in a window of 64 MiB (PCIe BAR0). Bits 31 to 24 of
 * the byte address select a slave: 0 queue depths, 1 the scheduler, 2 the counters. A scheduler
 * register is (level &lt;&lt; 21) | (index &lt;&lt; 2): a rate word of 18 bits, or, at the last of
 * the 17-bit indices, the bucket size of all buckets of the level, 15 bits. A depth limit has 24
 * bits and counts in steps of 8 bytes.
 *
 * <p>Slave 3 is not the paper's but Sluice's: four words that do nothing and keep what is written,
 * 0 after a reset, for the identity of the store whose settings the FPGA holds and for how far that
 * store had got, and the identification of the core. An FPGA without them, or with the first two
 * words only, answers as it does where there is no register.
 */
public final class RegisterLayout {
  /** Bytes of the window; addresses are below. */
  public static final int WINDOW_BYTES = 64 << 20;

  /** Writing a queue id here latches that queue's counters into the two words that follow. */
  static final int COUNTER_SELECT = 2 << 24;

  /** Low half of the latched counters. */
  static final int COUNTER_LOW = COUNTER_SELECT + 4;

  /** High half of the latched counters. */
  static final int COUNTER_HIGH = COUNTER_SELECT + 8;

  /** Constant that tells a Sluice core and the version of its register map. */
  static final int CORE_ID = 0x0300_0100;

  /** Bits of a queue id, levels of the scheduler. */
  static final int CORE_GEOMETRY = CORE_ID + 4;

  /** Clocks of a tick, bytes that a bucket must hold. */
  static final int CORE_TICK = CORE_ID + 8;

  /** Clock frequency in kHz. */
  static final int CORE_CLOCK = CORE_ID + 12;

  /** Words for the identity of the store and for its revision. */
  static final int STORE_WORDS = 4;

  /** Answer to a read of no register, or of counters without a latched id. */
  static final int STRAY_READ = 0xcafe_babe;

  /** Largest rate word. */
  public static final int MAX_RATE_WORD = (1 << 18) - 1;

  /** Largest bucket size in bytes. */
  public static final int MAX_BUCKET_BYTES = (1 << 15) - 1;

  /** Step of a queue depth in bytes. */
  public static final int DEPTH_STEP_BYTES = 8;

  /** Largest queue depth in bytes. */
  public static final int MAX_DEPTH_BYTES = (1 << 24) - DEPTH_STEP_BYTES;

  /** Queue ids are 0..QUEUES-1. */
  public static final int QUEUES = 1 << 18;

  private static final int SCHEDULER = 1 << 24;
  private static final int STORE = 3 << 24;
  private static final int CUSTOMER_CODEL = 0x0310_0000;
  private static final int CUSTOMER_DEPTH = 0x0010_0000;
  private static final int CUSTOMER_BURST = 0x0130_0000;
  private static final int CLASS_SHARES = 0x0138_0000;
  private static final int LEVEL_SHIFT = 21;
  private static final int BUCKET_SIZE_INDEX = 0x1ffff;
  private static final int CLASSES = 8;

  private RegisterLayout() {}

  /** The byte address of a setting's register. */
  static int address(FpgaSetting setting) {
    if (setting instanceof RateWord rate) {
      Ranges.require(rate.level().text() + " index", rate.index(), 0, buckets(rate.level()) - 1);
      return scheduler(rate.level(), rate.index());
    }
    if (setting instanceof ClassShares shares) {
      return ofCustomer(CLASS_SHARES, shares.customer());
    }
    if (setting instanceof CustomerBurst burst) {
      return ofCustomer(CUSTOMER_BURST, burst.customer());
    }
    if (setting instanceof CustomerCodel codel) {
      return ofCustomer(CUSTOMER_CODEL, codel.customer());
    }
    if (setting instanceof CustomerDepth depth) {
      return ofCustomer(CUSTOMER_DEPTH, depth.customer());
    }
    if (setting instanceof BucketSize size) {
      return scheduler(size.level(), BUCKET_SIZE_INDEX);
    }
    if (setting instanceof StoreWord store) {
      return STORE | Ranges.require("store word", store.index(), 0, STORE_WORDS - 1) << 2;
    }
    return Ranges.require("queue class", ((QueueDepth) setting).queueClass(), 0, CLASSES - 1) << 2;
  }

  /** The word that stands for a setting's value. */
  static int word(FpgaSetting setting) {
    if (setting instanceof RateWord rate) {
      return Ranges.require("rate word", rate.word(), 0, MAX_RATE_WORD);
    }
    if (setting instanceof BucketSize size) {
      return Ranges.require("bucket size", size.bytes(), 0, MAX_BUCKET_BYTES);
    }
    if (setting instanceof CustomerBurst burst) {
      return Ranges.require("bucket size", burst.bytes(), 0, MAX_BUCKET_BYTES);
    }
    if (isWhole(setting)) {
      return setting.value();
    }
    int bytes = Ranges.require("queue depth", setting.value(), 0, MAX_DEPTH_BYTES);
    if (bytes % DEPTH_STEP_BYTES != 0) {
      throw new InvalidValueException("queue depth", bytes, "a multiple of " + DEPTH_STEP_BYTES);
    }
    return bytes;
  }

  /** The value that a setting's register holds when it reads {@code word}. */
  static int value(FpgaSetting setting, int word) {
    if (setting instanceof RateWord) {
      return word & MAX_RATE_WORD;
    }
    if (isWhole(setting)) {
      return word;
    }
    boolean isBucket = setting instanceof BucketSize || setting instanceof CustomerBurst;
    return word & (isBucket ? MAX_BUCKET_BYTES : MAX_DEPTH_BYTES);
  }

  /** True if a setting's register has all 32 bits. */
  private static boolean isWhole(FpgaSetting setting) {
    return setting instanceof StoreWord
        || setting instanceof ClassShares
        || setting instanceof CustomerCodel;
  }

  private static int ofCustomer(int array, int customer) {
    int last = buckets(FpgaLevel.CUSTOMER) - 1;
    return array + (Ranges.require("customer index", customer, 0, last) << 2);
  }

  /** Number of buckets of a level: 32,768 customers, 512 trees, 8 ports. */
  static int buckets(FpgaLevel level) {
    return switch (level) {
      case CUSTOMER -> 1 << 15;
      case TREE -> 1 << 9;
      case PORT -> 1 << 3;
    };
  }

  private static int scheduler(FpgaLevel level, int index) {
    return SCHEDULER | level.code() << LEVEL_SHIFT | index << 2;
  }
}
