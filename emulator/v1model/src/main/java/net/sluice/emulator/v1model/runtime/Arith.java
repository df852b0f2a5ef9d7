package net.sluice.emulator.v1model.runtime;

import java.math.BigInteger;

/**
 * Arithmetic of compiled programs that Java has no operators for. Numbers too large for a {@code
 * long} are {@link BigInteger}s.
 */
public final class Arith {

  private static final BigInteger TWO_64 = BigInteger.ONE.shiftLeft(64);

  private Arith() {}

  /** Left shift by any unsigned distance. */
  public static long shl(long value, long distance) {
    return distance >= 0 && distance < 64 ? value << distance : 0;
  }

  /** Right shift of a signed number by any unsigned distance. */
  public static long sar(long value, long distance) {
    return distance >= 0 && distance < 64 ? value >> distance : value >> 63;
  }

  /** Right shift of an unsigned number by any unsigned distance. */
  public static long shr(long value, long distance) {
    return distance >= 0 && distance < 64 ? value >>> distance : 0;
  }

  /** The second of two limbs of a left shift by any unsigned distance. */
  public static long shl(long high, long low, long distance) {
    if (distance <= 0 || distance >= 64) {
      return distance == 0 ? high : shl(low, distance - 64);
    }
    return high << distance | low >>> (64 - distance);
  }

  /** The first of two limbs of a right shift of an unsigned number by any unsigned distance. */
  public static long shr(long high, long low, long distance) {
    if (distance <= 0 || distance >= 64) {
      return distance == 0 ? low : shr(high, distance - 64);
    }
    return low >>> distance | high << (64 - distance);
  }

  /** The first of two limbs of a right shift of a signed number by any unsigned distance. */
  public static long sar(long high, long low, long distance) {
    if (distance <= 0 || distance >= 64) {
      return distance == 0 ? low : sar(high, distance - 64);
    }
    return low >>> distance | high << (64 - distance);
  }

  /** 1 if an unsigned number is less than another, else 0: a carry or borrow. */
  public static long carry(long a, long b) {
    return Long.compareUnsigned(a, b) < 0 ? 1 : 0;
  }

  /** The upper 64 bits of the product of two unsigned numbers. */
  public static long highProduct(long a, long b) {
    return Math.multiplyHigh(a, b) + (a >> 63 & b) + (b >> 63 & a);
  }

  /** Clamps a signed number to {@code 0..max}. */
  public static long usat(long value, long max) {
    return value < 0 ? 0 : Math.min(value, max);
  }

  /** Clamps a signed number to {@code min..max}. */
  public static long sat(long value, long min, long max) {
    return value < min ? min : Math.min(value, max);
  }

  /** The smaller of two unsigned numbers. */
  public static long minUnsigned(long a, long b) {
    return Long.compareUnsigned(a, b) <= 0 ? a : b;
  }

  /**
   * The value of a signed field of at most 63 bits after a store: as in bmv2, numbers that fit its
   * bits as unsigned stay as they are and all others wrap.
   */
  public static long signedStore(long value, int widthBits) {
    long min = -1L << (widthBits - 1);
    long mask = (1L << widthBits) - 1;
    return value < min || value > mask ? value << (64 - widthBits) >> (64 - widthBits) : value;
  }

  /** An unsigned 64-bit number. */
  public static BigInteger unsigned(long value) {
    BigInteger big = BigInteger.valueOf(value);
    return value < 0 ? big.add(TWO_64) : big;
  }

  /**
   * A number from its 64-bit limbs, the least significant first; the last one carries the sign if
   * {@code signed}.
   */
  public static BigInteger fromLimbs(boolean signed, long[] limbs) {
    long top = limbs[limbs.length - 1];
    BigInteger value = signed ? BigInteger.valueOf(top) : unsigned(top);
    for (int i = limbs.length - 2; i >= 0; i--) {
      value = value.shiftLeft(64).or(unsigned(limbs[i]));
    }
    return value;
  }

  /** The {@code i}-th 64-bit limb of a number's two's complement. */
  public static long limb(BigInteger value, int i) {
    return value.shiftRight(64 * i).longValue();
  }

  /** Division of a number of at least 0 by one of at least 1. */
  public static long quotient(long dividend, long divisor, String place) {
    if (dividend < 0 || divisor <= 0) {
      throw division(dividend, divisor, place);
    }
    return dividend / divisor;
  }

  /** Remainder of a number of at least 0 by one of at least 1. */
  public static long remainder(long dividend, long divisor, String place) {
    if (dividend < 0 || divisor <= 0) {
      throw division(dividend, divisor, place);
    }
    return dividend % divisor;
  }

  /** Division of unsigned numbers. */
  public static long unsignedQuotient(long dividend, long divisor, String place) {
    if (divisor == 0) {
      throw division(Long.toUnsignedString(dividend), divisor, place);
    }
    return Long.divideUnsigned(dividend, divisor);
  }

  /** Remainder of unsigned numbers. */
  public static long unsignedRemainder(long dividend, long divisor, String place) {
    if (divisor == 0) {
      throw division(Long.toUnsignedString(dividend), divisor, place);
    }
    return Long.remainderUnsigned(dividend, divisor);
  }

  /** Division of a number of at least 0 by one of at least 1. */
  public static BigInteger quotient(BigInteger dividend, BigInteger divisor, String place) {
    if (dividend.signum() < 0 || divisor.signum() <= 0) {
      throw division(dividend, divisor, place);
    }
    return dividend.divide(divisor);
  }

  /** Remainder of a number of at least 0 by one of at least 1. */
  public static BigInteger remainder(BigInteger dividend, BigInteger divisor, String place) {
    if (dividend.signum() < 0 || divisor.signum() <= 0) {
      throw division(dividend, divisor, place);
    }
    return dividend.mod(divisor);
  }

