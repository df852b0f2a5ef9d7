package net.sluice.intents.model.policy;

import java.util.List;

/**
 * A throughput-value function (paper 000, section III): the packet value of a subscriber's traffic
 * at each rate, strictly decreasing between the limits of the value scale.
 *
 * <p>Curves are linear in log-log coordinates between points, extended beyond the end points at the
 * slope of the end segment, and clamped to {@code [MIN_VALUE, MAX_VALUE]}.
 */
public sealed interface ThroughputValueFunction
    permits BuiltInFunction, PointsFunction, WeightFunction, LikeFunction {
  /** Lowest packet value. */
  double MIN_VALUE = 1;

  /** Highest packet value; the code 65,535 of the 16-bit logarithmic scale. */
  double MAX_VALUE = 1e9;

  /**
   * The value at {@code rateBps > 0}, in {@code [MIN_VALUE, MAX_VALUE]}; non-increasing in the
   * rate.
   */
  double valueAt(double rateBps);

  /**
   * The inverse on the unclamped curve: the rate in bit/s at which the extended curve reaches
   * {@code value > 0}. At {@link #MAX_VALUE} and {@link #MIN_VALUE} this is where the clamped parts
   * begin.
   */
  double rateAtBps(double value);

  /** Points of it by rising rate; a line through them in log-log coordinates is the function. */
  List<PointsFunction.Point> drawn();
}
