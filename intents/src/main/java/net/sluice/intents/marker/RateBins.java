package net.sluice.intents.marker;

import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.plan.SwitchEntry.RateBinEntry;

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
 */
public final class RateBins {
  /** Number of bins. */
  public static final int BINS = 1024;

  /** R_max over the upper end of bin 0. */
  public static final double SPAN = 100_000;

  /** Ratio of neighbouring boundaries: the 1,023rd root of {@link #SPAN}. */
  public static final double BASE = Math.exp(Math.log(SPAN) / (BINS - 1));

  private final double unitBps;
  private final long lastKey;
  private final double[] upperBps = new double[BINS];
  private final long[] firstKey = new long[BINS + 1];

  /**
   * Lays out the bins.
   *
   * @param maxRateBps R_max in bit/s
   * @param unitBps one unit of the measured rate in bit/s
   * @param keyBits width of the measured rate, 1..62
   */
  public RateBins(double maxRateBps, double unitBps, int keyBits) {
    this.unitBps = unitBps;
    this.lastKey = (1L << keyBits) - 1;
    if (!(maxRateBps > 0 && maxRateBps <= unitBps * lastKey)) {
      throw new InvalidValueException(
          "maxRateBps", maxRateBps, "more than 0, at most " + unitBps * lastKey);
    }
    for (int i = 0; i < BINS; i++) {
      upperBps[i] = maxRateBps / SPAN * Math.pow(SPAN, (double) i / (BINS - 1));
    }
    for (int i = 1; i < BINS; i++) {
      firstKey[i] = Math.min(lastKey, (long) Math.ceil(upperBps[i - 1] / unitBps));
    }
    firstKey[BINS] = lastKey + 1;
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

  /** One entry for each bin that has keys, by rising bin; together they cover each key once. */
  public Stream<RateBinEntry> entries() {
    return IntStream.range(0, BINS)
        .filter(bin -> !isEmpty(bin))
        .mapToObj(bin -> new RateBinEntry(bin, firstKey[bin], firstKey[bin + 1] - 1));
  }
}
