package net.sluice.intents.share;

import java.util.List;
import net.sluice.intents.model.policy.ThroughputValueFunction;
import net.sluice.intents.value.InvalidValueException;

/**
 * How core-stateless resource sharing divides a link (paper 000, section III): the link carries the
 * packets of the highest values, so there is one value V* such that every subscriber gets the rate
 * at which its throughput-value function falls to V*, or what it offers if that is less.
 *
 * <p>Works on the continuous curves, not on the marker's bins, and knows nothing of the compiler:
 * it is what measurements are compared with. Where a curve is clamped, a whole range of rates has
 * the same value; if V* is that value, each such subscriber keeps the same part of that range.
 */
public final class WaterFilling {
  private WaterFilling() {}

  /**
   * Subscribers that are alike.
   *
   * @param count how many, 0 or more
   * @param demandBps what each offers after its rate limits, in bit/s, 0 or more
   * @param function what its traffic is worth
   */
  public record Group(long count, double demandBps, ThroughputValueFunction function) {
    public Group {
      if (count < 0) {
        throw new InvalidValueException("count", count, "0 or more");
      }
      if (!(demandBps >= 0 && demandBps < Double.POSITIVE_INFINITY)) {
        throw new InvalidValueException("demandBps", demandBps, "0 or more, finite");
      }
    }
  }

  /**
   * The division of a link.
   *
   * @param thresholdValue V*; 0 if everything offered fits
   * @param ratesBps rate of each subscriber of each group, in bit/s, in the order of the groups
   */
  public record Shares(double thresholdValue, List<Double> ratesBps) {}

  /** Those who offer something to a link, all together. */
  interface Offering {
    /** All that is offered, bit/s. */
    double demandBps();

    /** The part of it that is worth {@code value} or more, bit/s. */
    double atValueBps(double value);
  }

  /**
   * The level to which a link is filled.
   *
   * @param thresholdValue V*; 0 if everything offered fits
   * @param upperValue a value at which less fits
   * @param lowerValue a value at which as much fits or more; 0 where that is all that is offered
   * @param part how far between the two, 0 to 1
   */
  record Level(double thresholdValue, double upperValue, double lowerValue, double part) {
    static final Level ALL = new Level(0, 0, 0, 1);

    /** The rate, bit/s, of one who offers {@code demandBps}. */
    double rateBps(ThroughputValueFunction function, double demandBps) {
      return rateBps(demandBps, atBps(function, upperValue), atBps(function, lowerValue));
    }

    /** The same, with what the function has at the upper and at the lower value. */
    double rateBps(double demandBps, double upperBps, double lowerBps) {
      double least = Math.min(demandBps, upperBps);
      return least + part * (Math.min(demandBps, lowerBps) - least);
    }

    /** The rate at which a function falls to one of the values. */
    double atBps(ThroughputValueFunction function, double value) {
      if (value == 0) {
        return Double.POSITIVE_INFINITY;
      }
      return value > ThroughputValueFunction.MAX_VALUE ? 0 : function.rateAtBps(value);
    }
  }

  /** Divides {@code capacityBps} (0 or more, bit/s) among {@code groups}. */
  public static Shares divide(List<Group> groups, double capacityBps) {
    if (!(capacityBps >= 0)) {
      throw new InvalidValueException("capacityBps", capacityBps, "0 or more");
    }
    Level level = fill(new Groups(groups), capacityBps);
    return new Shares(
        level.thresholdValue,
        groups.stream().map(group -> level.rateBps(group.function, group.demandBps)).toList());
  }

  private record Groups(List<Group> groups) implements Offering {
    @Override
    public double demandBps() {
      double demandBps = 0;
      for (Group group : groups) {
        demandBps += group.count * group.demandBps;
      }
      return demandBps;
    }

    @Override
    public double atValueBps(double value) {
      double totalBps = 0;
      for (Group group : groups) {
        totalBps += group.count * Math.min(group.demandBps, group.function.rateAtBps(value));
      }
      return totalBps;
    }
  }

  /** The level to which {@code capacityBps} are filled. */
  static Level fill(Offering offering, double capacityBps) {
    double demandBps = offering.demandBps();
    if (demandBps <= capacityBps) {
      return Level.ALL;
    }
    double top = ThroughputValueFunction.MAX_VALUE;
    double bottom = ThroughputValueFunction.MIN_VALUE;
    double atTop = offering.atValueBps(top);
    if (atTop >= capacityBps) {
      return new Level(top, Double.POSITIVE_INFINITY, top, capacityBps / atTop);
    }
    double atBottom = offering.atValueBps(bottom);
    if (atBottom < capacityBps) {
      return new Level(bottom, bottom, 0, (capacityBps - atBottom) / (demandBps - atBottom));
    }
    return bisect(offering, capacityBps);
  }

  /** The total falls steadily with the value here: between the clamped parts no curve is flat. */
  private static Level bisect(Offering offering, double capacityBps) {
    double low = Math.log(ThroughputValueFunction.MIN_VALUE);
    double high = Math.log(ThroughputValueFunction.MAX_VALUE);
    while (true) {
      double middle = (low + high) / 2;
      if (middle <= low || middle >= high) {
        break;
      }
      if (offering.atValueBps(Math.exp(middle)) >= capacityBps) {
        low = middle;
      } else {
        high = middle;
      }
    }
    double lowValue = Math.exp(low);
    double highValue = Math.exp(high);
    double most = offering.atValueBps(lowValue);
    double least = offering.atValueBps(highValue);
    double part = most > least ? (capacityBps - least) / (most - least) : 1;
    return new Level(lowValue, highValue, lowValue, part);
  }
}
