package net.sluice.rest.answer;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import net.sluice.intents.model.policy.PointsFunction.Point;
import net.sluice.intents.model.policy.ThroughputValueFunction;

/**
 * Writes the curve of a policy, as points or as a picture. Between points it is a straight line in
 * logarithmic coordinates, and in the picture a straight line.
 */
public final class CurveWriter {
  private static final int WIDTH = 720;
  private static final int HEIGHT = 420;
  private static final int LEFT = 64;
  private static final int TOP = 16;
  private static final int RIGHT = 16;
  private static final int BOTTOM = 48;

  /** Decades of rates in the picture: 1 kbit/s to 1 Tbit/s. */
  private static final int FIRST_DECADE = 3;

  private static final int LAST_DECADE = 12;

  /** Decades of values. */
  private static final int VALUE_DECADES = 9;

  private static final List<String> UNITS = List.of("", "k", "M", "G", "T");

  private CurveWriter() {}

  /** The points, by rising rate. */
  public static void write(JsonGenerator json, String id, ThroughputValueFunction function)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("id", id);
    json.writeArrayFieldStart("points");
    for (Point point : function.drawn()) {
      json.writeStartObject();
      json.writeNumberField("rateBps", point.rateBps());
      json.writeNumberField("value", point.value());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  /** The picture; an id has no character that XML would read otherwise. */
  public static String svg(String id, ThroughputValueFunction function) {
    StringBuilder svg = new StringBuilder();
    svg.append(
        String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\""
                + " font-family=\"sans-serif\" font-size=\"12\">\n",
            WIDTH,
            HEIGHT));
    svg.append("<title>Packet value of policy ").append(id).append(" by rate</title>\n");
    svg.append("<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
    for (int decade = FIRST_DECADE; decade <= LAST_DECADE; decade++) {
      double x = x(Math.pow(10, decade));
      line(svg, x, TOP, x, HEIGHT - BOTTOM);
      String unit = UNITS.get(decade / 3);
      text(svg, x, HEIGHT - BOTTOM + 18, "middle", Math.round(Math.pow(10, decade % 3)) + unit);
    }
    for (int decade = 0; decade <= VALUE_DECADES; decade++) {
      double y = y(Math.pow(10, decade));
      line(svg, LEFT, y, WIDTH - RIGHT, y);
      text(svg, LEFT - 8, y + 4, "end", "1e" + decade);
    }
    text(svg, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 10, "middle", "rate, bit/s");
    svg.append("<path fill=\"none\" stroke=\"#1f5fa8\" stroke-width=\"2\" d=\"");
    double first = Math.pow(10, FIRST_DECADE);
    double last = Math.pow(10, LAST_DECADE);
    point(svg, 'M', first, function);
    for (Point point : function.drawn()) {
      if (point.rateBps() > first && point.rateBps() < last) {
        point(svg, 'L', point.rateBps(), function);
      }
    }
    point(svg, 'L', last, function);
    svg.append("\"/>\n</svg>\n");
    return svg.toString();
  }

  private static void point(
      StringBuilder svg, char command, double rateBps, ThroughputValueFunction function) {
    svg.append(
        String.format(
            Locale.ROOT, "%c%.1f %.1f", command, x(rateBps), y(function.valueAt(rateBps))));
  }

  private static void line(StringBuilder svg, double x1, double y1, double x2, double y2) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>\n",
            x1,
            y1,
            x2,
            y2));
  }

  private static void text(StringBuilder svg, double x, double y, String anchor, String text) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n",
            x,
            y,
            anchor,
            text));
  }

  private static double x(double rateBps) {
    double part = (Math.log10(rateBps) - FIRST_DECADE) / (LAST_DECADE - FIRST_DECADE);
    return LEFT + part * (WIDTH - LEFT - RIGHT);
  }

  private static double y(double value) {
    return HEIGHT - BOTTOM - Math.log10(value) / VALUE_DECADES * (HEIGHT - BOTTOM - TOP);
  }
}
