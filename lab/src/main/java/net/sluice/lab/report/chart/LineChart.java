package net.sluice.lab.report.chart;

import java.util.List;
import java.util.stream.IntStream;

/** Lines over a common horizontal axis, as one self-contained SVG element. */
public final class LineChart {
  /**
   * One line.
   *
   * @param name for the legend
   * @param x horizontal values, ascending
   * @param y vertical values, as many; values that are not finite interrupt the line
   */
  public record Series(String name, double[] x, double[] y) {
    public Series {
      if (x.length != y.length) {
        throw new IllegalArgumentException(name + ": " + x.length + " x, " + y.length + " y");
      }
    }
  }

  private LineChart() {}

  /** The chart; {@code stepped} draws values as holding until the next one. */
  public static String draw(
      String description, Axis horizontal, Axis vertical, boolean stepped, List<Series> series) {
    Frame frame =
        new Frame(
            description,
            vertical,
            IntStream.range(0, series.size())
                .mapToObj(i -> new Frame.Entry(series.get(i).name(), Frame.series(i)))
                .toList(),
            0);
    frame.horizontal(horizontal);
    for (int i = 0; i < series.size(); i++) {
      String path = path(frame, horizontal, stepped, series.get(i));
      if (!path.isEmpty()) {
        frame.svg().empty("path", "d", path, "class", Frame.series(i) + " line");
      }
    }
    return frame.close();
  }

  private static String path(Frame frame, Axis horizontal, boolean stepped, Series series) {
    StringBuilder path = new StringBuilder();
    boolean drawing = false;
    for (int i = 0; i < series.x().length; i++) {
      if (!Double.isFinite(series.y()[i])) {
        drawing = false;
        continue;
      }
      String x = Svg.coordinate(Frame.x(horizontal, series.x()[i]));
      String y = Svg.coordinate(frame.y(series.y()[i]));
      if (!drawing) {
        path.append('M').append(x).append(' ').append(y);
      } else if (stepped) {
        path.append('H').append(x).append('V').append(y);
      } else {
        path.append('L').append(x).append(' ').append(y);
      }
      drawing = true;
    }
    return path.toString();
  }
}
