package net.sluice.lab.experiment.codelact;

import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.sluice.intents.compile.AqmTuning;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.marker.csaqm.tables.RateBins;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.marker.PolicyValueEntry;
import net.sluice.intents.plan.entry.marker.RandomRateEntry;
import net.sluice.intents.plan.entry.marker.RateBinEntry;
import net.sluice.intents.plan.entry.queue.CongestionThresholdEntry;
import net.sluice.intents.plan.entry.queue.Gain;

/**
 * Table entries that make a controller of PIE's kind of the program's value-based dropper: a
 * packet's value is a random number that depends on nothing, so that the port's threshold is the
 * probability of a drop, which the port's proportional-integral loop steers by the queue delay.
 *
 * <p>A packet is worth less than a threshold of {@code p} (as a part of all values) with the
 * probability {@code p} squared. That is PI2 (De Schepper et al., CoNEXT 2016), whose square takes
 * the place of the gains that PIE, RFC 8033, scales in steps with the probability: the rate that
 * TCP settles at goes with one over the root of the losses.
 */
final class PieEntries {
  private static final int VALUES = 1 << 16;
  private static final int LAST = RateBins.BINS - 1;

  /** Longer than any delay: the loop alone decides. */
  private static final long NEVER_MICROS = (1L << 32) - 1;

  private PieEntries() {}

  /**
   * The marker's entries for one policy: whatever is measured is in the last bin, of which a random
   * number takes off so much that each bin is met as often as squares demand, and a bin's value
   * lies in the middle of its part of all values.
   *
   * @param policySlot the policy, 0..63
   * @param rateKeyBits width of the measured rate
   */
  static Stream<SwitchEntry> marker(int policySlot, int rateKeyBits) {
    Stream<SwitchEntry> rates = Stream.of(new RateBinEntry(LAST, 0, (1L << rateKeyBits) - 1));
    Stream<SwitchEntry> numbers =
        IntStream.range(0, RateBins.BINS)
            .filter(bin -> firstNumber(bin) < firstNumber(bin + 1))
            .mapToObj(
                bin -> new RandomRateEntry(LAST - bin, firstNumber(bin), firstNumber(bin + 1) - 1));
    Stream<SwitchEntry> values =
        IntStream.range(0, RateBins.BINS)
            .mapToObj(
                bin ->
                    new PolicyValueEntry(
                        policySlot, bin, (2 * bin + 1) * VALUES / (2 * RateBins.BINS)));
    return Stream.of(rates, numbers, values).flatMap(part -> part);
  }

  /** How many random numbers are below a bin: the square of its part. */
  private static int firstNumber(int bin) {
    double part = (double) bin / RateBins.BINS;
    return (int) Math.round(RandomRates.NUMBERS * part * part);
  }

  /**
   * The port's loop: its gain for fast ports at any rate, as that is PI2's within a factor of 1.7
   * (a second of delay too much adds 14.9 a second, a second more delay adds 1.9; PI2 in RFC 9332
   * has 10 and 3.2), and no step beyond it.
   */
  static CongestionThresholdEntry port(int port, long rateBps, long targetMicros) {
    CongestionThresholdEntry usual = AqmTuning.forPort(port, rateBps);
    return new CongestionThresholdEntry(
        port,
        Gain.FAST,
        targetMicros,
        NEVER_MICROS,
        usual.periodMicros(),
        usual.idleMicros(),
        NEVER_MICROS);
  }
}
