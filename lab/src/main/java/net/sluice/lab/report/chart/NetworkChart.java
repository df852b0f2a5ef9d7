package net.sluice.lab.report.chart;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Boxes in columns and the ways between them, as one self-contained SVG element. */
public final class NetworkChart {
  private static final double LINE = 16;
  private static final double PAD = 8;
  private static final double GAP = 12;
  private static final double APART = 44;

  /**
   * A box.
   *
   * @param name unique in the chart, and its first line
   * @param lines further lines
   */
  public record Box(String name, List<String> lines) {
    public Box {
      lines = List.copyOf(lines);
    }

    private double height() {
      return LINE * (lines.size() + 1) + PAD;
    }

    private double width() {
      int letters = lines.stream().mapToInt(String::length).max().orElse(0);
      return Frame.LETTER * Math.max(letters, name.length()) + 2 * PAD;
    }
  }

  /** A way from one box to another, by their names. */
  public record Way(String from, String to) {}

  private record Place(double x, double y, double width, double height) {
    double middle() {
      return y + height / 2;
    }
  }

  private NetworkChart() {}

  /** The chart; the columns go from left to right. */
  public static String draw(String description, List<List<Box>> columns, List<Way> ways) {
    double height = columns.stream().mapToDouble(NetworkChart::height).max().orElse(0) + 2 * PAD;
    Map<String, Place> places = new HashMap<>();
    double x = PAD;
    for (List<Box> column : columns) {
      double width = column.stream().mapToDouble(Box::width).max().orElse(0);
      double y = (height - height(column)) / 2;
      for (Box box : column) {
        places.put(box.name(), new Place(x, y, width, box.height()));
        y += box.height() + GAP;
      }
      x += width + APART;
    }
    Svg svg = new Svg();
    svg.open(
        "svg",
        "xmlns",
        "http://www.w3.org/2000/svg",
        "viewBox",
        "0 0 %s %s".formatted(Svg.coordinate(x - APART + PAD), Svg.coordinate(height)),
        "role",
        "img",
        "aria-label",
        description);
    for (Way way : ways) {
      way(svg, places.get(way.from()), places.get(way.to()));
    }
    columns.forEach(column -> column.forEach(box -> box(svg, box, places.get(box.name()))));
    return svg.close().text();
  }

  private static double height(List<Box> column) {
    return column.stream().mapToDouble(Box::height).sum() + GAP * (column.size() - 1);
  }

  private static void way(Svg svg, Place from, Place to) {
    double begin = from.x() + from.width();
    double half = (to.x() - begin) / 2;
    String path =
        "M%s %sC%s %s %s %s %s %s"
            .formatted(
                Svg.coordinate(begin),
                Svg.coordinate(from.middle()),
                Svg.coordinate(begin + half),
                Svg.coordinate(from.middle()),
                Svg.coordinate(begin + half),
                Svg.coordinate(to.middle()),
                Svg.coordinate(to.x()),
                Svg.coordinate(to.middle()));
    svg.empty("path", "class", "way", "d", path);
  }

  private static void box(Svg svg, Box box, Place at) {
    svg.empty(
        "rect",
        "class",
        "box",
        "x",
        at.x(),
        "y",
        at.y(),
        "width",
        at.width(),
        "height",
        at.height(),
        "rx",
        4.0);
    double y = at.y() + LINE;
    svg.element("text", box.name(), "class", "title", "x", at.x() + PAD, "y", y);
    for (String line : box.lines()) {
      y += LINE;
      svg.element("text", line, "x", at.x() + PAD, "y", y);
    }
  }
}
