package net.sluice.emulator.bmv2.codegen;

import java.math.BigInteger;
import java.util.IdentityHashMap;
import java.util.Map;
import net.sluice.emulator.bmv2.program.Expr;
import net.sluice.emulator.bmv2.program.Expr.Op;
import net.sluice.emulator.bmv2.program.Header;

/** Finds the numbers that expressions can have, from the widths of the fields they are made of. */
final class Intervals {

  private final Map<Expr, Interval> known = new IdentityHashMap<>();

  /** The numbers that an expression can have. */
  Interval of(Expr expr) {
    Interval interval = known.get(expr);
    if (interval == null) {
      interval = compute(expr);
      known.put(expr, interval);
    }
    return interval;
  }

  private Interval compute(Expr expr) {
    if (expr instanceof Expr.FieldValue) {
      return intervalOf(((Expr.FieldValue) expr).ref().field());
    }
    if (expr instanceof Expr.Constant) {
      BigInteger value = ((Expr.Constant) expr).value();
      return new Interval(value, value);
    }
    if (expr instanceof Expr.StackNext) {
      return Interval.of(0, ((Expr.StackNext) expr).stack().size());
    }
    if (expr instanceof Expr.Parameter) {
      return Interval.unsigned(((Expr.Parameter) expr).widthBits());
    }
    if (expr instanceof Expr.Cell) {
      return Interval.unsigned(((Expr.Cell) expr).register().widthBits());
    }
    if (expr instanceof Expr.Choice) {
      return of(((Expr.Choice) expr).left()).union(of(((Expr.Choice) expr).right()));
    }
    Expr.Operation operation = (Expr.Operation) expr;
    if (operation.op() == Op.BOOL_TO_DATA) {
      return Interval.of(0, 1);
    }
    Interval right = of(operation.right());
    if (operation.op() == Op.BIT_NOT) {
      return right.not();
    }
    Interval left = of(operation.left());
    switch (operation.op()) {
      case ADD:
        return left.plus(right);
      case SUB:
        return left.minus(right);
      case MUL:
        return left.times(right);
      case DIV:
        // A dividend below 0 or a divisor below 1 ends the program.
        return new Interval(BigInteger.ZERO, left.max().max(BigInteger.ZERO))
            .dividedBy(right.min().max(BigInteger.ONE));
      case MOD:
        return new Interval(
            BigInteger.ZERO,
            left.max().min(right.max().subtract(BigInteger.ONE)).max(BigInteger.ZERO));
      case BIT_AND:
        return left.and(right);
      case BIT_OR:
      case BIT_XOR:
        return left.orXor(right);
      case SHL:
        return left.shiftedLeft(nonNegative(right));
      case SHR:
        return left.shiftedRight(nonNegative(right));
      case TWO_COMP_MOD:
        Interval signed = Interval.signed(width(operation));
        return left.within(signed) ? left : signed;
      case USAT_CAST:
        return left.clampedTo(Interval.unsigned(width(operation)));
      case SAT_CAST:
        return left.clampedTo(Interval.signed(width(operation)));
      default:
        throw new IllegalStateException(operation.op() + " is not a number");
    }
  }

  /** A negative shift distance ends the program. */
  private static Interval nonNegative(Interval interval) {
    return new Interval(interval.min().max(BigInteger.ZERO), interval.max().max(BigInteger.ZERO));
  }

  /** The width that a cast casts to, bits. */
  static int width(Expr.Operation cast) {
    return ((Expr.Constant) cast.right()).value().intValueExact();
  }

  /** A signed field of at most 63 bits can hold what its bits can hold unsigned, as in bmv2. */
  private static Interval intervalOf(Header.Field field) {
    if (!field.signed()) {
      return Interval.unsigned(field.widthBits());
    }
    Interval signed = Interval.signed(field.widthBits());
    return field.widthBits() <= 63 ? signed.union(Interval.unsigned(field.widthBits())) : signed;
  }
}
