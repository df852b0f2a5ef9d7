package net.sluice.emulator.v1model.codegen.source;

import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;

/** Java source under construction. */
public final class Code {

  private final StringBuilder text = new StringBuilder();
  private final Shared shared;
  private int locals;
  private int indent;

  /** The state shared by all source of a class. */
  private static final class Shared {
    private final Map<BigInteger, String> bigConstants = new LinkedHashMap<>();
    private final Map<String, String> arrays = new LinkedHashMap<>();
    private final boolean traced;

    private Shared(boolean traced) {
      this.traced = traced;
    }
  }

  public Code() {
    this(false);
  }

  /**
   * Source of a class.
   *
   * @param traced whether it reports each step to a {@code PacketTrace}
   */
  public Code(boolean traced) {
    this(new Shared(traced));
  }

  private Code(Shared shared) {
    this.shared = shared;
  }

  /** Source of another place in the same class: large constants are shared with this one. */
  public Code sameClass() {
    return new Code(shared);
  }

  /** A call of a {@code PacketTrace} method, as a line of the traced class; nothing in others. */
  public Code trace(String call) {
    return shared.traced ? line("p.trace." + call + ";") : this;
  }

  /** The same, around an expression: {@code %s} in {@code call} stands for it. */
  public String traced(String call, String expression) {
    return shared.traced ? "p.trace." + call.replace("%s", expression) : expression;
  }

  /** A line; braces in it move the indentation. */
  public Code line(String line) {
    if (line.startsWith("}")) {
      indent--;
    }
    text.append("  ".repeat(indent)).append(line).append('\n');
    if (line.endsWith("{")) {
      indent++;
    }
    return this;
  }

  /** A line with values in the places of {@code %s}. */
  public Code line(String format, Object... values) {
    return line(format.formatted(values));
  }

  public Code add(Code other) {
    other
        .text
        .toString()
        .lines()
        .forEach(l -> text.append("  ".repeat(indent)).append(l).append('\n'));
    return this;
  }

  /** Characters so far. */
  public int length() {
    return text.length();
  }

  /** A new name for a local variable. */
  public String local() {
    return "x" + locals++;
  }

  /** A member that holds a large constant. */
  public String constant(BigInteger value) {
    return shared.bigConstants.computeIfAbsent(value, v -> "K" + shared.bigConstants.size());
  }

  /** A member that holds constant numbers. */
  public String constant(long[] values) {
    StringBuilder list = new StringBuilder();
    for (long value : values) {
      list.append(list.length() == 0 ? "" : ", ").append(Members.literal(value));
    }
    return shared.arrays.computeIfAbsent(list.toString(), v -> "L" + shared.arrays.size());
  }

  /** Declarations of the constants used so far. */
  public void declareConstants(Code into) {
    shared.arrays.forEach(
        (values, name) ->
            into.line("private static final long[] " + name + " = new long[] {" + values + "};"));
    shared.bigConstants.forEach(
        (value, name) ->
            into.line(
                "private static final BigInteger %s = new BigInteger(\"%s\", 16);",
                name, value.toString(16)));
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
