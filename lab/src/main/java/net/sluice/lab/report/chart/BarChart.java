package net.sluice.lab.report.chart;

import java.util.List;
import java.util.function.DoubleFunction;

/** Pairs of bars, expected beside measured, the measured one with whiskers; one SVG element. */
public final class BarChart {
  /**
   * One pair of bars.
   *
   * @param name text under the pair
   * @param expected height of the first bar; not finite for none
   * @param measured height of the second bar
   * @param low lower end of its whisker
   * @param high upper end of its whisker
   */
  public record Pair(String name, double expected, double measured, double low, double high) {}

  private static final String EXPECTED = "paper";
  private static final String MEASURED = "measured";

  private BarChart() {}

  /** The chart. */
  public static String draw(
      String description,
      String title,
      String expectedName,
      String measuredName,
      DoubleFunction<String> label,
      List<Pair> pairs) {
    double slot = (Frame.RIGHT - Frame.LEFT) / Math.max(1, pairs.size());
    double bar = Math.min(48, slot * 0.32);
    double longest =
        Frame.LETTER * pairs.stream().mapToInt(pair -> pair.name().length()).max().orElse(0);
    // Names that are wider than their slots stand upright.
    boolean upright = longest > slot;
    Frame frame =
        new Frame(
            description,
            axis(title, label, pairs),
            List.of(
                new Frame.Entry(expectedName, EXPECTED), new Frame.Entry(measuredName, MEASURED)),
            upright ? Math.max(0, longest + 20 - (Frame.HEIGHT - Frame.BOTTOM)) : 0);
    for (int i = 0; i < pairs.size(); i++) {
      Pair pair = pairs.get(i);
      double middle = Frame.LEFT + (i + 0.5) * slot;
      bar(
          frame,
          middle - bar - 1,
          bar,
          pair.expected(),
          EXPECTED,
          pair.name() + ", " + expectedName,
          label);
      bar(
          frame,
          middle + 1,
          bar,
          pair.measured(),
          MEASURED,
          pair.name() + ", " + measuredName,
          label);
      whisker(frame, middle + 1 + bar / 2, pair);
      name(frame, pair.name(), middle, upright);
    }
    return frame.close();
  }

  private static void name(Frame frame, String name, double middle, boolean upright) {
    if (upright) {
      double x = middle + 4;
      double y = Frame.BOTTOM + 8;
      String turn = "rotate(-90 " + Svg.coordinate(x) + " " + Svg.coordinate(y) + ")";
      frame.svg().element("text", name, "x", x, "y", y, "text-anchor", "end", "transform", turn);
    } else {
      frame
          .svg()
          .element("text", name, "x", middle, "y", Frame.BOTTOM + 16, "text-anchor", "middle");
    }
  }

  private static Axis axis(String title, DoubleFunction<String> label, List<Pair> pairs) {
    double largest = 0;
    double smallest = Double.POSITIVE_INFINITY;
    for (Pair pair : pairs) {
      for (double value : new double[] {pair.expected(), pair.measured(), pair.high()}) {
        if (Double.isFinite(value) && value > 0) {
          largest = Math.max(largest, value);
          smallest = Math.min(smallest, value);
        }
      }
    }
    return Axis.fitting(title, smallest / 2, largest, label);
  }

  private static void bar(
      Frame frame,
      double x,
      double width,
      double value,
      String kind,
      String tooltip,
      DoubleFunction<String> label) {
    if (!Double.isFinite(value)) {
      return;
    }
    double y = frame.y(value);
    frame
        .svg()
        .open("rect", "class", kind, "x", x, "y", y, "width", width, "height", Frame.BOTTOM - y)
        .element("title", tooltip + ": " + label.apply(value))
        .close();
  }

  private static void whisker(Frame frame, double x, Pair pair) {
    if (!Double.isFinite(pair.low()) || !Double.isFinite(pair.high())) {
      return;
    }
    double low = frame.y(pair.low());
    double high = frame.y(pair.high());
    frame.svg().empty("line", "class", "whisker", "x1", x, "x2", x, "y1", low, "y2", high);
    for (double y : new double[] {low, high}) {
      frame.svg().empty("line", "class", "whisker", "x1", x - 6, "x2", x + 6, "y1", y, "y2", y);
    }
  }
}
