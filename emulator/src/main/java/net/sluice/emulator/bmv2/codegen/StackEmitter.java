package net.sluice.emulator.bmv2.codegen;

import java.util.List;
import net.sluice.emulator.bmv2.program.Header;
import net.sluice.emulator.bmv2.program.HeaderStack;
import net.sluice.emulator.bmv2.program.HeaderUnion;
import net.sluice.emulator.bmv2.program.Primitive;

/**
 * Java for what happens to whole header stacks, as P4_16 has it: every element moves, whether the
 * parser filled it or not.
 */
final class StackEmitter {

  private StackEmitter() {}

  static void push(Primitive.Push push, Code into) {
    push(push.stack().headers(), push.count(), into);
    pushed(push.stack(), push.count(), into);
  }

  /** The members of unions move kind by kind. */
  static void push(Primitive.PushUnions push, Code into) {
    for (int kind = 0; kind < push.unions().get(0).headers().size(); kind++) {
      push(members(push.unions(), kind), push.count(), into);
    }
    pushed(push.stack(), push.count(), into);
  }

  static void pop(Primitive.Pop pop, Code into) {
    pop(pop.stack().headers(), pop.count(), into);
    popped(pop.stack(), pop.count(), into);
  }

  static void pop(Primitive.PopUnions pop, Code into) {
    for (int kind = 0; kind < pop.unions().get(0).headers().size(); kind++) {
      pop(members(pop.unions(), kind), pop.count(), into);
    }
    popped(pop.stack(), pop.count(), into);
  }

  private static List<Header> members(List<HeaderUnion> unions, int kind) {
    return unions.stream().map(u -> u.headers().get(kind)).toList();
  }

  private static void push(List<Header> headers, int by, Code into) {
    int count = Math.min(by, headers.size());
    for (int i = headers.size() - 1; i >= count; i--) {
      move(headers.get(i), headers.get(i - count), into);
    }
    for (int i = 0; i < count; i++) {
      into.line(Members.valid(headers.get(i)) + " = false;");
    }
  }

  private static void pushed(HeaderStack stack, int by, Code into) {
    int count = Math.min(by, stack.size());
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

  private static void pop(List<Header> headers, int by, Code into) {
    int count = Math.min(by, headers.size());
    for (int i = 0; i + count < headers.size(); i++) {
      move(headers.get(i), headers.get(i + count), into);
    }
    for (int i = headers.size() - count; i < headers.size(); i++) {
      into.line(Members.valid(headers.get(i)) + " = false;");
    }
  }

  private static void popped(HeaderStack stack, int by, Code into) {
    int count = Math.min(by, stack.size());
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

  static void assign(Primitive.AssignUnionStack assign, Code into) {
    for (Primitive.AssignUnion union : assign.unions()) {
      assign(union, into);
    }
    into.line(Members.next(assign.target()) + " = " + Members.next(assign.source()) + ";");
  }

  /** Copies fields and validity. */
  private static void move(Header target, Header source, Code into) {
    HeaderEmitter.copyFields(target, source, into);
    into.line(Members.valid(target) + " = " + Members.valid(source) + ";");
  }
}
