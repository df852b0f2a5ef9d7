package net.sluice.intents.profile;

import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.value.InvalidValueException;

/**
 * How a switch's marker is laid out.
 *
 * @param maxRateBps R_max, the highest subscriber rate that it resolves, bit/s, {@link
 *     #MIN_RATE_BPS} to {@link #MAX_RATE_BPS}
 * @param randomRates thresholds of its random numbers
 */
public record MarkerSettings(long maxRateBps, RandomRates randomRates) {
  /** Lowest R_max, bit/s. */
  public static final long MIN_RATE_BPS = 1_000_000L;

  /** Highest R_max, bit/s. */
  public static final long MAX_RATE_BPS = 100_000_000_000L;

  /** The highest R_max, and all random bits. */
  public static final MarkerSettings DEFAULT =
      new MarkerSettings(MAX_RATE_BPS, RandomRates.BITS_16);

  public MarkerSettings {
    if (maxRateBps < MIN_RATE_BPS || maxRateBps > MAX_RATE_BPS) {
      throw new InvalidValueException(
          "maxSubscriberRateBps", maxRateBps, MIN_RATE_BPS + " to " + MAX_RATE_BPS);
    }
  }
}
