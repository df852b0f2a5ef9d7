package net.sluice.emulator.v1model.codegen.expr;

import java.math.BigInteger;
import java.util.IdentityHashMap;
import java.util.Map;
import net.sluice.emulator.v1model.program.Expr;
import net.sluice.emulator.v1model.program.Expr.Op;
import net.sluice.emulator.v1model.program.Header;

/** Computes the ranges of expressions from the widths of their fields. */
final class Intervals {

  /** Bits of the greatest width that a cast is known to have: 65,535. */
  private static final int MAX_WIDTH_BITS = 16;

  private final Map<Expr, Interval> known = new IdentityHashMap<>();

  /** The range of an expression's values. */
  Interval of(Expr expr) {
    Interval interval = known.get(expr);
    if (interval == null) {
      interval = compute(expr);
      known.put(expr, interval);
    }
    return interval;
  }

  private Interval compute(Expr expr) {
    if (expr instanceof Expr.FieldValue fieldValue) {
      return intervalOf(fieldValue.ref().field());
    }
    if (expr instanceof Expr.VariableValue) {
      return Interval.NATURAL;
    }
    if (expr instanceof Expr.Constant constant) {
      BigInteger value = constant.value();
      return new Interval(value, value);
    }
    if (expr instanceof Expr.StackNext stackNext) {
      return Interval.of(0, stackNext.stack().size());
    }
    if (expr instanceof Expr.Parameter parameter) {
      return Interval.unsigned(parameter.widthBits());
    }
    if (expr instanceof Expr.Cell cell) {
      return Interval.unsigned(cell.register().widthBits());
    }
    if (expr instanceof Expr.Choice choice) {
      return of(choice.left()).union(of(choice.right()));
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
        // A dividend below 0 or a divisor below 1 fails.
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
        if (!hasWidth(operation)) {
          // A result that does not fit is truncated, to no more bits than it has.
          return left.union(Interval.signed(Math.max(1, left.bits())));
        }
        Interval signed = Interval.signed(width(operation));
        return left.within(signed) ? left : signed;
      case USAT_CAST:
        return hasWidth(operation)
            ? left.clampedTo(Interval.unsigned(width(operation)))
            : new Interval(BigInteger.ZERO, left.max().max(BigInteger.ZERO));
      case SAT_CAST:
        if (!hasWidth(operation)) {
          return left.union(Interval.of(0, 0));
        }
        return left.clampedTo(Interval.signed(width(operation)));
      default:
        throw new IllegalStateException(operation.op() + " is not a number");
    }
  }

  /** A negative shift distance fails. */
  private static Interval nonNegative(Interval interval) {
    return new Interval(interval.min().max(BigInteger.ZERO), interval.max().max(BigInteger.ZERO));
  }

  /** Whether an operator casts its left operand to the width given by the right one. */
  static boolean isCast(Op op) {
    return op == Op.TWO_COMP_MOD || op == Op.USAT_CAST || op == Op.SAT_CAST;
  }

  /** Whether a cast's width is a constant small enough for limbs. */
  static boolean hasWidth(Expr.Operation cast) {
    if (!(cast.right() instanceof Expr.Constant)) {
      return false;
    }
    BigInteger width = ((Expr.Constant) cast.right()).value();
    return width.signum() > 0 && width.bitLength() <= MAX_WIDTH_BITS;
  }

  /** The width that a cast casts to, bits, if {@link #hasWidth}. */
  static int width(Expr.Operation cast) {
    return ((Expr.Constant) cast.right()).value().intValueExact();
  }

  /**
   * A signed field of at most 63 bits can hold any number that fits its bits as unsigned, as in
   * bmv2.
   */
  private static Interval intervalOf(Header.Field field) {
    if (!field.signed()) {
      return Interval.unsigned(field.widthBits());
    }
    Interval signed = Interval.signed(field.widthBits());
    return field.widthBits() <= 63 ? signed.union(Interval.unsigned(field.widthBits())) : signed;
  }
}
