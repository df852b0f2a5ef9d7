package net.sluice.pipeconf.profile;

import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes maps, lists, texts, numbers, truth values and nulls as indented JSON. */
final class JsonWriter {
  private final StringBuilder out = new StringBuilder();

  private JsonWriter() {}

  /** The text of {@code value}; ends with a line feed. Maps keep their order. */
  static String write(Object value) {
    JsonWriter writer = new JsonWriter();
    writer.value(value, "");
    return writer.out.append('\n').toString();
  }

  private void value(Object value, String indent) {
    if (value instanceof Map<?, ?> map) {
      object(map, indent);
    } else if (value instanceof List<?> list) {
      array(list, indent);
    } else if (value == null || value instanceof Number || value instanceof Boolean) {
      out.append(value);
    } else {
      string(value.toString());
    }
  }

  private void object(Map<?, ?> map, String indent) {
    if (map.isEmpty()) {
      out.append("{}");
      return;
    }
    out.append("{\n");
    Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator();
    while (entries.hasNext()) {
      Map.Entry<?, ?> entry = entries.next();
      out.append(indent).append("  ");
      string(entry.getKey().toString());
      out.append(": ");
      value(entry.getValue(), indent + "  ");
      out.append(entries.hasNext() ? ",\n" : "\n");
    }
    out.append(indent).append('}');
  }

  private void array(List<?> list, String indent) {
    if (list.isEmpty()) {
      out.append("[]");
      return;
    }
    out.append("[\n");
    for (int i = 0; i < list.size(); i++) {
      out.append(indent).append("  ");
      value(list.get(i), indent + "  ");
      out.append(i + 1 < list.size() ? ",\n" : "\n");
    }
    out.append(indent).append(']');
  }

  private void string(String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < 0x20) {
        out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }
}
