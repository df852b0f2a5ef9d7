package net.sluice.emulator.v1model.codegen.expr;

import net.sluice.emulator.v1model.codegen.source.Code;
import net.sluice.emulator.v1model.program.Primitive;

/** Java for {@code log_msg}, {@code assert} and {@code assume}. */
public final class DiagnosticEmitter {

  private DiagnosticEmitter() {}

  public static void check(Primitive.Check check, ExprEmitter exprs, Code into, String place) {
    into.line("if (!" + exprs.condition(check.condition()) + ") {");
    into.line("throw failure(" + quoted(place + ": " + check.failure()) + ", p);");
    into.line("}");
  }

  /** The message is only formatted if there is a listener. */
  public static void message(Primitive.LogMessage message, ExprEmitter exprs, Code into) {
    StringBuilder text = new StringBuilder(quoted(message.texts().get(0)));
    for (int i = 0; i < message.values().size(); i++) {
      text.append(" + ").append(exprs.decimal(message.values().get(i)));
      text.append(" + ").append(quoted(message.texts().get(i + 1)));
    }
    into.line("if (log.isOn()) {");
    into.line("log.message(" + text + ");");
    into.line("}");
    into.trace("message(" + text + ")");
  }

  /** A Java string literal. */
  public static String quoted(String text) {
    StringBuilder literal = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c == '"' || c == '\\') {
        literal.append('\\').append(c);
      } else if (c < ' ' || c > '~') {
        literal.append(String.format("\\u%04x", (int) c));
      } else {
        literal.append(c);
      }
    }
    return literal.append('"').toString();
  }
}
