package net.sluice.intents.marker.aggregate;

import net.sluice.intents.model.aggregate.Aggregate;
import net.sluice.intents.model.aggregate.AggregateMarker;
import net.sluice.intents.plan.entry.marker.MarkingSetting;

/** A contract in a switch's numbers. */
public final class AggregateTuning {
  /** Units of a logarithm in a factor of two. */
  public static final int LOG_UNIT = 1_024;

  /** Tokens in a bit. */
  private static final double TOKENS_PER_BIT = 1 << 20;

  private static final double MICROS = 1e6;
  private static final int MAX_TIME_SHIFT = 6;

  /** The highest rate that a filter can tell. */
  private static final double MAX_UNITS = (1L << 32) - 1;

  /** Room above the contract's rate for F-SAM's admitted rate while it learns the fair one. */
  private static final int ADMITTED_HEADROOM = 2;

  private final double rateUnitBps;
  private final double timeConstantMillis;
  private final long fastestBps;

  /**
   * Numbers of a switch.
   *
   * @param rateUnitBps unit of its rate filter, which counts half bytes
   * @param fastestBps the most that packets of one contract can come in with
   */
  public AggregateTuning(double rateUnitBps, long fastestBps) {
    this.rateUnitBps = rateUnitBps;
    this.fastestBps = fastestBps;
    // A unit is half a byte in a time constant.
    this.timeConstantMillis = 4 / rateUnitBps * 1e3;
  }

  /** The setting of a contract. */
  public MarkingSetting setting(Aggregate aggregate) {
    long fill = Math.round(aggregate.cirBps() / MICROS * TOKENS_PER_BIT);
    long burst = aggregate.burstBits() << 20;
    if (aggregate.marker() instanceof AggregateMarker.Tsw2cm tsw) {
      int shift = timeShift(aggregate, tsw.averagingMillis());
      return new MarkingSetting.Tsw2cm(log(units(aggregate.cirBps(), shift)), shift);
    } else if (aggregate.marker() instanceof AggregateMarker.Pam pam) {
      long least = Math.round(pam.least() * aggregate.burstBits());
      long most = Math.round(pam.most() * aggregate.burstBits());
      return new MarkingSetting.Pam(
          fill, burst, least, most, log((most - least) / pam.probability()), pam.weightShift());
    } else if (aggregate.marker() instanceof AggregateMarker.Fsam fsam) {
      int shift = timeShift(aggregate, fsam.averagingMillis());
      double units = units(aggregate.cirBps(), shift);
      return new MarkingSetting.Fsam(
          fill, burst, Math.round(units), log(units), shift, fsam.windowMillis() * 1_000L);
    }
    return new MarkingSetting.TokenBucket(fill, burst);
  }

  /** The time constant that the switch has for one asked for, ms. */
  public double grantedAveragingMillis(Aggregate aggregate, int averagingMillis) {
    return timeConstantMillis * (1 << timeShift(aggregate, averagingMillis));
  }

  /** A logarithm as the switch has it, of a number of at least 1. */
  public static int log(double number) {
    return (int) Math.round(LOG_UNIT * Math.log(number) / Math.log(2));
  }

  private double units(long rateBps, int timeShift) {
    return rateBps / rateUnitBps * (1 << timeShift);
  }

  /**
   * Halvings of the filter's clock that come nearest, by their ratio. Each halves the rates that it
   * can tell: TSW2CM divides by what arrives, F-SAM by what is admitted.
   */
  private int timeShift(Aggregate aggregate, int averagingMillis) {
    long highestBps =
        aggregate.marker() instanceof AggregateMarker.Tsw2cm
            ? fastestBps
            : ADMITTED_HEADROOM * aggregate.cirBps();
    double most = Math.floor(Math.log(MAX_UNITS / units(highestBps, 0)) / Math.log(2));
    double halvings = Math.log(averagingMillis / timeConstantMillis) / Math.log(2);
    return (int) Math.max(0, Math.min(Math.min(MAX_TIME_SHIFT, most), Math.round(halvings)));
  }
}
