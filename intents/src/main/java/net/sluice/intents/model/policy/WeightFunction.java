package net.sluice.intents.model.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import net.sluice.intents.model.policy.PointsFunction.Point;
import net.sluice.intents.value.InvalidValueException;

/**
 * A throughput-value function declared by a share.
 *
 * <p>At a bottleneck every subscriber keeps the rate at which its function has the threshold's
 * value (paper 000, section III). With {@code V(x) = f(x / w)} for one falling {@code f} that rate
 * is {@code w} times {@code f}'s, so that rates are as the weights, whatever the threshold is. Here
 * {@code f(x) = 10^12 / x}, which is {@link BuiltInFunction#SILVER}, below {@link
 * #GUARANTEE_VALUE}.
 *
 * <p>A guaranteed rate {@code g} moves that curve up the scale of rates, {@code V(x) = f((x - g) /
 * w)}: a subscriber has its guarantee and beside it what its weight gives. Below {@code g} traffic
 * is worth {@link #GUARANTEE_VALUE} or more, which no share is, so that it goes first; there {@code
 * V(x) = GUARANTEE_VALUE * g / x}, by which guarantees that do not all fit are kept in the same
 * proportion.
 *
 * @param guaranteedBps the rate that is served first, bit/s, 1 to {@link #MAX_GUARANTEED_BPS}
 * @param weight the share of what is left, {@link #MIN_WEIGHT} to {@link #MAX_WEIGHT}
 * @param curve the points that follow from them
 */
public record WeightFunction(OptionalLong guaranteedBps, double weight, PointsFunction curve)
    implements ThroughputValueFunction {
  /** Least weight. */
  public static final double MIN_WEIGHT = 0.1;

  /** Greatest weight. */
  public static final double MAX_WEIGHT = 1_000;

  /** Highest guaranteed rate, bit/s. */
  public static final long MAX_GUARANTEED_BPS = 1_000_000_000_000L;

  /** The value of a guarantee's last bit; shares are worth less. */
  public static final double GUARANTEE_VALUE = 1e8;

  /** {@code f} is this over the rate. */
  private static final double SCALE = 1e12;

  /** The rate of weight 1 from which on its share is worth less than a guarantee, bit/s. */
  private static final double FIRST_SHARE_BPS = SCALE / GUARANTEE_VALUE;

  /** A value that is higher and has the same code, so that the flat parts of a curve fall. */
  private static final double AS_GUARANTEE = GUARANTEE_VALUE * 1.00001;

  /** Points of a decade, where straight lines do not follow the curve. */
  private static final int POINTS_PER_DECADE = 16;

  /** A function of a share, behind a guarantee or without. */
  public WeightFunction(OptionalLong guaranteedBps, double weight) {
    this(guaranteedBps, weight, curve(guaranteedBps, weight));
  }

  private static PointsFunction curve(OptionalLong guaranteedBps, double weight) {
    if (!(weight >= MIN_WEIGHT && weight <= MAX_WEIGHT)) {
      throw new InvalidValueException("throughputValue.weight", weight, "0.1 to 1000");
    }
    List<Point> points = new ArrayList<>();
    if (guaranteedBps.isEmpty()) {
      points.add(new Point(1, AS_GUARANTEE));
      points.add(new Point(Math.round(weight * FIRST_SHARE_BPS), GUARANTEE_VALUE));
      // In logarithmic coordinates a share alone is a straight line.
      long last = Math.round(Math.min(weight * SCALE, Point.MAX_RATE_BPS));
      points.add(new Point(last, Math.max(MIN_VALUE, weight * SCALE / last)));
      return new PointsFunction(points);
    }
    long guaranteed = guaranteedBps.getAsLong();
    if (guaranteed < 1 || guaranteed > MAX_GUARANTEED_BPS) {
      throw new InvalidValueException(
          "throughputValue.guaranteedBps", guaranteed, "1 to " + MAX_GUARANTEED_BPS);
    }
    if (guaranteed > 1) {
      long first = (guaranteed + 9) / 10;
      points.add(new Point(first, GUARANTEE_VALUE * guaranteed / first));
    }
    points.add(new Point(guaranteed, AS_GUARANTEE));
    for (int i = 0; ; i++) {
      double share = FIRST_SHARE_BPS * Math.pow(10, (double) i / POINTS_PER_DECADE);
      double rate = guaranteed + weight * share;
      if (rate > Point.MAX_RATE_BPS || SCALE / share < MIN_VALUE) {
        return new PointsFunction(points);
      }
      points.add(new Point(Math.round(rate), SCALE / share));
    }
  }

  @Override
  public double valueAt(double rateBps) {
    return curve.valueAt(rateBps);
  }

  @Override
  public double rateAtBps(double value) {
    return curve.rateAtBps(value);
  }

  @Override
  public List<Point> drawn() {
    return curve.points();
  }
}
