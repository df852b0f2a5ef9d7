package net.sluice.emulator.v1model.runtime;

/**
 * Seeded random numbers (SplitMix64, Steele, Lea and Flood 2014): the same seed gives the same
 * packets the same fate.
 */
public final class RandomSource {

  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  private long state;

  /** A source that depends on nothing but its seed. */
  public RandomSource(long seed) {
    state = seed;
  }

  private long next() {
    state += GOLDEN_GAMMA;
    long z = state;
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }

  /**
   * A uniform number from {@code low} to {@code high}, both included and unsigned, {@code low} not
   * above {@code high}.
   */
  public long between(long low, long high) {
    long span = high - low + 1;
    if ((span & span - 1) == 0) {
      // A power of two, or all 64-bit numbers when the span wraps to 0.
      return low + (next() & span - 1);
    }
    // Of the numbers below the largest multiple of the span every remainder is equally likely.
    long draw;
    long remainder;
    do {
      draw = next();
      remainder = Long.remainderUnsigned(draw, span);
    } while (Long.compareUnsigned(draw - remainder, -span) > 0);
    return low + remainder;
  }
}
