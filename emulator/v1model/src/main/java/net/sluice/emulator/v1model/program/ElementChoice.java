package net.sluice.emulator.v1model.program;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A header, or a field of one, that something is done to: either one, or the elements of a stack of
 * which the packet tells the index.
 *
 * @param index which of {@code places} is meant, or null if there is only one; none is if it is
 *     beyond them
 * @param places headers or fields
 */
record ElementChoice(Expr index, List<Expr> places) {

  /** What to do, given what to do to each of the places. */
  Primitive first(Function<Expr, Primitive> step) {
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
