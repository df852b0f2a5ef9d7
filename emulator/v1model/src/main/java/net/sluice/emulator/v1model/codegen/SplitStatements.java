package net.sluice.emulator.v1model.codegen;

/**
 * A sequence of similar statements, such as one for each field of a header: inline, or in methods
 * of their own where they exceed a method's limit.
 */
final class SplitStatements {

  /** Statements in a method. */
  private static final int PER_METHOD = 200;

  /** Emits the statement of a number. */
  interface Step {
    void emit(int number, Code into);
  }

  private SplitStatements() {}

  /** Emits a statement for each number from 0 to {@code n - 1}. */
  static void each(int n, Code into, Step step) {
    each(n, "Packet p", "p", into, step);
  }

  /**
   * The same.
   *
   * @param parameters of the methods, with types
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
