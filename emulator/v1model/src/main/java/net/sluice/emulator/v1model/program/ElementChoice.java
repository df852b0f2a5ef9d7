package net.sluice.emulator.v1model.program;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The operand of a primitive: one header or field, or an element of a stack at an index computed at
 * run time.
 *
 * @param index index into {@code places}, or null if there is only one; beyond them nothing is done
 * @param places headers or fields
 */
public record ElementChoice(Expr index, List<Expr> places) {

  /** The primitive, given the one for each place. */
  public Primitive first(Function<Expr, Primitive> step) {
    if (index == null) {
      return step.apply(places.get(0));
    }
    List<Expr> conditions = new ArrayList<>();
    List<Primitive> choices = new ArrayList<>();
    for (int i = 0; i < places.size(); i++) {
      conditions.add(
          new Expr.Operation(Expr.Op.EQ, index, new Expr.Constant(BigInteger.valueOf(i))));
      choices.add(step.apply(places.get(i)));
    }
    return new Primitive.FirstOf(List.copyOf(conditions), List.copyOf(choices));
  }
}
