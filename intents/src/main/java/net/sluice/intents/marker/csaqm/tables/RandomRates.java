package net.sluice.intents.marker.csaqm.tables;

import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.sluice.intents.plan.entry.marker.RandomRateEntry;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.intents.value.Ranges;

/**
 * How many bins a random number takes off the measured rate's bin (paper 000, section IV): a rate
 * drawn evenly from {@code [0, R]} is R times a random fraction, a subtraction in logarithms. The
 * switch draws 16 bits; fewer are the leading ones of these.
 */
public enum RandomRates {
  /**
   * The paper's: {@code y = round(-log_a(r / 255))} bins for {@code r} in 0..255; all bins for 0.
   * What is accepted comes in steps of 1/256 of the offer and is half a step too much on average,
   * so that whoever sends far more than its share gets more than it.
   */
  PAPER_8_BITS(8) {
    @Override
    public int offset(int random) {
      Ranges.require("random", random, 0, NUMBERS - 1);
      int leading = random / 256;
      return leading == 0
          ? RateBins.BINS - 1
          : (int) Math.round(Math.log(255.0 / leading) / Math.log(RateBins.BASE));
    }
  },

  /**
   * Without bias: {@code P(y >= k) = a^(1-k)} for k from 1 up, to the nearest of 65,536 parts.
   *
   * <p>A bin has the value of its upper end. A threshold of the value of rate X, in bin b, then
   * accepts the bins below b; a sender of rate R in bin {@code b + d} is accepted if at least
   * {@code d + 1} bins are taken off, with probability {@code a^-d}: X / R, if both are equally far
   * up their bins, and by less than half a bin more or less on average over where they are. Nobody
   * who sends less than X loses anything: at least one bin is taken off.
   */
  BITS_16(16) {
    @Override
    public int offset(int random) {
      Ranges.require("random", random, 0, NUMBERS - 1);
      int steps = (int) (Math.log(NUMBERS / (random + 0.5)) / Math.log(RateBins.BASE));
      return Math.min(RateBins.BINS - 1, 1 + steps);
    }
  },

  /**
   * As {@link #BITS_16}, but of a rate up to {@link #FORGIVEN_BINS} bins, 9 %, above its share
   * nothing is dropped either: at least so many bins and one are taken off. Above that a sender is
   * accepted with the same probability as there, so that a flood gets no more than its share. For
   * flows that vary around their rate, as TCP does; who sends steadily at 9 % above its share keeps
   * that.
   */
  BITS_16_FORGIVING(16) {
    @Override
    public int offset(int random) {
      return Math.max(1 + FORGIVEN_BINS, BITS_16.offset(random));
    }
  };

  /** Bins above its share at which {@link #BITS_16_FORGIVING} still accepts all of a sender. */
  public static final int FORGIVEN_BINS = 8;

  /** How many random numbers the switch draws from: 0..NUMBERS-1. */
  public static final int NUMBERS = 1 << 16;

  private final int bits;

  RandomRates(int bits) {
    this.bits = bits;
  }

  /** The one of so many random bits that forgives nothing. */
  public static RandomRates ofBits(int bits) {
    for (RandomRates each : values()) {
      if (each.bits == bits) {
        return each;
      }
    }
    throw new InvalidValueException("randomBits", bits, "8 or 16");
  }

  /** Random bits that count. */
  public int bits() {
    return bits;
  }

  /** Bins taken off for a random number, 0..{@link #NUMBERS}-1. */
  public abstract int offset(int random);

  /** One entry for each number of bins, by rising random number; they cover each number once. */
  public Stream<RandomRateEntry> entries() {
    int[] starts =
        IntStream.range(0, NUMBERS)
            .filter(random -> random == 0 || offset(random) != offset(random - 1))
            .toArray();
    return IntStream.range(0, starts.length)
        .mapToObj(
            i ->
                new RandomRateEntry(
                    offset(starts[i]),
                    starts[i],
                    (i + 1 < starts.length ? starts[i + 1] : NUMBERS) - 1));
  }
}
