package net.sluice.emulator.v1model.codegen;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import net.sluice.emulator.v1model.program.Expr;

/** The subexpressions that become methods of their own where an expression is too long for one. */
final class SplitExprs {

  /** Operations, or limbs of wide ones, that a method has at most, and half as many at least. */
  private static final int LARGE = 120;

  /** An operation counts as no more limbs than this: beyond it, limbs are computed in a loop. */
  private static final int MOST_LIMBS = 40;

  private final Intervals intervals;
  private final Map<Expr, Integer> left = new IdentityHashMap<>();
  private final Set<Expr> apart = Collections.newSetFromMap(new IdentityHashMap<>());

  SplitExprs(Intervals intervals) {
    this.intervals = intervals;
  }

  /** Whether a part is a method. */
  boolean isApart(Expr expr) {
    size(expr);
    return apart.contains(expr);
  }

  /** Operations of an expression that remain in the method that uses it. */
  private int size(Expr expr) {
    Integer known = left.get(expr);
    if (known == null) {
      int size = own(expr) + parts(expr);
      if (size > LARGE && !(expr instanceof Expr.Cell)) {
        apart.add(expr);
        size = 1;
      }
      known = size;
      left.put(expr, known);
    }
    return known;
  }

  private int own(Expr expr) {
    if (expr.type() != Expr.Type.NUMBER) {
      return expr.type() == Expr.Type.HEADER ? LARGE / 2 : 1;
    }
    return 1 + Math.min(MOST_LIMBS, intervals.of(expr).bits() / 64);
  }

  private int parts(Expr expr) {
    if (expr instanceof Expr.Choice choice) {
      return size(choice.condition()) + size(choice.left()) + size(choice.right());
    }
    if (expr instanceof Expr.Cell cell) {
      return size(cell.index());
    }
    if (expr instanceof Expr.Operation operation) {
      return (operation.left() == null ? 0 : size(operation.left())) + size(operation.right());
    }
    return 0;
  }
}
