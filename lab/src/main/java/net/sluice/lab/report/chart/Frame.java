package net.sluice.lab.report.chart;

import java.util.List;

/** The drawing area of a chart: axes, grid, legend, and the way from values to coordinates. */
final class Frame {
  // Drawn as wide as a phone's screen, so that its text is as large there as it is meant to be.
  static final double WIDTH = 480;
  static final double HEIGHT = 300;
  static final double LEFT = 88;
  static final double RIGHT = WIDTH - 32;
  static final double TOP = 40;
  static final double BOTTOM = HEIGHT - 46;

  /**
   * Classes of lines in {@link HtmlPage#CHARTS}; none has the colour of a measured or paper's bar.
   */
  private static final int COLOURS = 7;

  /** Width of a letter, at most in the mean of a word. */
  static final double LETTER = 7;

  private static final double LEGEND_LINE = 16;
  private static final double LEGEND_MARK = 14;
  private static final double LEGEND_GAP = 16;

  /**
   * A line of the legend.
   *
   * @param kind a class of {@link HtmlPage#CHARTS}
   */
  record Entry(String name, String kind) {}

  private final Svg svg = new Svg();
  private final Axis vertical;

  /** A frame without a legend. */
  Frame(String description, Axis vertical, double below) {
    this(description, vertical, List.of(), below);
  }

  /**
   * A frame with a legend, which takes as many lines as it needs.
   *
   * @param below room needed below for more than a line of labels and a title
   */
  Frame(String description, Axis vertical, List<Entry> legend, double below) {
    this.vertical = vertical;
    double above = LEGEND_LINE * (legendLines(legend) - 1);
    svg.open(
        "svg",
        "xmlns",
        "http://www.w3.org/2000/svg",
        "viewBox",
        "0 %s %s %s"
            .formatted(
                Svg.coordinate(-above),
                Svg.coordinate(WIDTH),
                Svg.coordinate(HEIGHT + above + below)),
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
    svg.element("text", vertical.title(), "x", 4.0, "y", 14 - above, "class", "title");
    legend(legend, above);
  }

  Svg svg() {
    return svg;
  }

  /** The class of a line among several. */
  static String series(int number) {
    return "s" + number % COLOURS;
  }

  double y(double value) {
    return BOTTOM - vertical.position(value) * (BOTTOM - TOP);
  }

  static double x(Axis horizontal, double value) {
    return LEFT + horizontal.position(value) * (RIGHT - LEFT);
  }

  void horizontal(Axis axis) {
    List<Double> ticks = axis.ticks();
    int letters = ticks.stream().mapToInt(t -> axis.label().apply(t).length()).max().orElse(0);
    double apart = (RIGHT - LEFT) / Math.max(1, ticks.size() - 1);
    int every = (int) Math.max(1, Math.ceil((letters + 1) * LETTER / apart));
    for (int i = 0; i < ticks.size(); i++) {
      double x = x(axis, ticks.get(i));
      svg.empty("line", "class", "grid", "x1", x, "x2", x, "y1", TOP, "y2", BOTTOM);
      if (i % every == 0) {
        String label = axis.label().apply(ticks.get(i));
        svg.element("text", label, "x", x, "y", BOTTOM + 16, "text-anchor", "middle");
      }
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

  private static double legendWidth(String name) {
    return LEGEND_MARK + LETTER * name.length() + LEGEND_GAP;
  }

  private static int legendLines(List<Entry> entries) {
    int lines = 1;
    double x = LEFT;
    for (Entry entry : entries) {
      String name = entry.name();
      if (x > LEFT && x + legendWidth(name) > WIDTH) {
        lines++;
        x = LEFT;
      }
      x += legendWidth(name);
    }
    return lines;
  }

  private void legend(List<Entry> entries, double above) {
    double x = LEFT;
    double y = TOP - 7 - above;
    for (Entry entry : entries) {
      String name = entry.name();
      if (x > LEFT && x + legendWidth(name) > WIDTH) {
        x = LEFT;
        y += LEGEND_LINE;
      }
      svg.empty("rect", "class", entry.kind(), "x", x, "y", y - 9, "width", 10.0, "height", 10.0);
      svg.element("text", name, "x", x + LEGEND_MARK, "y", y);
      x += legendWidth(name);
    }
  }

  String close() {
    return svg.close().text();
  }
}
