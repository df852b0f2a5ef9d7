package net.sluice.intents.model.policy;

import java.util.List;
import java.util.Locale;
import net.sluice.intents.field.Field;
import net.sluice.intents.field.Form;
import net.sluice.intents.value.InvalidValueException;

/**
 * A throughput-value function declared by points.
 *
 * @param points 2..{@link #MAX_POINTS} points with strictly increasing rates and strictly
 *     decreasing values
 */
public record PointsFunction(List<Point> points) implements ThroughputValueFunction {
  /** Fewest points of a curve. */
  public static final int MIN_POINTS = 2;

  /** Most points of a curve. */
  public static final int MAX_POINTS = 1024;

  /**
   * One point of a curve.
   *
   * @param rateBps rate in bit/s, 1 to 10^13
   * @param value packet value in [{@link #MIN_VALUE}, {@link #MAX_VALUE}]
   */
  @Form(name = "Point", says = "A point of a throughput-value function.")
  public record Point(
      @Field(
              number = 1,
              says = "Rate, bit/s.",
              min = "1",
              max = "" + Point.MAX_RATE_BPS,
              checkedByRecord = true)
          long rateBps,
      @Field(number = 2, says = "Packet value there.", min = "1", max = "1000000000")
          double value) {
    /** Highest rate a point may have, in bit/s. */
    public static final long MAX_RATE_BPS = 10_000_000_000_000L;

    public Point {
      if (rateBps < 1 || rateBps > MAX_RATE_BPS) {
        throw new InvalidValueException("rateBps", rateBps, "1 to " + MAX_RATE_BPS);
      }
      if (!(value >= MIN_VALUE && value <= MAX_VALUE)) {
        throw new InvalidValueException("value", value, "1 to 1000000000");
      }
    }
  }

  public PointsFunction {
    points = List.copyOf(points);
    if (points.size() < MIN_POINTS || points.size() > MAX_POINTS) {
      throw new InvalidValueException(
          "throughputValue.points",
          points.size() + " points",
          MIN_POINTS + " to " + MAX_POINTS + " points");
    }
    for (int i = 1; i < points.size(); i++) {
      Point before = points.get(i - 1);
      Point at = points.get(i);
      if (at.rateBps() <= before.rateBps()) {
        throw new InvalidValueException(
            "throughputValue.points[" + i + "].rateBps",
            at.rateBps(),
            "more than the rate before it, " + before.rateBps());
      }
      if (at.value() >= before.value()) {
        throw new InvalidValueException(
            "throughputValue.points[" + i + "].value",
            at.value(),
            String.format(Locale.ROOT, "less than the value before it, %s", before.value()));
      }
    }
  }

  @Override
  public double valueAt(double rateBps) {
    int i = segmentOfRate(rateBps);
    Point p = points.get(i);
    Point q = points.get(i + 1);
    double value;
    // The end points are hit exactly: logarithms and back would be off by an ulp or two.
    if (rateBps == p.rateBps()) {
      value = p.value();
    } else if (rateBps == q.rateBps()) {
      value = q.value();
    } else {
      double slope = Math.log(q.value() / p.value()) / Math.log((double) q.rateBps() / p.rateBps());
      value = p.value() * Math.exp(slope * Math.log(rateBps / p.rateBps()));
    }
    return Math.min(MAX_VALUE, Math.max(MIN_VALUE, value));
  }

  @Override
  public List<Point> drawn() {
    return points;
  }

  @Override
  public double rateAtBps(double value) {
    int i = segmentOfValue(value);
    Point p = points.get(i);
    Point q = points.get(i + 1);
    if (value == p.value()) {
      return p.rateBps();
    }
    if (value == q.value()) {
      return q.rateBps();
    }
    double inverseSlope =
        Math.log((double) q.rateBps() / p.rateBps()) / Math.log(q.value() / p.value());
    return p.rateBps() * Math.exp(inverseSlope * Math.log(value / p.value()));
  }

  private int segmentOfRate(double rateBps) {
    int last = points.size() - 2;
    int i = 0;
    while (i < last && rateBps > points.get(i + 1).rateBps()) {
      i++;
    }
    return i;
  }

  private int segmentOfValue(double value) {
    int last = points.size() - 2;
    int i = 0;
    while (i < last && value < points.get(i + 1).value()) {
      i++;
    }
    return i;
  }
}
