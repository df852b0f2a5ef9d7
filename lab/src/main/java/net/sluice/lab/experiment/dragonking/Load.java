package net.sluice.lab.experiment.dragonking;

import net.sluice.intents.plan.entry.limit.RateWord;

/**
 * Traffic in bursts, by limits of one rate: within a burst packets come at one rate, each of the
 * next limit in turn; between bursts nothing comes.
 *
 * @param limits number of subscribers, each with a limit of its own unless one is shared
 * @param askedBps rate asked for each, bit/s; what it gets is the nearest that the program knows
 * @param packetBytes length of every frame
 * @param leastBps least rate of a burst, bit/s
 * @param mostBps greatest
 * @param leastNanos least time that a burst lasts; 0 if it lasts until the mean is that of all
 *     limits together
 * @param mostNanos greatest
 * @param gapNanos time between bursts
 * @param shared whether one limit is of all together
 * @param pairs part of the packets after which the same limit's next one comes at once, 0..1
 */
record Load(
    int limits,
    long askedBps,
    int packetBytes,
    double leastBps,
    double mostBps,
    long leastNanos,
    long mostNanos,
    long gapNanos,
    boolean shared,
    double pairs) {
  /** Rate of the paper's lines. */
  static final long LINE_BPS = 100_000_000_000L;

  private static final double MILLION = 1e6;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int BITS_PER_BYTE = 8;

  /** So many of the lines that bursts come from carry the aggregate with bursts at half of each. */
  private static final double AGGREGATE_A_LINE_BPS = 40e9;

  /** Two packets of a limit in one go, now and then: the second has to wait for the whole gap. */
  private static final double PAIRS = 0.001;

  /**
   * Bursts at 50 to 100 % of as many lines as the aggregate needs, whose mean is the aggregate.
   *
   * @param aggregateBps of all limits, at least that of one
   */
  static Load of(long aggregateBps, long limitBps, int packetBytes, long gapNanos) {
    double lines = Math.ceil(aggregateBps / AGGREGATE_A_LINE_BPS);
    return new Load(
        Math.toIntExact(aggregateBps / limitBps),
        limitBps,
        packetBytes,
        lines * LINE_BPS / 2,
        lines * LINE_BPS,
        0,
        0,
        gapNanos,
        false,
        PAIRS);
  }

  /**
   * The paper's bursts (section V, "Bursty Settings") before one limit: 1 to 20 ms.
   *
   * @param subscribers that share the limit
   */
  static Load published(int subscribers, long limitBps, int packetBytes, long gapNanos) {
    return new Load(
        subscribers,
        limitBps,
        packetBytes,
        LINE_BPS / 2.0,
        LINE_BPS,
        Math.round(MILLION),
        Math.round(20 * MILLION),
        gapNanos,
        true,
        0);
  }

  /** The rate of each limit as the program has it. */
  int rateWord() {
    return RateWord.nearest(askedBps);
  }

  /** L / R: time that a packet takes at the limit's rate, nanoseconds, as the program has it. */
  double spacingNanos() {
    return (double) RateWord.elapsed(rateWord(), packetBytes) / RateWord.UNITS_PER_NANO;
  }

  /** Rate of a limit in the program, bit/s. */
  double limitBps() {
    return packetBits() * NANOS_PER_SECOND / spacingNanos();
  }

  /** Rate of all limits together in the program, bit/s. */
  double aggregateBps() {
    return shared ? limitBps() : limits * limitBps();
  }

  /** Bits of a packet. */
  long packetBits() {
    return (long) packetBytes * BITS_PER_BYTE;
  }

  /** The limit that a subscriber's packets are under, from 0. */
  int limitOf(int subscriber) {
    return shared ? 0 : subscriber;
  }
}
