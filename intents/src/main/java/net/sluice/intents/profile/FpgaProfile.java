package net.sluice.intents.profile;

import net.sluice.intents.plan.FpgaLevel;
import net.sluice.intents.plan.QueueId;
import net.sluice.intents.value.InvalidValueException;

/**
 * The capacities and number ranges of the queueing FPGA of paper 001.
 *
 * <p>Rates and buckets. A packet leaves only while its customer, its tree and its port each have
 * the tokens of one MTU, and whether they have is looked at once in a round of the scan over all
 * queues, {@value #QUEUES} queues by {@value #QUEUES_PER_CLOCK} a clock: {@value #ROUND_CLOCKS}
 * clocks, 6.6 ticks. What a bucket cannot hold of a round's gain is lost. A visit leaves at most an
 * MTU less one byte, a bucket has gained at most one tick more than a round when it is visited
 * again, so a rate word of {@code w} is kept exactly by a bucket of {@code MTU - 1 + 8 * w} bytes
 * ({@link #bucketBytes}). The scan stands still while packets wait for the line back; the eighth
 * tick covers that as long as at most 17 % of the line are in use.
 *
 * <p>So the largest bucket decides what can be promised: 32,767 bytes keep words up to 3896, 3.9
 * Gbit/s at 156.25 MHz, and that is what a higher limit is granted. A bucket without a limit has
 * the largest word, which no bucket keeps: it passes one bucket a round, {@link #unlimitedBps}, and
 * up to twice that, depending on packet sizes and on when the ticks come. That is also what all
 * that is shaped behind one tree, or one port, without a limit of its own can count on together.
 *
 * @param clockHz the core's clock
 * @param ticksPerUpdate clocks in which a bucket gains its rate word in bytes
 * @param rateWordBits width of a rate word
 * @param ports BNG ports, at most 8
 * @param treesPerPort OLT trees of a port, at most 64
 * @param customersPerTree customers of a tree, at most 64
 * @param classes queue classes of a customer
 * @param minBurstBytes smallest usable bucket: a dequeue needs one MTU of tokens
 * @param maxBurstBytes largest bucket the 15-bit token counter holds
 * @param resetBurstBytes bucket size after reset, which is also the smallest that is set
 * @param queueDepthBytes depth limit given to the queues of every class, a multiple of 8; that of
 *     customers without one of their own
 * @param classShares whether the classes of a customer have priorities and shares
 * @param customerBursts whether each customer can have a bucket size of its own
 */
