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

    private double atValue(double value) {
      return Math.min(demandBps, function.rateAtBps(value));
    }
  }

  /**
   * The division of a link.
   *
   * @param thresholdValue V*; 0 if everything offered fits
   * @param ratesBps rate of each subscriber of each group, in bit/s, in the order of the groups
   */
  public record Shares(double thresholdValue, List<Double> ratesBps) {}

  /** Divides {@code capacityBps} (0 or more, bit/s) among {@code groups}. */
  public static Shares divide(List<Group> groups, double capacityBps) {
    if (!(capacityBps >= 0)) {
      throw new InvalidValueException("capacityBps", capacityBps, "0 or more");
    }
    double demandBps = 0;
    for (Group group : groups) {
      demandBps += group.count * group.demandBps;
    }
    if (demandBps <= capacityBps) {
      return new Shares(0, groups.stream().map(Group::demandBps).toList());
    }
    double top = ThroughputValueFunction.MAX_VALUE;
    double bottom = ThroughputValueFunction.MIN_VALUE;
    double atTop = total(groups, top);
    if (atTop >= capacityBps) {
      double part = capacityBps / atTop;
      return new Shares(top, groups.stream().map(group -> part * group.atValue(top)).toList());
    }
    double atBottom = total(groups, bottom);
    if (atBottom < capacityBps) {
      double part = (capacityBps - atBottom) / (demandBps - atBottom);
      return new Shares(
          bottom,
          groups.stream()
              .map(group -> between(group.atValue(bottom), group.demandBps, part))
              .toList());
    }
    return bisect(groups, capacityBps);
  }

  /** The total falls steadily with the value here: between the clamped parts no curve is flat. */
  private static Shares bisect(List<Group> groups, double capacityBps) {
    double low = Math.log(ThroughputValueFunction.MIN_VALUE);
    double high = Math.log(ThroughputValueFunction.MAX_VALUE);
    while (true) {
      double middle = (low + high) / 2;
      if (middle <= low || middle >= high) {
        break;
      }
      if (total(groups, Math.exp(middle)) >= capacityBps) {
        low = middle;
      } else {
        high = middle;
      }
    }
    double lowValue = Math.exp(low);
    double highValue = Math.exp(high);
    double most = total(groups, lowValue);
    double least = total(groups, highValue);
    double part = most > least ? (capacityBps - least) / (most - least) : 1;
    return new Shares(
        lowValue,
        groups.stream()
            .map(group -> between(group.atValue(highValue), group.atValue(lowValue), part))
            .toList());
  }

  private static double between(double from, double to, double part) {
    return from + part * (to - from);
  }

  private static double total(List<Group> groups, double value) {
    double totalBps = 0;
    for (Group group : groups) {
      totalBps += group.count * group.atValue(value);
    }
    return totalBps;
  }
}
