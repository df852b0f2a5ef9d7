package net.sluice.intents.profile;

import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.plan.FpgaLevel;

/**
 * What the queueing FPGA of paper 001 can hold and represent.
 *
 * @param clockHz the core's clock
 * @param ticksPerUpdate clocks in which a bucket gains its rate word in bytes
 * @param rateWordBits width of a rate word
 * @param ports BNG ports
 * @param treesPerPort OLT trees of a port
 * @param customersPerTree customers of a tree, at most 64
 * @param classes queue classes of a customer
 * @param minBurstBytes smallest usable bucket: a dequeue needs one MTU of tokens
 * @param maxBurstBytes largest bucket the 15-bit token counter holds
 * @param resetBurstBytes bucket size after reset
 * @param queueDepthBytes depth limit given to the queues of every class, a multiple of 8
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
    int queueDepthBytes) {

  public FpgaProfile {
    if (!(clockHz > 0)) {
      throw new InvalidValueException("clockHz", clockHz, "more than 0");
    }
    if (customersPerTree < 1 || customersPerTree > 64) {
      throw new InvalidValueException("customersPerTree", customersPerTree, "1 to 64");
    }
    if (queueDepthBytes < 8 || queueDepthBytes % 8 != 0 || queueDepthBytes >= 1 << 24) {
      throw new InvalidValueException(
          "queueDepthBytes", queueDepthBytes, "a multiple of 8 from 8 to 16777208");
    }
  }

  /**
   * The published core at the given clock. Queues hold 256 KiB: 42 ms at 50 Mbit/s, and enough for
   * one TCP flow at 100 Mbit/s and 20 ms.
   */
  public static FpgaProfile withClock(double clockHz) {
    return new FpgaProfile(clockHz, 1248, 18, 8, 64, 64, 8, 1600, 32_767, 2000, 256 * 1024);
  }

  /** The largest rate word; buckets without a limit have it. */
  public int maxRateWord() {
    return (1 << rateWordBits) - 1;
  }

  /** One step of the rate word in bit/s. */
  public double rateStepBps() {
    return 8 * clockHz / ticksPerUpdate;
  }

  /** What {@code word} amounts to, rounded to whole bit/s. */
  public long rateBps(int word) {
    return Math.round(word * rateStepBps());
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
   * The nearest representable rate, at least one step.
   *
   * @throws InvalidValueException if {@code rateBps} is not in {@code [1, maxRateBps()]}
   */
  public RateGrant grant(long rateBps) {
    if (!canRepresent(rateBps)) {
      throw new InvalidValueException("rateBps", rateBps, "1 to " + maxRateBps() + " bit/s");
    }
    double step = rateStepBps();
    int word = (int) Math.max(1, Math.min(maxRateWord(), Math.round(rateBps / step)));
    long granted = rateBps(word);
    String note = "";
    if (granted != rateBps) {
      note =
          rateBps < step / 2
              ? "below half a step: granted one step of " + Math.round(step) + " bit/s"
              : "rounded to the nearest step of " + Math.round(step) + " bit/s";
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
