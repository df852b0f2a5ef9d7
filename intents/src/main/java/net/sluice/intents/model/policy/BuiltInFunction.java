package net.sluice.intents.model.policy;

import java.util.List;
import java.util.Locale;

/**
 * The two classes of paper 000's evaluation.
 *
 * <p>The paper gives the shares, not the curves; these are derived from them. Silver only sets the
 * scale: {@code V(x) = 10^12 / x}, a straight line through (10 kbit/s, 10^8) and (100 Gbit/s, 10).
 * Under congestion all subscribers are cut at one value, so Gold follows from what a Gold and a
 * Silver subscriber get at the same time: 488 and 400 kbit/s (section V.C, 195,000 subscribers),
 * and 21.8 and 6.4 Mbit/s (section V.A, 10,000 subscribers). Gold at the first rate of each pair
 * has Silver's value at the second. The line through both pairs meets Silver at 234 kbit/s
 * (rounded); below, the curves are one, so that the classes converge at low rates, and above 21.8
 * Mbit/s they stay 21.8 : 6.4 (3.4 : 1) apart, as paper 000 section V configures them.
 */
public enum BuiltInFunction implements ThroughputValueFunction {
  /** 3.4 times Silver at high rates, equal to it at low ones. */
  GOLD(
      new PointsFunction.Point(10_000, 1e8),
      goldPoint(234_000, 234_000),
      goldPoint(488_000, 400_000),
      goldPoint(21_800_000, 6_400_000),
      goldPoint(21_800_000_000L, 6_400_000_000L)),
  /** {@code V(x) = 10^12 / x}. */
  SILVER(new PointsFunction.Point(10_000, 1e8), new PointsFunction.Point(100_000_000_000L, 10));

  private final PointsFunction curve;
  private final String text = name().toLowerCase(Locale.ROOT);

  BuiltInFunction(PointsFunction.Point... points) {
    curve = new PointsFunction(List.of(points));
  }

  /** {@code gold} or {@code silver}, as in the API. */
  public String text() {
    return text;
  }

  /** The curve's points. */
  public PointsFunction curve() {
    return curve;
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
  public List<PointsFunction.Point> drawn() {
    return curve.points();
  }

  private static PointsFunction.Point goldPoint(long goldBps, long silverBps) {
    return new PointsFunction.Point(goldBps, 1e12 / silverBps);
  }
}
