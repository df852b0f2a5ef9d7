package net.sluice.emulator.v1model.codegen;

import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.v1model.program.Program;
import net.sluice.emulator.v1model.table.WordLayout;

/**
 * An action with jumps that is too long for one method: its steps are split into methods, each of
 * which runs as far as it can and returns the step to go on at. Used only where the program would
 * not compile otherwise.
 */
final class SplitAction {

  /** Characters of source in a method, roughly a third as many bytes of code. */
  private static final int LONG = 12_000;

  private final ActionEmitter emitter;
  private final Program.Action action;
  private final WordLayout layout;

  SplitAction(ActionEmitter emitter, Program.Action action, WordLayout layout) {
    this.emitter = emitter;
    this.action = action;
    this.layout = layout;
  }

  /** The rest of the action's method, and the methods that it calls. */
  void emit(Code into) {
    int n = action.body().size();
    List<Code> steps = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      Code step = into.sameClass();
      step.line("case " + i + ": {");
      emitter.stepOfLoop(action, i, layout, "return " + n + ";", step);
      step.line("}");
      steps.add(step);
    }
    Code methods = into.sameClass();
    into.line("int step = 0;");
    into.line("rounds = 0;");
    into.line("while (step < " + n + ") {");
    int from = 0;
    int length = 0;
    for (int i = 0; i < n; i++) {
      length += steps.get(i).length();
      if (length > LONG || i == n - 1) {
        String name = ActionEmitter.method(action) + "_" + from;
        String data = action.parameters().isEmpty() ? "" : ", d, at";
        into.line("if (step >= %s && step <= %s) step = %s(p%s, step);", from, i, name, data);
        method(name, steps.subList(from, i + 1), i + 1, methods);
        from = i + 1;
        length = 0;
      }
    }
    into.line("}").line("}");
    into.add(methods);
  }

  private void method(String name, List<Code> steps, int next, Code into) {
    String data = action.parameters().isEmpty() ? "" : ", long[] d, int at";
    into.line("private int " + name + "(Packet p" + data + ", int from) {");
    into.line("int step = from;");
    into.line("while (rounds++ < MAX_ROUNDS) {");
    into.line("switch (step) {");
    steps.forEach(into::add);
    // The last step, if it does not jump, goes on here.
    into.line("case " + next + ": return " + next + ";");
    into.line("default: return step;");
    into.line("}").line("}");
    into.line("throw " + ActionEmitter.endless(action) + ";").line("}");
  }
}
