package net.sluice.emulator.bmv2.codegen;

import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;

/** Java source under construction. */
final class Code {

  private final StringBuilder text = new StringBuilder();
  private final Map<BigInteger, String> bigConstants;
  private final Map<String, String> arrays;
  private final boolean traced;
  private int locals;
  private int indent;

  Code() {
    this(new LinkedHashMap<>(), new LinkedHashMap<>(), false);
  }

  /** Source of a class that tells what it does to a packet, if {@code traced}. */
  Code(boolean traced) {
    this(new LinkedHashMap<>(), new LinkedHashMap<>(), traced);
  }

  /** Source of another place in the same class: large constants are shared with this one. */
  private Code(Map<BigInteger, String> bigConstants, Map<String, String> arrays, boolean traced) {
    this.bigConstants = bigConstants;
    this.arrays = arrays;
    this.traced = traced;
  }

  Code sameClass() {
    return new Code(bigConstants, arrays, traced);
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

  /** A member that holds constant numbers, which nobody changes. */
  String constant(long[] values) {
    StringBuilder list = new StringBuilder();
    for (long value : values) {
      list.append(list.length() == 0 ? "" : ", ").append(Members.literal(value));
    }
    return arrays.computeIfAbsent(list.toString(), v -> "L" + arrays.size());
  }

  /** Declarations of the constants used so far. */
  void declareConstants(Code into) {
    arrays.forEach(
        (values, name) ->
            into.line("private static final long[] " + name + " = new long[] {" + values + "};"));
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
