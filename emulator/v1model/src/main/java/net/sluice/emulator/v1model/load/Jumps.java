package net.sluice.emulator.v1model.load;

import java.math.BigInteger;
import net.sluice.emulator.v1model.program.Primitive;

/** Resolves jump targets, which the JSON has as expressions. */
final class Jumps {

  private Jumps() {}

  /**
   * A step of an action; a jump to a constant beyond the last step becomes one to the end.
   *
   * @param at the step's number
   * @param end number of steps
   */
  static Primitive inAction(Primitive primitive, int at, int end) {
    if (!(primitive instanceof Primitive.ComputedJump jump)) {
      return primitive;
    }
    BigInteger to = ExprLoader.constant(jump.to());
    if (to == null) {
      return jump;
    }
    if (jump.condition() == null) {
      return new Primitive.Jump(to.signum() < 0 ? end : step(to, end));
    }
    return new Primitive.JumpIfZero(jump.condition(), to.signum() < 0 ? at + 1 : step(to, end));
  }

  private static int step(BigInteger to, int end) {
    return to.min(BigInteger.valueOf(end)).intValueExact();
  }

  /**
   * A step on its own, in a parser state or in the deparser: a jump ends it, or repeats it for ever
   * if its target is 0.
   */
  static Primitive alone(Primitive primitive) {
    if (!(primitive instanceof Primitive.ComputedJump jump)) {
      return primitive;
    }
    return new Primitive.Again(jump.condition(), jump.to());
  }
}
