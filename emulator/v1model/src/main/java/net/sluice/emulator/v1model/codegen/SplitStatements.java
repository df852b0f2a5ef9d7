package net.sluice.emulator.v1model.codegen;

/**
 * Things done one after the other to a packet, such as to each field of a header: in place, or,
 * where they are more than a method can have, in methods of their own.
 */
final class SplitStatements {

  /** Statements in a method. */
  private static final int PER_METHOD = 200;

  /** What is done for the thing of a number. */
  interface Step {
    void emit(int number, Code into);
  }

  private SplitStatements() {}

  /** Does something for each number from 0 to {@code n - 1}. */
  static void each(int n, Code into, Step step) {
    each(n, "Packet p", "p", into, step);
  }

  /**
   * The same.
   *
   * @param parameters what steps know, besides static methods
   * @param arguments the same, without types
   */
  static void each(int n, String parameters, String arguments, Code into, Step step) {
    if (!into.splits() || n <= PER_METHOD) {
      for (int i = 0; i < n; i++) {
        step.emit(i, into);
      }
      return;
    }
    for (int from = 0; from < n; from += PER_METHOD) {
      String name = into.method();
      Code method = into.sameClass();
      method.line("static void " + name + "(" + parameters + ") {");
      for (int i = from; i < Math.min(n, from + PER_METHOD); i++) {
        step.emit(i, method);
      }
      method.line("}");
      into.outOfLine(method);
      into.line(name + "(" + arguments + ");");
    }
  }
}
