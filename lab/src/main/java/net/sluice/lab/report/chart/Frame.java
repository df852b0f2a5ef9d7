package net.sluice.lab.report.chart;

import java.util.List;

/** The drawing area of a chart: axes, grid, legend, and the way from values to coordinates. */
final class Frame {
  static final double WIDTH = 720;
  static final double HEIGHT = 300;
  static final double LEFT = 68;
  static final double RIGHT = WIDTH - 16;
  static final double TOP = 40;
  static final double BOTTOM = HEIGHT - 46;

  /** Told apart by people of any colour vision, on white and on dark. */
  private static final List<String> COLOURS =
      List.of(
          "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9", "#7a5195", "#8c8c8c");

  private final Svg svg = new Svg();
  private final Axis vertical;

  Frame(String description, Axis vertical) {
    this.vertical = vertical;
    svg.open(
        "svg",
        "xmlns",
        "http://www.w3.org/2000/svg",
        "viewBox",
        "0 0 " + Svg.coordinate(WIDTH) + " " + Svg.coordinate(HEIGHT),
        "role",
        "img",
        "aria-label",
        description);
    for (double tick : vertical.ticks()) {
      double y = y(tick);
      svg.empty("line", "class", "grid", "x1", LEFT, "x2", RIGHT, "y1", y, "y2", y);
      svg.element(
          "text", vertical.label().apply(tick), "x", LEFT - 6, "y", y + 4, "text-anchor", "end");
    }
    svg.element("text", vertical.title(), "x", 4.0, "y", 14.0, "class", "title");
  }

  Svg svg() {
    return svg;
  }

  static String colour(int series) {
    return COLOURS.get(series % COLOURS.size());
  }

  double y(double value) {
    return BOTTOM - vertical.position(value) * (BOTTOM - TOP);
  }

  static double x(Axis horizontal, double value) {
    return LEFT + horizontal.position(value) * (RIGHT - LEFT);
  }

  void horizontal(Axis axis) {
    for (double tick : axis.ticks()) {
      double x = x(axis, tick);
      svg.empty("line", "class", "grid", "x1", x, "x2", x, "y1", TOP, "y2", BOTTOM);
      svg.element(
          "text", axis.label().apply(tick), "x", x, "y", BOTTOM + 16, "text-anchor", "middle");
    }
    svg.element(
        "text",
        axis.title(),
        "x",
        (LEFT + RIGHT) / 2,
        "y",
        HEIGHT - 8,
        "text-anchor",
        "middle",
        "class",
        "title");
  }

  void legend(List<String> names) {
    double x = LEFT;
    for (int i = 0; i < names.size(); i++) {
      svg.empty("rect", "x", x, "y", TOP - 16, "width", 10.0, "height", 10.0, "fill", colour(i));
      svg.element("text", names.get(i), "x", x + 14, "y", TOP - 7);
      x += 30 + 6.6 * names.get(i).length();
    }
  }

  String close() {
    return svg.close().text();
  }
}
