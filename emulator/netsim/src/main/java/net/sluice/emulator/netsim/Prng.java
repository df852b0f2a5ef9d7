package net.sluice.emulator.netsim;

/**
 * Pseudo-random numbers that are the same on every machine for the same seed (SplitMix64: a Weyl
 * sequence through a 64-bit mixing function). One stream per consumer keeps consumers independent
 * of each other's order of drawing. Not thread-safe.
 */
public final class Prng {

  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  private long state;

  /** A stream that is a function of its seed alone. */
  public Prng(long seed) {
    this.state = seed;
  }

  /** A stream of its own for one of several consumers that share a seed. */
  public static Prng stream(long seed, long streamId) {
    return new Prng(mix(seed + GOLDEN_GAMMA) ^ mix(streamId * GOLDEN_GAMMA + 1));
  }

  /** Uniform over all 64-bit values. */
  public long nextLong() {
    state += GOLDEN_GAMMA;
    return mix(state);
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

  private static long mix(long z) {
    long a = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    long b = (a ^ (a >>> 27)) * 0x94D049BB133111EBL;
    return b ^ (b >>> 31);
  }
}