  private static ProgramFailure division(Object dividend, Object divisor, String place) {
    return new ProgramFailure(
        "%s: %s divided by %s; only numbers from 0 can be divided, by numbers from 1"
            .formatted(place, dividend, divisor));
  }

  /** A signed number as a shift distance. */
  public static long distance(long distance, String place) {
    if (distance < 0) {
      throw new ProgramFailure(place + ": shift by " + distance + ", which is negative");
    }
    return distance;
  }

  /** A number as a shift distance, saturated to a {@code long}. */
  public static long distance(BigInteger distance, String place) {
    if (distance.signum() < 0) {
      throw new ProgramFailure(place + ": shift by " + distance + ", which is negative");
    }
    return distance.bitLength() < 64 ? distance.longValue() : Long.MAX_VALUE;
  }

  /** A signed number that must not be negative. */
  public static long count(long number, String what) {
    if (number < 0) {
      throw new ProgramFailure(what + " " + number + ", which is negative");
    }
    return number;
  }

  /** The low 64 bits of a number that must not be negative. */
  public static long count(BigInteger number, String what) {
    if (number.signum() < 0) {
      throw new ProgramFailure(what + " " + number + ", which is negative");
    }
    return number.longValue();
  }

  /** A signed number as a step number, saturated to an {@code int}. */
  public static int step(long step) {
    return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, step));
  }

  /** An unsigned number as a step number, saturated to an {@code int}. */
  public static int unsignedStep(long step) {
    return step < 0 ? Integer.MAX_VALUE : step(step);
  }

  /** A number as a step number, saturated to an {@code int}. */
  public static int step(BigInteger step) {
    return step.bitLength() < 64
        ? step(step.longValue())
        : step.signum() < 0 ? Integer.MIN_VALUE : Integer.MAX_VALUE;
  }

  /** The lowest {@code bits} bits, or more, of a left shift by any unsigned distance. */
  public static BigInteger shl(BigInteger value, long distance, int bits) {
    return distance < 0 || distance >= bits ? BigInteger.ZERO : value.shiftLeft((int) distance);
  }

  /** Left shift by any unsigned distance; fails if the result has more than 2^31 - 1 bits. */
  public static BigInteger shlWhole(BigInteger value, long distance, String place) {
    if (value.signum() == 0) {
      return value;
    }
    if (distance < 0 || distance > Integer.MAX_VALUE - value.bitLength()) {
      throw new ProgramFailure(
          "%s: shift by %s, which makes a number of more than %s bits"
              .formatted(place, Long.toUnsignedString(distance), Integer.MAX_VALUE));
    }
    return value.shiftLeft((int) distance);
  }

  /** Left shift, the distance unsigned and at most 65,535. */
  public static BigInteger shl(BigInteger value, long distance) {
    return value.shiftLeft((int) distance);
  }

  /** Right shift by any unsigned distance. */
  public static BigInteger shr(BigInteger value, long distance) {
    return value.shiftRight(
        distance < 0 || distance > Integer.MAX_VALUE ? Integer.MAX_VALUE : (int) distance);
  }

  /** Wraps a number to two's complement of a width. */
  public static BigInteger twoComplement(BigInteger value, int widthBits) {
    BigInteger size = BigInteger.ONE.shiftLeft(widthBits);
    BigInteger wrapped = value.and(size.subtract(BigInteger.ONE));
    return wrapped.testBit(widthBits - 1) ? wrapped.subtract(size) : wrapped;
  }

  /** Truncates a number to a width computed at run time. */
  private static long widthOf(long width) {
    return width & 0xffffffffL;
  }

  /** Wraps a number to two's complement of a width; unchanged if the width is 0. */
  public static long wrapTo(long value, long width) {
    long bits = widthOf(width);
    return bits == 0 || bits >= 64 ? value : value << (64 - bits) >> (64 - bits);
  }

  /** The same of a number of any size. */
  public static BigInteger wrapTo(BigInteger value, long width) {
    long bits = widthOf(width);
    return bits == 0 || value.bitLength() < bits ? value : twoComplement(value, (int) bits);
  }

  /** Clamps a number to the unsigned numbers of a width. */
  public static long usatTo(long value, long width) {
    long bits = widthOf(width);
    return usat(value, bits >= 63 ? Long.MAX_VALUE : (1L << bits) - 1);
  }

  /** The same of a number of any size. */
  public static BigInteger usatTo(BigInteger value, long width) {
    long bits = widthOf(width);
    return value.signum() < 0
        ? BigInteger.ZERO
        : value.bitLength() <= bits ? value : usat(value, (int) bits);
  }

  /** Clamps a number to the signed numbers of a width; unchanged if the width is 0. */
  public static long satTo(long value, long width) {
    long bits = widthOf(width);
    return bits == 0 || bits >= 64 ? value : sat(value, -1L << (bits - 1), ~(-1L << (bits - 1)));
  }

  /** The same of a number of any size. */
  public static BigInteger satTo(BigInteger value, long width) {
    long bits = widthOf(width);
    return bits == 0 || value.bitLength() < bits ? value : sat(value, (int) bits);
  }

  /** Clamps a number to the unsigned numbers of a width. */
  public static BigInteger usat(BigInteger value, int widthBits) {
    BigInteger max = BigInteger.ONE.shiftLeft(widthBits).subtract(BigInteger.ONE);
    return value.signum() < 0 ? BigInteger.ZERO : value.min(max);
  }

  /** Clamps a number to the signed numbers of a width. */
  public static BigInteger sat(BigInteger value, int widthBits) {
    BigInteger max = BigInteger.ONE.shiftLeft(widthBits - 1).subtract(BigInteger.ONE);
    return value.min(max).max(max.not());
  }
}
