package net.sluice.emulator.v1model.codegen;

import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.v1model.codegen.source.Code;
import net.sluice.emulator.v1model.program.Program;

/**
 * The basic blocks of an action: its steps between jumps. Long ones become methods of their own:
 * Java limits a method to 64 KiB of code, and HotSpot compiles none of more than 8,000 bytes.
 */
final class BasicBlocks {

  /** Characters of source in a method, roughly a third as many bytes of code. */
  private static final int LONG = 12_000;

  private final Program.Action action;
  private final Code into;
  private final Code methods;
  private final List<Code> steps = new ArrayList<>();
  private int methodCount;

  /**
   * @param into the action's method
   */
  BasicBlocks(Program.Action action, Code into) {
    this.action = action;
    this.into = into;
    this.methods = into.sameClass();
  }

  /** The source that the next step is written to. */
  Code step() {
    Code step = into.sameClass();
    steps.add(step);
    return step;
  }

  /** Ends a block: writes its steps to the action's method, or to methods of their own. */
  void end() {
    int from = 0;
    int length = 0;
    int total = steps.stream().mapToInt(Code::length).sum();
    for (int i = 0; i < steps.size(); i++) {
      length += steps.get(i).length();
      if (total > LONG && (length > LONG / 2 || i == steps.size() - 1)) {
        method(steps.subList(from, i + 1));
        from = i + 1;
        length = 0;
      }
    }
    for (Code step : steps.subList(from, steps.size())) {
      into.add(step);
    }
    steps.clear();
  }

  private void method(List<Code> part) {
    String name = ActionEmitter.method(action) + "_" + methodCount++;
    methods.line("private void " + name + ActionEmitter.signature(action));
    part.forEach(methods::add);
    methods.line("}");
    into.line(name + (action.parameters().isEmpty() ? "(p);" : "(p, d, at);"));
  }

  /** Writes the blocks' methods behind the action's. */
  void declareMethods() {
    into.add(methods);
  }
}
