package net.sluice.intents.profile;

import java.util.OptionalLong;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.value.InvalidValueException;

/**
 * How a switch's marker is laid out.
 *
 * @param maxRateBps R_max, the highest subscriber rate that it resolves, bit/s, {@link
 *     #MIN_RATE_BPS} to {@link #MAX_RATE_BPS}; by default as the cabling has it, see {@link
 *     #maxRateBps(Topology)}
 * @param randomRates thresholds of its random numbers
 */
public record MarkerSettings(OptionalLong maxRateBps, RandomRates randomRates) {
  /** Lowest R_max, bit/s. */
  public static final long MIN_RATE_BPS = 1_000_000L;

  /** Highest R_max, bit/s. */
  public static final long MAX_RATE_BPS = 100_000_000_000L;

  /** The R_max of the cabling, and all random bits. */
  public static final MarkerSettings DEFAULT =
      new MarkerSettings(OptionalLong.empty(), RandomRates.BITS_16);

  public MarkerSettings {
    maxRateBps.ifPresent(
        given -> {
          if (given < MIN_RATE_BPS || given > MAX_RATE_BPS) {
            throw new InvalidValueException(
                "maxSubscriberRateBps", given, MIN_RATE_BPS + " to " + MAX_RATE_BPS);
          }
        });
  }

  /** One with an R_max. */
  public MarkerSettings(long maxRateBps, RandomRates randomRates) {
    this(OptionalLong.of(maxRateBps), randomRates);
  }

  /**
   * R_max: the one that is given, else the rate of the fastest port to subscribers, to the core or
   * to another switch, as no subscriber gets more, whatever its limit is.
   */
  public long maxRateBps(Topology topology) {
    return maxRateBps.orElseGet(
        () ->
            topology.ports().stream()
                .filter(port -> port.role() != PortRole.SIDECAR)
                .mapToLong(port -> Math.max(MIN_RATE_BPS, Math.min(MAX_RATE_BPS, port.rateBps())))
                .max()
                .orElse(MAX_RATE_BPS));
  }
}
