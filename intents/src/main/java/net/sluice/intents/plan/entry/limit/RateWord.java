package net.sluice.intents.plan.entry.limit;

import java.util.Locale;
import java.util.function.ToLongFunction;
import net.sluice.intents.plan.form.EntryFields;
import net.sluice.intents.plan.form.NumberField;
import net.sluice.intents.value.InvalidValueException;

/**
 * The rate of a limit that a switch shapes, in 16 bits: 8 Gbit/s * 2^(word / 256 - 18). So a rate
 * is kept to {@link #STEP}, and how long a packet takes is a product of two powers of two. Word 0
 * is no limit.
 */
public final class RateWord {
  /** The lowest rate that a limit can have, in bit/s. */
  public static final long MIN_RATE_BPS = 60_000;

  /** The highest rate that a limit can have, in bit/s. */
  public static final long MAX_RATE_BPS = 100_000_000_000L;

  /** Word of no limit. */
  public static final int UNLIMITED = 0;

  private static final int FRACTION_BITS = 8;
  private static final int WORDS_PER_OCTAVE = 1 << FRACTION_BITS;

  /** A rate over the next lower one: 0.27 % more. */
  public static final double STEP = Math.pow(2, 1.0 / WORDS_PER_OCTAVE);

  /** Bits of a packet's time in the program: 32 to the nanosecond. */
  public static final int UNITS_PER_NANO = 32;

  private static final int BASE_OCTAVES = 18;
  private static final double BASE_BPS = 8e9 / (1 << BASE_OCTAVES);

  private RateWord() {}

  /**
   * The word whose rate is nearest to one.
   *
   * @param rateBps {@link #MIN_RATE_BPS} to {@link #MAX_RATE_BPS}
   * @throws InvalidValueException if it is out of range
   */
  public static int nearest(long rateBps) {
    if (rateBps < MIN_RATE_BPS || rateBps > MAX_RATE_BPS) {
      throw new InvalidValueException("rateBps", rateBps, MIN_RATE_BPS + " to " + MAX_RATE_BPS);
    }
    return (int) Math.round(Math.log(rateBps / BASE_BPS) / Math.log(2) * WORDS_PER_OCTAVE);
  }

  /**
   * The word of the lowest rate that is not below one: at most {@link #STEP} above it.
   *
   * @param rateBps {@link #MIN_RATE_BPS} to {@link #MAX_RATE_BPS}
   * @throws InvalidValueException if it is out of range
   */
  public static int of(long rateBps) {
    int nearest = nearest(rateBps);
    return rateBps(nearest) < rateBps ? nearest + 1 : nearest;
  }

  /** The rate of a word other than {@link #UNLIMITED}, to the nearest bit/s. */
  public static long rateBps(int word) {
    return Math.round(BASE_BPS * Math.pow(2, (double) word / WORDS_PER_OCTAVE));
  }

  /** Entry {@code fraction}, 0..255, of the program's table: 2^(-fraction/256) in 1/65536. */
  public static int mantissa(int fraction) {
    return (int) Math.round((1 << 16) * Math.pow(2, -(double) fraction / WORDS_PER_OCTAVE));
  }

  /**
   * How long a frame takes, exactly as the program for v1model counts it, in 1/{@value
   * #UNITS_PER_NANO} ns; 0 for {@link #UNLIMITED}.
   *
   * @param bytes 0..65535
   */
  public static long elapsed(int word, int bytes) {
    if (word == UNLIMITED) {
      return 0;
    }
    long product = (long) bytes * mantissa(word & (WORDS_PER_OCTAVE - 1));
    return ((product << FRACTION_BITS >> (word >> FRACTION_BITS)) + 1) >> 1;
  }

  /** The field of a rate in an entry; people are told the rate itself, and none if unlimited. */
  static <E> NumberField<E> field(EntryFields<E> fields, ToLongFunction<E> word) {
    return fields.number(
        "rateWord",
        word,
        (entry, sink) -> {
          int of = (int) word.applyAsLong(entry);
          if (of != UNLIMITED) {
            sink.number("rateBps", rateBps(of));
          }
        });
  }

  /** By how much rates differ: {@code 0.27 %}. */
  public static String stepText() {
    return String.format(Locale.ROOT, "%.2f %%", (STEP - 1) * 100);
  }
}
