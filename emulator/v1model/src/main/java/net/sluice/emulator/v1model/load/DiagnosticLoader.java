package net.sluice.emulator.v1model.load;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import net.sluice.emulator.v1model.program.Expr;
import net.sluice.emulator.v1model.program.Primitive;

/** Loads the primitives {@code log_msg}, {@code assert} and {@code assume}. */
final class DiagnosticLoader {

  private DiagnosticLoader() {}

  /** An {@code assert} or {@code assume}; bmv2 treats them alike. */
  static Primitive check(LocatedJson node, Expr value) {
    String failure = node.text("op") + " failed" + source(node);
    if (value.type() == Expr.Type.NUMBER) {
      return new Primitive.Check(new Expr.Operation(Expr.Op.DATA_TO_BOOL, null, value), failure);
    }
    if (value.type() != Expr.Type.BOOL) {
      throw node.invalid("expected a condition but found a " + value.type());
    }
    return new Primitive.Check(value, failure);
  }

  private static String source(LocatedJson node) {
    if (!node.has("source_info")) {
      return "";
    }
    LocatedJson info = node.get("source_info");
    StringBuilder text = new StringBuilder();
    if (info.has("source_fragment")) {
      text.append(": ").append(info.text("source_fragment"));
    }
    if (info.has("filename") && info.has("line")) {
      text.append(" (").append(info.text("filename")).append(", line ");
      text.append(info.integer("line")).append(")");
    }
    return text.toString();
  }

  /** A {@code log_msg}: its format, then the values for it. */
  static Primitive message(List<LocatedJson> args, Function<LocatedJson, Expr> number) {
    if (!args.get(0).text("type").equals("string")) {
      throw args.get(0).invalid("expected a string but found a " + args.get(0).text("type"));
    }
    if (!args.get(1).text("type").equals("parameters_vector")) {
      throw args.get(1)
          .invalid("expected a parameters_vector but found a " + args.get(1).text("type"));
    }
    LocatedJson format = args.get(0).get("value");
    List<String> texts = split(format);
    List<Expr> values = new ArrayList<>();
    // Without values the JSON has an empty object.
    LocatedJson vector = args.get(1).get("value");
    for (LocatedJson value : vector.isObject() ? List.<LocatedJson>of() : vector.list()) {
      values.add(number.apply(value));
    }
    if (values.size() != texts.size() - 1) {
      throw format.invalid(
          "format '%s' has room for %s values, not %s",
          format.text(), texts.size() - 1, values.size());
    }
    return new Primitive.LogMessage(texts, List.copyOf(values));
  }

  /** The text around the placeholders; a backslash escapes a brace. */
  private static List<String> split(LocatedJson format) {
    String text = format.text();
    List<String> texts = new ArrayList<>();
    StringBuilder current = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean escaped = c == '\\' && i + 1 < text.length() && "{}".indexOf(text.charAt(i + 1)) >= 0;
      if (escaped) {
        current.append(text.charAt(++i));
      } else if (c == '{') {
        int end = closing(text, i);
        if (end < 0) {
          throw format.invalid("format '" + text + "' has a '{' without '}'");
        }
        texts.add(current.toString());
        current.setLength(0);
        i = end;
      } else {
        current.append(c);
      }
    }
    texts.add(current.toString());
    return List.copyOf(texts);
  }

  private static int closing(String text, int open) {
    int end = text.indexOf('}', open);
    while (end > 0 && text.charAt(end - 1) == '\\') {
      end = text.indexOf('}', end + 1);
    }
    return end;
  }
}
