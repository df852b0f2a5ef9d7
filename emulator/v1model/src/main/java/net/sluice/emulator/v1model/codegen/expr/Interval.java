package net.sluice.emulator.v1model.codegen.expr;

import java.math.BigInteger;

/**
 * The range of an expression's values, {@code min} to {@code max}, which decides how it is
 * computed.
 */
public record Interval(BigInteger min, BigInteger max) {

  private static final BigInteger LONG_MIN = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger LONG_MAX = BigInteger.valueOf(Long.MAX_VALUE);
  private static final BigInteger ULONG_MAX = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);

  /** Largest shift distance considered; beyond it the range is unbounded. */
  static final int MAX_SHIFT = 1 << 16;

  /** Bits of a number without a bound. */
  private static final int ENDLESS_BITS = 1 << 17;

  private static final BigInteger ENDLESS = BigInteger.ONE.shiftLeft(ENDLESS_BITS);

  /** All numbers of at least 0. */
  static final Interval NATURAL = new Interval(BigInteger.ZERO, ENDLESS);

  public static Interval of(long min, long max) {
    return new Interval(BigInteger.valueOf(min), BigInteger.valueOf(max));
  }

  public static Interval unsigned(int widthBits) {
    return new Interval(
        BigInteger.ZERO, BigInteger.ONE.shiftLeft(widthBits).subtract(BigInteger.ONE));
  }

  public static Interval signed(int widthBits) {
    BigInteger half = BigInteger.ONE.shiftLeft(widthBits - 1);
    return new Interval(half.negate(), half.subtract(BigInteger.ONE));
  }

  public boolean fitsLong() {
    return min.compareTo(LONG_MIN) >= 0 && max.compareTo(LONG_MAX) <= 0;
  }

  boolean fitsUnsignedLong() {
    return min.signum() >= 0 && max.compareTo(ULONG_MAX) <= 0;
  }

  public boolean within(Interval other) {
    return min.compareTo(other.min) >= 0 && max.compareTo(other.max) <= 0;
  }

  boolean isNonNegative() {
    return min.signum() >= 0;
  }

  /** Bits of a two's complement that holds all of it, the sign not counted. */
  int bits() {
    return Math.max(min.bitLength(), max.bitLength());
  }

  Interval union(Interval other) {
    return new Interval(min.min(other.min), max.max(other.max));
  }

  Interval plus(Interval other) {
    return new Interval(min.add(other.min), max.add(other.max));
  }

  Interval minus(Interval other) {
    return new Interval(min.subtract(other.max), max.subtract(other.min));
  }

  Interval times(Interval other) {
    BigInteger a = min.multiply(other.min);
    BigInteger b = min.multiply(other.max);
    BigInteger c = max.multiply(other.min);
    BigInteger d = max.multiply(other.max);
    return new Interval(a.min(b).min(c).min(d), a.max(b).max(c).max(d));
  }

  Interval dividedBy(BigInteger positive) {
    return isEndless() ? this : new Interval(min.divide(positive), max.divide(positive));
  }

  /** Whether a bound is so far from 0 that only the sign is known. */
  private boolean isEndless() {
    return bits() >= ENDLESS_BITS - 1;
  }

  Interval and(Interval other) {
    if (isNonNegative() && other.isNonNegative()) {
      return new Interval(BigInteger.ZERO, max.min(other.max));
    }
    if (isNonNegative()) {
      return new Interval(BigInteger.ZERO, max);
    }
    if (other.isNonNegative()) {
      return new Interval(BigInteger.ZERO, other.max);
    }
    return signed(Math.max(bits(), other.bits()) + 1);
  }

  Interval orXor(Interval other) {
    int bits = Math.max(bits(), other.bits());
    return isNonNegative() && other.isNonNegative() ? unsigned(bits) : signed(bits + 1);
  }

  Interval not() {
    return new Interval(max.not(), min.not());
  }

  Interval shiftedLeft(Interval distance) {
    int most = distance.clippedMax();
    int least = distance.min.min(BigInteger.valueOf(MAX_SHIFT)).intValue();
    if (most == MAX_SHIFT) {
      return new Interval(
          min.signum() < 0 ? min.min(ENDLESS.negate()) : BigInteger.ZERO,
          max.signum() > 0 ? max.max(ENDLESS) : BigInteger.ZERO);
    }
    return new Interval(
        min.shiftLeft(min.signum() < 0 ? most : least),
        max.shiftLeft(max.signum() < 0 ? least : most));
  }

  Interval shiftedRight(Interval distance) {
    int most = distance.clippedMax();
    int least = distance.min.min(BigInteger.valueOf(MAX_SHIFT)).intValue();
    if (isEndless()) {
      return new Interval(
          min.min(BigInteger.ZERO), max.signum() < 0 ? BigInteger.ONE.negate() : max);
    }
    return new Interval(
        min.shiftRight(min.signum() < 0 ? least : most),
        max.shiftRight(max.signum() < 0 ? most : least));
  }

  Interval clampedTo(Interval other) {
    return new Interval(min.max(other.min).min(other.max), max.min(other.max).max(other.min));
  }

  private int clippedMax() {
    return max.min(BigInteger.valueOf(MAX_SHIFT)).intValue();
  }
}
