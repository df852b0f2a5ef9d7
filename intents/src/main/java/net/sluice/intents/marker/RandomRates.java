package net.sluice.intents.marker;

import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.sluice.intents.model.Ranges;
import net.sluice.intents.plan.SwitchEntry.RandomRateEntry;

/**
 * How many bins a random number takes off the measured rate's bin (paper 000, section IV): a rate
 * drawn evenly from {@code [0, R]} is {@code R * random/255}, a subtraction in logarithms.
 */
public final class RandomRates {
  /** Random numbers are 0..MAX_RANDOM. */
  public static final int MAX_RANDOM = 255;

  private RandomRates() {}

  /** {@code round(-log_a(random/255))} bins; all of them for 0. */
  public static int offset(int random) {
    Ranges.require("random", random, 0, MAX_RANDOM);
    if (random == 0) {
      return RateBins.BINS - 1;
    }
    return (int) Math.round(Math.log((double) MAX_RANDOM / random) / Math.log(RateBins.BASE));
  }

  /** The entries for all random numbers. */
  public static Stream<RandomRateEntry> entries() {
    return IntStream.rangeClosed(0, MAX_RANDOM)
        .mapToObj(random -> new RandomRateEntry(random, offset(random)));
  }
}
