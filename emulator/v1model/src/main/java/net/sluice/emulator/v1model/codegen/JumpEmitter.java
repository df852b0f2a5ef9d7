package net.sluice.emulator.v1model.codegen;

import java.math.BigInteger;
import net.sluice.emulator.v1model.codegen.expr.DiagnosticEmitter;
import net.sluice.emulator.v1model.codegen.expr.ExprEmitter;
import net.sluice.emulator.v1model.codegen.source.Code;
import net.sluice.emulator.v1model.program.Expr;
import net.sluice.emulator.v1model.program.Primitive;

/** Java for jumps whose target is computed at run time, and for jumps of a step to itself. */
final class JumpEmitter {

  private JumpEmitter() {}

  /** Whether a jump is not taken, a Java {@code boolean}; numbers other than 0 count as true. */
  static String condition(Expr condition, ExprEmitter exprs) {
    return exprs.condition(
        condition.type() == Expr.Type.NUMBER
            ? new Expr.Operation(Expr.Op.DATA_TO_BOOL, null, condition)
            : condition);
  }

  /**
   * A jump in a switch over {@code step} in a loop.
   *
   * @param end statement that leaves the action
   */
  static void computed(
      Primitive.ComputedJump jump, int at, String end, ExprEmitter exprs, Code into) {
    if (jump.condition() == null) {
      into.line("step = " + exprs.step(jump.to()) + ";");
      into.line("if (step < 0) " + end).line("continue;");
      return;
    }
    String holds = into.traced("branch(%s)", condition(jump.condition(), exprs));
    into.line("if (!" + holds + ") {");
    into.line("step = " + exprs.step(jump.to()) + ";");
    into.line("if (step < 0) step = " + (at + 1) + ";");
    into.line("continue;").line("}");
  }

  /** A step that jumps to itself fails where bmv2 would loop for ever. */
  static void again(Primitive.Again again, ExprEmitter exprs, Code into, String place) {
    String zero = exprs.condition(new Expr.Operation(Expr.Op.EQ, again.to(), ZERO));
    String jumps =
        again.condition() == null
            ? zero
            : "!" + into.traced("branch(%s)", condition(again.condition(), exprs)) + " && " + zero;
    into.line("if (" + jumps + ") {");
    into.line(
        "throw failure(%s, p);",
        DiagnosticEmitter.quoted(place + ": a jump to itself, which would never end"));
    into.line("}");
  }

  private static final Expr ZERO = new Expr.Constant(BigInteger.ZERO);
}
