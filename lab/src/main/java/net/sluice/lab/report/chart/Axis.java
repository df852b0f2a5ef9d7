package net.sluice.lab.report.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;

/**
 * A scale from values to {@code [0, 1]}.
 *
 * @param title the quantity, with its unit
 * @param min value at 0
 * @param max value at 1, above {@code min}
 * @param logarithmic whether equal distances are equal ratios; then {@code min > 0}
 * @param label text of a tick
 */
public record Axis(
    String title, double min, double max, boolean logarithmic, DoubleFunction<String> label) {
  /** Above this ratio of the largest to the smallest value an axis is logarithmic. */
  private static final double LINEAR_RATIO = 50;

  public Axis {
    if (!(max > min) || logarithmic && !(min > 0)) {
      throw new IllegalArgumentException(title + ": no axis from " + min + " to " + max);
    }
  }

  /** From 0 to a round number at or above {@code largest}. */
  public static Axis fromZero(String title, double largest, DoubleFunction<String> label) {
    double top = largest > 0 && Double.isFinite(largest) ? largest : 1;
    double step = step(top);
    return new Axis(title, 0, step * Math.ceil(top / step - 1e-9), false, label);
  }

  /** Linear from {@code min} to {@code max}. */
  public static Axis linear(String title, double min, double max, DoubleFunction<String> label) {
    return new Axis(title, min, max, false, label);
  }

  /** Logarithmic over whole decades around the two values. */
  public static Axis decades(
      String title, double smallest, double largest, DoubleFunction<String> label) {
    double low = Math.floor(Math.log10(smallest) + 1e-9);
    double high = Math.max(low + 1, Math.ceil(Math.log10(largest) - 1e-9));
    return new Axis(title, Math.pow(10, low), Math.pow(10, high), true, label);
  }

  /**
   * From 0, or over decades where the smallest value would lie on a linear axis.
   *
   * @param smallest of what is drawn and above 0; not finite if there is none
   */
  public static Axis fitting(
      String title, double smallest, double largest, DoubleFunction<String> label) {
    return smallest > 0 && Double.isFinite(smallest) && largest / smallest > LINEAR_RATIO
        ? decades(title + ", logarithmic", smallest, largest, label)
        : fromZero(title, largest, label);
  }

  /** Position of {@code value}: 0 at the minimum, 1 at the maximum, clamped. */
  double position(double value) {
    double position =
        logarithmic
            ? Math.log(Math.max(value, min) / min) / Math.log(max / min)
            : (value - min) / (max - min);
    return Math.min(1, Math.max(0, position));
  }

  /** The values to label. */
  List<Double> ticks() {
    List<Double> ticks = new ArrayList<>();
    if (logarithmic) {
      for (double tick = min; tick <= max * 1.001; tick *= 10) {
        ticks.add(tick);
      }
    } else {
      double step = step(max - min);
      for (long i = (long) Math.ceil(min / step - 1e-9); i * step <= max + step * 1e-6; i++) {
        ticks.add(i * step);
      }
    }
    return ticks;
  }

  /** A step of 1, 2 or 5 times a power of ten that divides a span into three to seven parts. */
  private static double step(double span) {
    double power = Math.pow(10, Math.floor(Math.log10(span / 4)));
    double ratio = span / 4 / power;
    return power * (ratio < 1.5 ? 1 : ratio < 3.5 ? 2 : ratio < 7.5 ? 5 : 10);
  }
}
