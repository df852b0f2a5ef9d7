package net.sluice.emulator.bmv2.codegen;

import java.util.List;
import net.sluice.emulator.bmv2.program.Header;
import net.sluice.emulator.bmv2.program.HeaderStack;
import net.sluice.emulator.bmv2.program.Primitive;

/**
 * Java for what happens to whole header stacks, as P4_16 has it: every element moves, whether the
 * parser filled it or not.
 */
final class StackEmitter {

  private StackEmitter() {}

  static void push(Primitive.Push push, Code into) {
    HeaderStack stack = push.stack();
    List<Header> headers = stack.headers();
    int count = Math.min(push.count(), stack.size());
    for (int i = stack.size() - 1; i >= count; i--) {
      move(headers.get(i), headers.get(i - count), into);
    }
    for (int i = 0; i < count; i++) {
      into.line(Members.valid(headers.get(i)) + " = false;");
    }
    into.line(
        Members.next(stack)
            + " = Math.min("
            + stack.size()
            + ", "
            + Members.next(stack)
            + " + "
            + count
            + ");");
  }

  static void pop(Primitive.Pop pop, Code into) {
    HeaderStack stack = pop.stack();
    List<Header> headers = stack.headers();
    int count = Math.min(pop.count(), stack.size());
    for (int i = 0; i + count < stack.size(); i++) {
      move(headers.get(i), headers.get(i + count), into);
    }
    for (int i = stack.size() - count; i < stack.size(); i++) {
      into.line(Members.valid(headers.get(i)) + " = false;");
    }
    into.line(Members.next(stack) + " = Math.max(0, " + Members.next(stack) + " - " + count + ");");
  }

  static void assign(Primitive.AssignStack assign, Code into) {
    for (int i = 0; i < assign.target().size(); i++) {
      move(assign.target().headers().get(i), assign.source().headers().get(i), into);
    }
    into.line(Members.next(assign.target()) + " = " + Members.next(assign.source()) + ";");
  }

  static void assign(Primitive.AssignUnion assign, Code into) {
    for (int i = 0; i < assign.targets().size(); i++) {
      move(assign.targets().get(i), assign.sources().get(i), into);
    }
  }

  /** Copies fields and validity. */
  private static void move(Header target, Header source, Code into) {
    HeaderEmitter.copyFields(target, source, into);
    into.line(Members.valid(target) + " = " + Members.valid(source) + ";");
  }
}
