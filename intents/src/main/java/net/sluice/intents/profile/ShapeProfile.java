package net.sluice.intents.profile;

import net.sluice.intents.model.RateLimit;
import net.sluice.intents.plan.entry.limit.RateWord;
import net.sluice.intents.value.InvalidValueException;

/**
 * The limits that a switch can shape, {@link RateWord#MIN_RATE_BPS} to {@link
 * RateWord#MAX_RATE_BPS} each. Each tree and port has a limit for each direction beside those of
 * subscribers.
 *
 * @param subscribers directions of subscribers that can be shaped; 0 if the switch shapes none
 * @param bufferBytes bytes that may wait, of all limits together; 0 if it shapes none
 */
public record ShapeProfile(int subscribers, long bufferBytes) {
  /** Of a switch that shapes nothing. */
  public static final ShapeProfile NONE = new ShapeProfile(0, 0);

  /** Highest number of bytes that may wait. */
  public static final long MAX_BUFFER_BYTES = 0xffff_ffffL;

  /** The smallest burst that holds the largest packet, in bytes. */
  public static final int MIN_BURST_BYTES = RateLimit.MIN_BURST_BYTES;

  /** So much may wait however long it takes: eight full packets, as the program has it. */
  private static final int ALWAYS_WAITS_BYTES = 12 << 10;

  /** No packet waits longer. */
  private static final double HORIZON_SECONDS = (1L << 30) / 1e9;

  public ShapeProfile {
    if (subscribers < 0) {
      throw new InvalidValueException("subscriberLimits", subscribers, "0 or more");
    }
    if (bufferBytes < 0 || bufferBytes > MAX_BUFFER_BYTES) {
      throw new InvalidValueException("bufferBytes", bufferBytes, "0 to " + MAX_BUFFER_BYTES);
    }
  }

  /** True if it can shape. */
  public boolean any() {
    return subscribers > 0 && bufferBytes > 0;
  }

  /** True if a limit can have that rate. */
  public static boolean canRepresent(long rateBps) {
    return rateBps >= RateWord.MIN_RATE_BPS && rateBps <= RateWord.MAX_RATE_BPS;
  }

  /**
   * The largest burst that can wait under a limit: what the buffer holds, and what the rate sends
   * in the 1.07 s that a packet may wait.
   *
   * @param rateBps see {@link #canRepresent}
   */
  public long maxBurstBytes(long rateBps) {
    return Math.min(bufferBytes, (long) (rateBps / 8.0 * HORIZON_SECONDS));
  }

  /**
   * How much of a burst can wait where no packet waits longer than its policy or limit allows.
   *
   * @param longestNanos as in {@link net.sluice.intents.plan.entry.limit.WaitSetting}
   */
  public static long burstBytes(long askedBytes, long rateBps, long longestNanos) {
    return longestNanos == 0
        ? askedBytes
        : Math.min(
            askedBytes, Math.max(ALWAYS_WAITS_BYTES, (long) (rateBps / 8.0 * longestNanos / 1e9)));
  }
}
