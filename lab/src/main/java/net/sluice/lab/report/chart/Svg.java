package net.sluice.lab.report.chart;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/**
 * Writes an SVG or XHTML fragment: nested elements, escaped text, coordinates with two decimals.
 */
final class Svg {
  private final StringBuilder text = new StringBuilder();
  private final Deque<String> open = new ArrayDeque<>();

  /** Opens an element; {@code attributes} are names and values in turn. */
  Svg open(String tag, Object... attributes) {
    start(tag, attributes);
    text.append('>');
    open.push(tag);
    return this;
  }

  /** Closes the innermost open element. */
  Svg close() {
    text.append("</").append(open.pop()).append(">\n");
    return this;
  }

  /** An element without content. */
  Svg empty(String tag, Object... attributes) {
    start(tag, attributes);
    text.append("/>\n");
    return this;
  }

  /** An element that holds text only. */
  Svg element(String tag, String content, Object... attributes) {
    start(tag, attributes);
    text.append('>').append(escape(content)).append("</").append(tag).append(">\n");
    return this;
  }

  /** Everything written; all elements must have been closed. */
  String text() {
    if (!open.isEmpty()) {
      throw new IllegalStateException("still open: " + open);
    }
    return text.toString();
  }

  static String escape(String content) {
    return content
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  /** A coordinate: at most two decimals, so that pages stay small. */
  static String coordinate(double value) {
    String fixed = String.format(Locale.ROOT, "%.2f", value);
    return fixed.endsWith(".00") ? fixed.substring(0, fixed.length() - 3) : fixed;
  }

  private void start(String tag, Object... attributes) {
    text.append('<').append(tag);
    for (int i = 0; i < attributes.length; i += 2) {
      Object value = attributes[i + 1];
      String content = value instanceof Double ? coordinate((Double) value) : value.toString();
      text.append(' ').append(attributes[i]).append("=\"").append(escape(content)).append('"');
    }
  }
}
