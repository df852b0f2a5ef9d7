package net.sluice.emulator.netsim;

import java.util.SplittableRandom;

/**
 * Pseudo-random numbers that are the same on every machine for the same seed (SplitMix64, Steele,
 * Lea and Flood 2014). One stream per consumer keeps consumers independent of each other's order of
 * drawing. Not thread-safe.
 */
public final class Prng {

  /** Keeps the streams of consecutive ids apart. */
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  private final SplittableRandom random;

  /** A stream that is a function of its seed alone. */
  public Prng(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /** A stream of its own for one of several consumers that share a seed. */
  public static Prng stream(long seed, long streamId) {
    return new Prng(
        new Prng(seed).nextLong() ^ new Prng((streamId - 1) * GOLDEN_GAMMA + 1).nextLong());
  }

  /** Uniform over all 64-bit values. */
  public long nextLong() {
    return random.nextLong();
  }

  /** Uniform in [0, 1), a multiple of 2^-53. */
  public double nextDouble() {
    return (nextLong() >>> 11) * 0x1.0p-53;
  }

  /** Uniform in [0, bound). The bias is below bound / 2^64. */
  public long nextLong(long bound) {
    if (bound <= 0) {
      throw new IllegalArgumentException("bound " + bound + ": must be positive");
    }
    long r = nextLong();
    // High half of the unsigned 128-bit product r * bound; bound is positive, so only r needs the
    // correction.
    return Math.multiplyHigh(r, bound) + ((r >> 63) & bound);
  }

  /**
   * Exponentially distributed with mean 1. StrictMath, so that every machine draws the same value.
   */
  public double nextExponential() {
    return -StrictMath.log(1.0 - nextDouble());
  }
}
