package net.sluice.intents.marker.csaqm.tables;

import java.util.Objects;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.sluice.intents.plan.entry.marker.RateBinEntry;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.intents.value.Ranges;

/**
 * The marker's exponential rate bins (paper 000, section IV).
 *
 * <p>With {@code u = R_max / 100,000} and {@code a = 100,000^(1/1023)}, bin 0 is {@code [0, u)},
 * bin {@code i} is {@code [u*a^(i-1), u*a^i)}, and the last bin is open-ended. With R_max = 100
 * Gbit/s, {@code u} is the paper's 1 Mbit/s.
 *
 * <p>The paper's worked example uses {@code a} rounded to 1.0113, which puts 15 Mbit/s in bin 242;
 * but 1,024 bins of that base end at 98,230 Mbit/s, below R_max. The exact base, 1.01131765, covers
 * R_max and puts 15 Mbit/s in bin 241. Sluice uses the exact base.
 *
 * <p>On the switch a rate is a whole number of units. Key {@code k} is the rate {@code k} units and
 * belongs to the bin of that rate, so every key is in exactly one bin. Where bins are narrower than
 * a unit, a bin that contains no whole number of units has no keys and no entry; its rates are
 * measured as the nearest keys of its neighbours anyway.
 *
 * <p>A table that matches rates ternary, as a Tofino's, holds no ranges but blocks: {@code 2^k}
 * keys from a multiple of {@code 2^k} on, which is a value and a mask. A bin is then a few of them,
 * the fewer the rounder its edges are: with edges rounded to their leading {@code m} bits, none is
 * off by more than one part in {@code 2^m}, and 1,024 bins up to 100 Gbit/s take 3,225 blocks for
 * {@code m = 10}. Blocks do not overlap, so that their priorities do not matter.
 */
public final class RateBins {
  /** Number of bins. */
  public static final int BINS = 1024;

  /** R_max over the upper end of bin 0. */
  public static final double SPAN = 100_000;

  /** Ratio of neighbouring boundaries: the 1,023rd root of {@link #SPAN}. */
  public static final double BASE = Math.exp(Math.log(SPAN) / (BINS - 1));

  /** The fewest bits of an edge: with fewer, bins would lose all their keys. */
  private static final int LEAST_EDGE_BITS = 8;

  private static final int MOST_KEY_BITS = 62;

  private final double unitBps;
  private final long lastKey;
  private final boolean blocks;
  private final double[] upperBps = new double[BINS];
  private final long[] firstKey = new long[BINS + 1];

  /**
   * Lays out the bins for a table that matches ranges.
   *
   * @param maxRateBps R_max in bit/s
   * @param unitBps one unit of the measured rate in bit/s
   * @param keyBits width of the measured rate, 1..62
   */
  public RateBins(double maxRateBps, double unitBps, int keyBits) {
    this(maxRateBps, unitBps, keyBits, OptionalInt.empty());
  }

  /**
   * Lays out the bins.
   *
   * @param edgeBits leading bits that edges keep in a table that matches ternary, 8..62; empty for
   *     one that matches ranges
   */
  public RateBins(double maxRateBps, double unitBps, int keyBits, OptionalInt edgeBits) {
    this.unitBps = unitBps;
    this.lastKey = (1L << keyBits) - 1;
    this.blocks = edgeBits.isPresent();
    int kept = edgeBits.orElse(MOST_KEY_BITS);
    Ranges.require("edgeBits", kept, LEAST_EDGE_BITS, MOST_KEY_BITS);
    if (!(maxRateBps > 0 && maxRateBps <= unitBps * lastKey)) {
      throw new InvalidValueException(
          "maxRateBps", maxRateBps, "more than 0, at most " + unitBps * lastKey);
    }
    for (int i = 0; i < BINS; i++) {
      upperBps[i] = maxRateBps / SPAN * Math.pow(SPAN, (double) i / (BINS - 1));
    }
    for (int i = 1; i < BINS; i++) {
      long edge = Math.min(lastKey, (long) Math.ceil(upperBps[i - 1] / unitBps));
      firstKey[i] = Math.min(lastKey, rounded(edge, kept));
    }
    firstKey[BINS] = lastKey + 1;
  }

  /** The nearest number of which only the leading {@code bits} bits are set. */
  private static long rounded(long number, int bits) {
    int dropped = Long.SIZE - Long.numberOfLeadingZeros(number) - bits;
    return dropped <= 0 ? number : (number + (1L << dropped - 1)) >>> dropped << dropped;
  }

  /**
   * The bin of a rate given as a multiple of {@code u}, for any base: the formula behind the
   * paper's worked example. Without a last bin.
   */
  public static int binOf(double ratio, double base) {
    return ratio < 1 ? 0 : (int) Math.floor(Math.log(ratio) / Math.log(base)) + 1;
  }

  /** The rate of bin {@code i}'s upper end in bit/s; of the last bin, R_max. */
  public double upperBps(int bin) {
    return upperBps[bin];
  }

  /** The bin of a rate in bit/s, 0 or more. */
  public int binOfBps(double rateBps) {
    int low = 0;
    int high = BINS - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (rateBps < upperBps[middle]) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** The measured rate nearest to {@code rateBps}, in units, at most the highest the key holds. */
  public long keyOfBps(double rateBps) {
    return Math.min(lastKey, Math.round(rateBps / unitBps));
  }

  /** True if no key is in the bin. */
  public boolean isEmpty(int bin) {
    return firstKey[bin] == firstKey[bin + 1];
  }

  /**
   * One entry for each bin that has keys, or where entries are blocks the fewest it takes; by
   * rising keys. Together they cover each key once.
   */
  public Stream<RateBinEntry> entries() {
    return IntStream.range(0, BINS)
        .filter(bin -> !isEmpty(bin))
        .boxed()
        .flatMap(bin -> entries(bin, firstKey[bin], firstKey[bin + 1] - 1));
  }

  private Stream<RateBinEntry> entries(int bin, long low, long high) {
    return blocks
        ? Stream.iterate(
            block(bin, low, high),
            Objects::nonNull,
            last -> last.high() == high ? null : block(bin, last.high() + 1, high))
        : Stream.of(new RateBinEntry(bin, low, high));
  }

  /** The largest block that begins at {@code low} and ends at {@code high} or before. */
  private static RateBinEntry block(int bin, long low, long high) {
    long fitting = Long.highestOneBit(high - low + 1);
    long keys = low == 0 ? fitting : Math.min(fitting, Long.lowestOneBit(low));
    return new RateBinEntry(bin, low, low + keys - 1);
  }
}