public record FpgaProfile(
    double clockHz,
    int ticksPerUpdate,
    int rateWordBits,
    int ports,
    int treesPerPort,
    int customersPerTree,
    int classes,
    int minBurstBytes,
    int maxBurstBytes,
    int resetBurstBytes,
    int queueDepthBytes,
    boolean classShares,
    boolean customerBursts) {

  /** Largest depth of a queue that a register holds. */
  private static final int MAX_DEPTH_BYTES = (1 << 24) - 8;

  private static final double NANOS = 1e9;

  /** The rate word of every bucket after a reset. */
  public static final int RESET_RATE_WORD = 1;

  /** Queues the scan goes through, whether they are in use or not. */
  private static final int QUEUES = 1 << 18;

  private static final int QUEUES_PER_CLOCK = 32;
  private static final int ROUND_CLOCKS = QUEUES / QUEUES_PER_CLOCK;

  public FpgaProfile {
    if (!(clockHz > 0)) {
      throw new InvalidValueException("clockHz", clockHz, "more than 0");
    }
    if (ports < 1 || ports > 8) {
      throw new InvalidValueException("ports", ports, "1 to 8");
    }
    if (treesPerPort < 1 || treesPerPort > 64) {
      throw new InvalidValueException("treesPerPort", treesPerPort, "1 to 64");
    }
    if (customersPerTree < 1 || customersPerTree > 64) {
      throw new InvalidValueException("customersPerTree", customersPerTree, "1 to 64");
    }
    if (queueDepthBytes < 8 || queueDepthBytes % 8 != 0 || queueDepthBytes > MAX_DEPTH_BYTES) {
      throw new InvalidValueException(
          "queueDepthBytes", queueDepthBytes, "a multiple of 8 from 8 to 16777208");
    }
  }

  /** An FPGA whose classes take turns, and whose customers have one bucket size. */
  public FpgaProfile(
      double clockHz,
      int ticksPerUpdate,
      int rateWordBits,
      int ports,
      int treesPerPort,
      int customersPerTree,
      int classes,
      int minBurstBytes,
      int maxBurstBytes,
      int resetBurstBytes,
      int queueDepthBytes) {
    this(
        clockHz,
        ticksPerUpdate,
        rateWordBits,
        ports,
        treesPerPort,
        customersPerTree,
        classes,
        minBurstBytes,
        maxBurstBytes,
        resetBurstBytes,
        queueDepthBytes,
        false,
        false);
  }

  /** The same with priorities and shares of classes, or without. */
  public FpgaProfile withClassShares(boolean has) {
    return new FpgaProfile(
        clockHz,
        ticksPerUpdate,
        rateWordBits,
        ports,
        treesPerPort,
        customersPerTree,
        classes,
        minBurstBytes,
        maxBurstBytes,
        resetBurstBytes,
        queueDepthBytes,
        has,
        customerBursts);
  }

  /** The same with a bucket size for each customer, or with one for all. */
  public FpgaProfile withCustomerBursts(boolean has) {
    return new FpgaProfile(
        clockHz,
        ticksPerUpdate,
        rateWordBits,
        ports,
        treesPerPort,
        customersPerTree,
        classes,
        minBurstBytes,
        maxBurstBytes,
        resetBurstBytes,
        queueDepthBytes,
        classShares,
        has);
  }

  /** A time in ticks, rounded, at least one. */
  public long ticks(long nanos) {
    return Math.max(1, Math.round(nanos / NANOS * clockHz / ticksPerUpdate));
  }

  /**
   * The bytes that leave at {@code word} in a time, as the depth of a queue: at least {@code
   * least}, rounded up to 8, at most what a register holds.
   */
  public int depthBytes(int word, long nanos, int least) {
    double bytes = Math.max(least, Math.ceil(word * (nanos / NANOS * clockHz / ticksPerUpdate)));
    return (int) Math.min(MAX_DEPTH_BYTES, Math.ceil(bytes / 8) * 8);
  }

  /** The published core at the given clock. Queues hold 256 KiB where no limit says otherwise. */
  public static FpgaProfile withClock(double clockHz) {
    return new FpgaProfile(clockHz, 1248, 18, 8, 64, 64, 8, 1600, 32_767, 2000, 256 * 1024);
  }

  /** Number of queue ids up to the highest that is used. */
  public int queueIds() {
    return QueueId.of(ports - 1, treesPerPort - 1, customersPerTree - 1) + QueueId.CLASSES;
  }

  /** The largest rate word; buckets without a limit have it. */
  public int maxRateWord() {
    return (1 << rateWordBits) - 1;
  }

  /** One step of the rate word in bit/s. */
  public double rateStepBps() {
    return 8 * clockHz / ticksPerUpdate;
  }

  /** The rate of {@code word}, rounded to whole bit/s. */
  public long rateBps(int word) {
    return Math.round(word * rateStepBps());
  }

  /** Ticks whose gain a bucket must hold: those begun in a round, and one more. */
  private int roundTicks() {
    return (ROUND_CLOCKS + ticksPerUpdate - 1) / ticksPerUpdate + 1;
  }

  /**
   * The bucket size in bytes with which {@code word} is kept exactly. For the largest word, which
   * stands for no limit, and all others that no bucket keeps: the largest bucket.
   */
  public int bucketBytes(int word) {
    return (int) Math.min(maxBurstBytes, minBurstBytes - 1 + (long) roundTicks() * word);
  }

  /** The largest rate word that the largest bucket keeps exactly, and so the largest of a limit. */
  public int maxLimitWord() {
    return Math.min(maxRateWord() - 1, (maxBurstBytes - minBurstBytes + 1) / roundTicks());
  }

  /**
   * The least rate that passes one customer, tree or port without a limit, in bit/s: the largest
   * bucket in one visit, once a round. Less by the share of the line back that is in use, for so
   * much longer is a round.
   */
  public long unlimitedBps() {
    return Math.round(8 * (maxBurstBytes - minBurstBytes + 1) * clockHz / ROUND_CLOCKS);
  }

  /** The highest rate that {@link #grant} accepts: half a step above the largest word's. */
  public long maxRateBps() {
    return (long) Math.ceil((maxRateWord() + 0.5) * rateStepBps()) - 1;
  }

  /** True if {@link #grant} accepts {@code rateBps}. */
  public boolean canRepresent(long rateBps) {
    return rateBps >= 1 && rateBps <= maxRateBps();
  }

  /**
   * The word of the rate that a limit is granted, see {@link #grant}.
   *
   * @param rateBps see {@link #canRepresent}
   */
  public int word(long rateBps) {
    return (int) Math.min(maxLimitWord(), wanted(rateBps));
  }

  /** The word if buckets were large enough for any. */
  private long wanted(long rateBps) {
    double step = rateStepBps();
    long nearest = Math.max(1, Math.round(rateBps / step));
    long above = Math.round((nearest + 1) * step);
    return nearest * step < rateBps && RateGrant.isNextStepUp(rateBps, above)
        ? nearest + 1
        : nearest;
  }

  /**
   * A rate that is kept exactly in the long run, from one step to that of {@link #maxLimitWord},
   * provided that the bucket has at least {@link #bucketBytes} of its word: the nearest, or the
   * next above where {@link RateGrant#isNextStepUp} says so.
   *
   * <p>A larger word would let more than the highest of these rates pass, but not what it says, and
   * how much depends on packet sizes and the other traffic: nothing that could be told to the one
   * who asked for it.
   *
   * @throws InvalidValueException if {@code rateBps} is not in {@code [1, maxRateBps()]}
   */
  public RateGrant grant(long rateBps) {
    if (!canRepresent(rateBps)) {
      throw new InvalidValueException("rateBps", rateBps, "1 to " + maxRateBps() + " bit/s");
    }
    double step = rateStepBps();
    int word = word(rateBps);
    long granted = rateBps(word);
    String note = "";
    if (word < wanted(rateBps)) {
      note =
          "granted the highest rate that the FPGA's largest bucket, "
              + maxBurstBytes
              + " bytes, keeps";
    } else if (granted != rateBps) {
      note =
          rateBps < step / 2
              ? "below half a step: granted one step of " + Math.round(step) + " bit/s"
              : (word == Math.round(rateBps / step)
                      ? "rounded to the nearest"
                      : "rounded up to the next")
                  + " step of "
                  + Math.round(step)
                  + " bit/s";
    }
    return new RateGrant(rateBps, word, granted, note);
  }

  /** Number of buckets of a level. */
  public int buckets(FpgaLevel level) {
    int trees = ports * treesPerPort;
    return level == FpgaLevel.PORT
        ? ports
        : level == FpgaLevel.TREE ? trees : trees * customersPerTree;
  }
}
