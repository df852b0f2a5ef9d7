package net.sluice.intents.plan;

/**
 * How a switch marks the packets of an aggregate, in its own numbers. Tokens are in 2^-20 bit,
 * rates in the unit of the rate filter, logarithms are 1,024 times those to base 2.
 */
public sealed interface MarkingSetting {
  /**
   * IN while there are tokens.
   *
   * @param fill tokens per microsecond, 40 bits
   * @param burst most tokens, 52 bits
   */
  record TokenBucket(long fill, long burst) implements MarkingSetting {}

  /**
   * IN with the probability CIR over the averaged rate.
   *
   * @param cirLog logarithm of the committed rate in the unit of the slowed filter
   * @param timeShift halvings of the filter's clock
   */
  record Tsw2cm(int cirLog, int timeShift) implements MarkingSetting {}

  /**
   * OUT with a probability that falls as the averaged tokens grow.
   *
   * @param fill tokens per microsecond, 40 bits
   * @param burst most tokens, 52 bits
   * @param leastBits averaged tokens up to which all is OUT, bits
   * @param mostBits from which on all is IN
   * @param scaleLog logarithm of the distance of both, in bits, over the probability at the lower
   * @param averageShift weight of a packet in the average, 2^-shift
   */
  record Pam(long fill, long burst, long leastBits, long mostBits, int scaleLog, int averageShift)
      implements MarkingSetting {}

  /**
   * IN with the probability fair rate over the flow's rate.
   *
   * @param fill tokens per microsecond, 40 bits
   * @param burst most tokens, 52 bits
   * @param cirRate the committed rate in the unit of the slowed filter, 32 bits
   * @param cirLog its logarithm
   * @param timeShift halvings of the clock of the aggregate's rates
   * @param windowMicros time between corrections of the fair rate
   */
  record Fsam(long fill, long burst, long cirRate, int cirLog, int timeShift, long windowMicros)
      implements MarkingSetting {}
}
