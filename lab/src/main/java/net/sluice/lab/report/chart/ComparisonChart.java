package net.sluice.lab.report.chart;

import java.util.List;
import net.sluice.lab.support.Figures;

/**
 * Published values beside measured ones, each with its number, and the range that a bound allows
 * the measured one; one SVG element, coloured by {@link HtmlPage}'s style.
 *
 * <p>The charts of this package are drawn here and not by a library, because a page is sent as one
 * file and read on a phone, in the dark and in print. XChart 3.8.8 writes a chart of four pairs as
 * 230 kB of SVG (this class: 4 kB) with outlines for letters and fixed colours, has no range that a
 * bound allows and no mark for one bar, and needs fonts where it runs.
 */
public final class ComparisonChart {
  /**
   * A published and a measured value; what is not finite is not drawn.
   *
   * @param label stands under the bars
   * @param paper the published value
   * @param measured the measured value
   * @param least least that the bound allows; NaN without a bound, infinite without a lower end
   * @param most most that it allows
   * @param mark how the measured value stands out
   */
  public record Group(
      String label, double paper, double measured, double least, double most, Mark mark) {
    boolean bound() {
      return !Double.isNaN(least) && !Double.isNaN(most);
    }
  }

  /** The mark of a measured value that is outside its bound. */
  public enum Mark {
    /** None: within the bound, or without one. */
    NONE("measured", "measured"),
    /** On the paper's side of the baseline. */
    DIRECTION("measured direction", "direction"),
    /** Not there either. */
    MISSED("measured missed", "missed");

    private final String style;
    private final String text;

    Mark(String style, String text) {
      this.style = style;
      this.text = text;
    }
  }

  private static final double BAR = 40;
  private static final double SMALL_LETTER = 5.6;
  private static final double LABEL_LINE = 14;
  private static final double NEAR = 30;

  /** Room above the highest bar for its number. */
  private static final double HEADROOM = 1.1;

  private ComparisonChart() {}

  /** The chart, with a linear axis from 0. */
  public static String draw(String description, String axisTitle, List<Group> groups) {
    double slot = (Frame.RIGHT - Frame.LEFT) / Math.max(1, groups.size());
    boolean papers = groups.stream().anyMatch(group -> Double.isFinite(group.paper()));
    double bar = Math.min(BAR, slot * (papers ? 0.36 : 0.6));
    double largest =
        HEADROOM * groups.stream().mapToDouble(ComparisonChart::largest).max().orElse(1);
    double widest =
        Frame.LETTER * groups.stream().mapToInt(g -> g.label().length()).max().orElse(0);
    boolean upright = widest > slot;
    Frame frame =
        new Frame(
            description,
            Axis.fromZero(axisTitle, largest, Figures::shortNumber),
            upright ? Math.max(0, widest + 20 - (Frame.HEIGHT - Frame.BOTTOM)) : 0);
    legend(frame, groups, papers);
    for (int i = 0; i < groups.size(); i++) {
      Group group = groups.get(i);
      double middle = Frame.LEFT + (i + 0.5) * slot;
      double measuredAt = papers ? middle + 1 : middle - bar / 2;
      if (group.bound()) {
        allowed(frame, measuredAt - 2, bar + 4, group);
      }
      if (papers) {
        bar(
            frame,
            middle - bar - 1,
            bar,
            group.paper(),
            group.paper(),
            "paper",
            group.label() + ", paper");
      }
      // The number stands above the end of the allowed range, too, where that is near.
      double above =
          group.bound() && frame.y(group.measured()) - frame.y(group.most()) < NEAR
              ? Math.max(group.measured(), group.most())
              : group.measured();
      bar(
          frame,
          measuredAt,
          bar,
          group.measured(),
          above,
          group.mark().style,
          group.label() + ", measured");
      if (group.bound()) {
        limit(frame, measuredAt - 2, bar + 4, group.least());
        limit(frame, measuredAt - 2, bar + 4, group.most());
      }
      label(frame, group, middle, upright);
    }
    return frame.close();
  }

  private static double largest(Group group) {
    double largest = 0;
    for (double value : new double[] {group.paper(), group.measured(), group.most()}) {
      largest = Double.isFinite(value) ? Math.max(largest, value) : largest;
    }
    return Double.isFinite(group.least()) ? Math.max(largest, group.least()) : largest;
  }

  private static void bar(
      Frame frame,
      double x,
      double width,
      double value,
      double above,
      String kind,
      String tooltip) {
    if (!Double.isFinite(value)) {
      return;
    }
    double y = frame.y(value);
    String number = Figures.shortNumber(value);
    frame
        .svg()
        .open("rect", "class", kind, "x", x, "y", y, "width", width, "height", Frame.BOTTOM - y)
        .element("title", tooltip + ": " + number)
        .close();
    boolean upright = SMALL_LETTER * number.length() > width + 2;
    double numberX = x + width / 2 + (upright ? 4 : 0);
    double numberY = frame.y(above) - 4;
    String turn =
        upright
            ? "rotate(-90 " + Svg.coordinate(numberX) + " " + Svg.coordinate(numberY) + ")"
            : "";
    frame
        .svg()
        .element(
            "text",
            number,
            "class",
            upright ? "value" : "value middle",
            "x",
            numberX,
            "y",
            numberY,
            "transform",
            turn);
  }

  private static void allowed(Frame frame, double x, double width, Group group) {
    double top = frame.y(Math.min(group.most(), Double.MAX_VALUE));
    double bottom = frame.y(Math.max(group.least(), 0));
    frame
        .svg()
        .empty(
            "rect", "class", "allowed", "x", x, "y", top, "width", width, "height", bottom - top);
  }

  private static void limit(Frame frame, double x, double width, double value) {
    if (Double.isFinite(value)) {
      double y = frame.y(value);
      frame.svg().empty("line", "class", "limit", "x1", x, "x2", x + width, "y1", y, "y2", y);
    }
  }

  private static void label(Frame frame, Group group, double middle, boolean upright) {
    String kind = group.mark() == Mark.MISSED ? "bad" : "";
    if (upright) {
      double x = middle + 4;
      double y = Frame.BOTTOM + 8;
      String turn = "rotate(-90 " + Svg.coordinate(x) + " " + Svg.coordinate(y) + ")";
      frame
          .svg()
          .element(
              "text",
              group.label(),
              "class",
              kind,
              "x",
              x,
              "y",
              y,
              "text-anchor",
              "end",
              "transform",
              turn);
    } else {
      frame
          .svg()
          .element(
              "text",
              group.label(),
              "class",
              kind,
              "x",
              middle,
              "y",
              Frame.BOTTOM + 16,
              "text-anchor",
              "middle");
    }
  }

  private static void legend(Frame frame, List<Group> groups, boolean papers) {
    double x = Frame.LEFT;
    if (papers) {
      x = entry(frame, x, "paper", "paper");
    }
    for (Mark mark : Mark.values()) {
      if (mark == Mark.NONE || groups.stream().anyMatch(group -> group.mark() == mark)) {
        x = entry(frame, x, mark.style, mark.text);
      }
    }
    if (groups.stream().anyMatch(Group::bound)) {
      entry(frame, x, "allowed", "allowed");
    }
  }

  private static double entry(Frame frame, double x, String kind, String name) {
    double y = Frame.TOP - 12;
    frame.svg().empty("rect", "class", kind, "x", x, "y", y - 9, "width", 10.0, "height", 10.0);
    frame.svg().element("text", name, "x", x + LABEL_LINE, "y", y);
    return x + LABEL_LINE + Frame.LETTER * name.length() + LABEL_LINE;
  }
}
