package net.sluice.emulator.v1model.runtime;

import java.util.SplittableRandom;

/**
 * Seeded random numbers (SplitMix64, Steele, Lea and Flood 2014): the same seed gives the same
 * packets the same fate.
 */
public final class RandomSource {

  private final SplittableRandom random;

  /** A source that depends on nothing but its seed. */
  public RandomSource(long seed) {
    random = new SplittableRandom(seed);
  }

  /**
   * A uniform number from {@code low} to {@code high}, both included and unsigned, {@code low} not
   * above {@code high}.
   */
  public long between(long low, long high) {
    long span = high - low + 1;
    if ((span & span - 1) == 0) {
      // A power of two, or all 64-bit numbers when the span wraps to 0.
      return low + (random.nextLong() & span - 1);
    }
    // Of the numbers below the largest multiple of the span every remainder is equally likely.
    long draw;
    long remainder;
    do {
      draw = random.nextLong();
      remainder = Long.remainderUnsigned(draw, span);
    } while (Long.compareUnsigned(draw - remainder, -span) > 0);
    return low + remainder;
  }
}
