package net.sluice.pipeconf.profile;

import net.sluice.intents.model.InvalidValueException;

/**
 * How a switch's meters take and tell their configuration.
 *
 * @param update which updates they accept
 * @param rateTolerancePermille by how much a rate may read back lower than it was set, in parts of
 *     a thousand: targets keep rates in units of their own
 */
public record MeterBehaviour(Update update, int rateTolerancePermille) {
  /** Which updates a meter accepts. */
  public enum Update {
    /** As table entries: deleting one resets it. */
    INSERT_MODIFY_DELETE,
    /** Only changes; the default configuration in place of a deletion. */
    MODIFY_ONLY
  }

  public MeterBehaviour {
    if (rateTolerancePermille < 0 || rateTolerancePermille > 100) {
      throw new InvalidValueException(
          "meter.rate-tolerance-permille", rateTolerancePermille, "0 to 100");
    }
  }

  /** True if a meter that reads {@code read} may be one that was set to {@code set}, in bit/s. */
  public boolean isSameRate(long set, long read) {
    return Math.abs(Math.subtractExact(set, read)) <= set / 1000 * rateTolerancePermille;
  }

  /**
   * Refuses what no meter can do, before it is sent.
   *
   * @param cirBps committed rate, bit/s
   * @param pirBps peak rate, bit/s
   * @throws InvalidValueException if the committed rate is above the peak rate, or one is negative
   */
  public static void requireRates(long cirBps, long pirBps) {
    if (pirBps < 0) {
      throw new InvalidValueException("pir", pirBps, "0 or more bit/s");
    }
    if (cirBps < 0 || cirBps > pirBps) {
      throw new InvalidValueException("cir", cirBps, "0 to pir, which is " + pirBps + " bit/s");
    }
  }
}
