package net.sluice.emulator.v1model.codegen;

import java.util.List;
import net.sluice.emulator.v1model.codegen.expr.ExprEmitter;
import net.sluice.emulator.v1model.codegen.expr.HeaderEmitter;
import net.sluice.emulator.v1model.codegen.source.Code;
import net.sluice.emulator.v1model.codegen.source.Members;
import net.sluice.emulator.v1model.program.Header;
import net.sluice.emulator.v1model.program.HeaderStack;
import net.sluice.emulator.v1model.program.HeaderUnion;
import net.sluice.emulator.v1model.program.Primitive;

/**
 * Java for operations on whole header stacks (P4_16 specification, "Operations on header stacks"):
 * every element moves, whether the parser filled it or not. Of stacks of unions as bmv2 has it.
 */
final class StackEmitter {

  private StackEmitter() {}

  static void push(Primitive.Push push, Code into) {
    push(push.stack().headers(), push.count(), into);
    pushed(push.stack(), push.count(), into);
  }

  static void push(Primitive.PushUnions push, Code into) {
    swapUp(push.unions(), push.count(), into);
    pushed(push.stack(), push.count(), into);
  }

  static void pop(Primitive.Pop pop, Code into) {
    pop(pop.stack().headers(), pop.count(), into);
    popped(pop.stack(), pop.count(), into);
  }

  static void pop(Primitive.PopUnions pop, Code into) {
    swapDown(pop.unions(), pop.count(), into);
    popped(pop.stack(), pop.count(), into);
  }

  /** bmv2 does not invalidate a union that falls out of a stack, but swaps it with another. */
  private static void swapUp(List<HeaderUnion> unions, int count, Code into) {
    for (int i = unions.size() - 1; count > 0 && i >= count; i--) {
      swap(unions.get(i), unions.get(i - count), into);
    }
  }

  private static void swapDown(List<HeaderUnion> unions, int count, Code into) {
    for (int i = 0; count > 0 && i < unions.size() - count; i++) {
      swap(unions.get(i), unions.get(i + count), into);
    }
  }

  private static void swap(HeaderUnion a, HeaderUnion b, Code into) {
    for (int i = 0; i < a.headers().size(); i++) {
      HeaderEmitter.swap(a.headers().get(i), b.headers().get(i), into);
    }
  }

  static void shift(Primitive.Shift shift, ExprEmitter exprs, Code into) {
    int size = shift.unions() == null ? shift.stack().size() : shift.unions().size();
    String n = into.local();
    String what = shift.up() ? "push by" : "pop by";
    into.line("long " + n + " = " + exprs.count(shift.by(), what) + ";");
    String count = "Arith.minUnsigned(" + n + ", " + size + "L)";
    if (shift.unions() == null) {
      shiftHeaders(shift, count, into);
    } else {
      shiftUnions(shift, count, into);
    }
    String next = Members.next(shift.stack());
    String filled =
        shift.up()
            ? "Arith.minUnsigned(" + size + "L, " + n + " + " + next + ")"
            : next + " - Arith.minUnsigned(" + next + ", " + n + ")";
    into.line(next + " = (int) (" + filled + ");");
  }

  /** Moves by one element at a time, at most as often as the stack has elements. */
  private static void shiftHeaders(Primitive.Shift shift, String count, Code into) {
    String i = into.local();
    into.line("for (long " + i + " = " + count + "; " + i + " > 0; " + i + "--) {");
    if (shift.up()) {
      push(shift.stack().headers(), 1, into);
    } else {
      pop(shift.stack().headers(), 1, into);
    }
    into.line("}");
  }

  private static void shiftUnions(Primitive.Shift shift, String count, Code into) {
    into.line("switch ((int) " + count + ") {");
    for (int by = 1; by < shift.unions().size(); by++) {
      into.line("case " + by + ":");
      if (shift.up()) {
        swapUp(shift.unions(), by, into);
      } else {
        swapDown(shift.unions(), by, into);
      }
      into.line("break;");
    }
    into.line("default:").line("}");
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
        "%s = Math.min(%s, %s + %s);",
        Members.next(stack), stack.size(), Members.next(stack), count);
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
