package net.sluice.emulator.bmv2.codegen;

import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;

/** Java source under construction. */
final class Code {

  private final StringBuilder text = new StringBuilder();
  private final Map<BigInteger, String> bigConstants;
  private final boolean traced;
  private int locals;
  private int indent;

  Code() {
    this(new LinkedHashMap<>(), false);
  }

  /** Source of a class that tells what it does to a packet, if {@code traced}. */
  Code(boolean traced) {
    this(new LinkedHashMap<>(), traced);
  }

  /** Source of another place in the same class: large constants are shared with this one. */
  private Code(Map<BigInteger, String> bigConstants, boolean traced) {
    this.bigConstants = bigConstants;
    this.traced = traced;
  }

  Code sameClass() {
    return new Code(bigConstants, traced);
  }

  /** A call of a {@code PacketTrace} method, as a line of the traced class; nothing in others. */
  Code trace(String call) {
    return traced ? line("p.trace." + call + ";") : this;
  }

  /** The same, around an expression: {@code %s} in {@code call} stands for it. */
  String traced(String call, String expression) {
    return traced ? "p.trace." + call.replace("%s", expression) : expression;
  }

  /** A line; braces in it move the indentation. */
  Code line(String line) {
    if (line.startsWith("}")) {
      indent--;
    }
    text.append("  ".repeat(indent)).append(line).append('\n');
    if (line.endsWith("{")) {
      indent++;
    }
    return this;
  }

  Code add(Code other) {
    other
        .text
        .toString()
        .lines()
        .forEach(l -> text.append("  ".repeat(indent)).append(l).append('\n'));
    return this;
  }

  /** Characters so far. */
  int length() {
    return text.length();
  }

  /** A new name for a local variable. */
  String local() {
    return "x" + locals++;
  }

  /** A member that holds a large constant. */
  String constant(BigInteger value) {
    return bigConstants.computeIfAbsent(value, v -> "K" + bigConstants.size());
  }

  /** Declarations of the large constants used so far. */
  void declareConstants(Code into) {
    bigConstants.forEach(
        (value, name) ->
            into.line(
                "private static final BigInteger "
                    + name
                    + " = new BigInteger(\""
                    + value.toString(16)
                    + "\", 16);"));
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
