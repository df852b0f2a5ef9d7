package net.sluice.emulator.v1model.codegen.expr;

import static net.sluice.emulator.v1model.codegen.source.Members.literal;

import java.math.BigInteger;
import net.sluice.emulator.v1model.codegen.source.Code;
import net.sluice.emulator.v1model.codegen.source.Members;
import net.sluice.emulator.v1model.program.Expr;
import net.sluice.emulator.v1model.program.Expr.Op;
import net.sluice.emulator.v1model.program.Header;

/** Java for expressions whose values may be too large for a {@code long}. */
final class WideEmitter {

  /** Widest number computed as a whole, bits: a shift by a variable may be huge. */
  private static final int MAX_WHOLE_BITS = 1 << 14;

  private final ExprEmitter narrow;
  private final Code code;
  private final String place;
  private final LimbEmitter byLimbs;

  /**
   * @param narrow emits expressions that fit in a {@code long}
   * @param place position in the program, for error messages
   */
  WideEmitter(ExprEmitter narrow, Code code, String place) {
    this.narrow = narrow;
    this.code = code;
    this.place = place;
    this.byLimbs = new LimbEmitter(this, narrow, code);
  }

  /**
   * The {@code n} lowest 64-bit limbs of the expression's two's complement, the least significant
   * first.
   */
  String[] limbs(Expr expr, int n) {
    Interval interval = narrow.interval(expr);
    if (interval.fitsLong() || interval.fitsUnsignedLong()) {
      return limbsOfLong(narrow.low(expr), interval.isNonNegative(), n);
    }
    if (expr instanceof Expr.FieldValue fieldValue) {
      Header.Ref ref = fieldValue.ref();
      int own = Members.limbs(ref.field().widthBits());
      String[] limbs = new String[n];
      for (int i = 0; i < n; i++) {
        limbs[i] =
            i < own
                ? Members.field(ref, i)
                : ref.field().signed() ? "(" + Members.field(ref, own - 1) + " >> 63)" : "0L";
      }
      return limbs;
    }
    if (expr instanceof Expr.VariableValue variableValue) {
      String[] limbs = new String[n];
      for (int i = 0; i < n; i++) {
        limbs[i] = Members.variable(variableValue.header()) + ".limb(" + i + ")";
      }
      return limbs;
    }
    if (expr instanceof Expr.Cell cell) {
      String[] own = narrow.cell(cell);
      String[] limbs = new String[n];
      for (int i = 0; i < n; i++) {
        limbs[i] = i < own.length ? own[i] : "0L";
      }
      return limbs;
    }
    if (expr instanceof Expr.Constant constant) {
      String[] limbs = new String[n];
      for (int i = 0; i < n; i++) {
        limbs[i] = literal(constant.value().shiftRight(64 * i).longValue());
      }
      return limbs;
    }
    if (expr instanceof Expr.Parameter parameter) {
      String[] limbs = new String[n];
      for (int i = 0; i < n; i++) {
        limbs[i] =
            i < Members.limbs(parameter.widthBits())
                ? narrow.parameter(parameter.index(), i)
                : "0L";
      }
      return limbs;
    }
    if (expr instanceof Expr.Choice choice) {
      String condition = code.local();
      code.line("boolean " + condition + " = " + narrow.condition(choice.condition()) + ";");
      return combine(
          limbs(choice.left(), n), limbs(choice.right(), n), "(" + condition + " ? ", " : ");
    }
    return limbs((Expr.Operation) expr, n);
  }

  private String[] limbsOfLong(String low, boolean nonNegative, int n) {
    String[] limbs = new String[n];
    String value = code.local();
    code.line("long " + value + " = " + low + ";");
    limbs[0] = value;
    for (int i = 1; i < n; i++) {
      limbs[i] = nonNegative ? "0L" : "(" + value + " >> 63)";
    }
    return limbs;
  }

  private String[] limbs(Expr.Operation e, int n) {
    switch (e.op()) {
      case BIT_AND:
        return combine(limbs(e.left(), n), limbs(e.right(), n), "(", " & ");
      case BIT_OR:
        return combine(limbs(e.left(), n), limbs(e.right(), n), "(", " | ");
      case BIT_XOR:
        return combine(limbs(e.left(), n), limbs(e.right(), n), "(", " ^ ");
      case BIT_NOT:
        String[] limbs = limbs(e.right(), n);
        for (int i = 0; i < n; i++) {
          limbs[i] = "(~" + limbs[i] + ")";
        }
        return limbs;
      case SHL:
      case SHR:
        if (e.right() instanceof Expr.Constant
            && narrow.interval(e.right()).max().bitLength() <= 16) {
          return shifted(e, n);
        }
        return computed(e, n);
      default:
        return computed(e, n);
    }
  }

  private String[] computed(Expr.Operation e, int n) {
    return byLimbs.can(e, n) ? byLimbs.limbs(e, n) : limbsOfBig(e, n);
  }

  /** The low 64 bits of an operation on numbers that do not fit in a {@code long}. */
  String low(Expr.Operation e) {
    return byLimbs.can(e, 1) ? byLimbs.limbs(e, 1)[0] : big(e) + ".longValue()";
  }

  /** A Java {@code int} that compares two numbers as {@link Comparable} does. */
  String compared(Expr left, Expr right) {
    String order = byLimbs.compared(left, right);
    return order == null ? big(left) + ".compareTo(" + big(right) + ")" : order;
  }

  private static String[] combine(String[] a, String[] b, String before, String between) {
    String[] limbs = new String[a.length];
    for (int i = 0; i < a.length; i++) {
      limbs[i] = before + a[i] + between + b[i] + ")";
    }
    return limbs;
  }

  String[] shifted(Expr.Operation e, int n) {
    int distance = ((Expr.Constant) e.right()).value().intValueExact();
    int words = distance / 64;
    int bits = distance % 64;
    boolean left = e.op() == Op.SHL;
    String[] from = named(limbs(e.left(), left ? n : n + words + 1));
    String[] limbs = new String[n];
    for (int i = 0; i < n; i++) {
      String high = left ? limb(from, i - words) : limb(from, i + words + 1);
      String low = left ? limb(from, i - words - 1) : limb(from, i + words);
      String aligned = left ? high : low;
      limbs[i] =
          bits == 0
              ? aligned
              : left
                  ? "(" + high + " << " + bits + " | " + low + " >>> " + (64 - bits) + ")"
                  : "(" + low + " >>> " + bits + " | " + high + " << " + (64 - bits) + ")";
    }
    return limbs;
  }

  private static String limb(String[] limbs, int i) {
    return i < 0 ? "0L" : limbs[i];
  }

  /** Stores limbs in local variables, so that they are computed once. */
  String[] named(String[] limbs) {
    String[] names = new String[limbs.length];
    for (int i = 0; i < limbs.length; i++) {
      if (limbs[i].indexOf('(') >= 0) {
        names[i] = code.local();
        code.line("long " + names[i] + " = " + limbs[i] + ";");
      } else {
        names[i] = limbs[i];
      }
    }
    return names;
  }

  private String[] limbsOfBig(Expr expr, int n) {
    String value = code.local();
    code.line("BigInteger " + value + " = " + modular(expr, 64 * n) + ";");
    String[] limbs = new String[n];
    for (int i = 0; i < n; i++) {
      limbs[i] = i == 0 ? value + ".longValue()" : "Arith.limb(" + value + ", " + i + ")";
    }
    return limbs;
  }

  /**
   * A {@link BigInteger} whose lowest {@code bits} bits are the expression's, for values too large
   * to compute whole.
   */
  String modular(Expr expr, int bits) {
    if (narrow.interval(expr).bits() <= MAX_WHOLE_BITS) {
      return big(expr);
    }
    if (expr instanceof Expr.Choice choice) {
      return "(%s ? %s : %s)"
          .formatted(
              narrow.condition(choice.condition()),
              modular(choice.left(), bits),
              modular(choice.right(), bits));
    }
    if (!(expr instanceof Expr.Operation e)) {
      return big(expr);
    }
    return switch (e.op()) {
      case ADD, SUB, MUL, BIT_AND, BIT_OR, BIT_XOR ->
          "%s.%s(%s)".formatted(modular(e.left(), bits), method(e.op()), modular(e.right(), bits));
      case BIT_NOT -> modular(e.right(), bits) + ".not()";
      case SHL ->
          "Arith.shl(%s, %s, %s)"
              .formatted(modular(e.left(), bits), narrow.distance(e.right()), bits);
      default -> big(e);
    };
  }

  /** The expression as a decimal number, a Java {@code String}. */
  String decimal(Expr expr) {
    Interval interval = narrow.interval(expr);
    if (interval.fitsLong()) {
      return "Long.toString(" + narrow.low(expr) + ")";
    }
    return interval.fitsUnsignedLong()
        ? "Long.toUnsignedString(" + narrow.low(expr) + ")"
        : big(expr) + ".toString()";
  }

  /** The expression as a {@link BigInteger}. */
  String big(Expr expr) {
    Interval interval = narrow.interval(expr);
    if (expr instanceof Expr.Constant constant) {
      return code.constant(constant.value());
    }
    if (expr instanceof Expr.VariableValue variableValue) {
      return Members.variable(variableValue.header()) + ".number()";
    }
    if (expr instanceof Expr.Operation operation && needsBig(operation)) {
      return big(operation);
    }
    if (interval.fitsLong()) {
      return "BigInteger.valueOf(" + narrow.low(expr) + ")";
    }
    if (interval.fitsUnsignedLong()) {
      return "Arith.unsigned(" + narrow.low(expr) + ")";
    }
    if (expr instanceof Expr.Operation) {
      return big((Expr.Operation) expr);
    }
    if (expr instanceof Expr.Choice choice) {
      return "(%s ? %s : %s)"
          .formatted(narrow.condition(choice.condition()), big(choice.left()), big(choice.right()));
    }
    int n = interval.bits() / 64 + 1;
    return "Arith.fromLimbs(true, new long[] {" + String.join(", ", limbs(expr, n)) + "})";
  }

  /** Whether even the low 64 bits of an operation need its operands as a whole. */
  private boolean needsBig(Expr.Operation e) {
    if (Intervals.isCast(e.op()) && !Intervals.hasWidth(e)) {
      return !narrow.interval(e.left()).fitsLong();
    }
    return switch (e.op()) {
      case USAT_CAST, SAT_CAST, SHR -> {
        Interval left = narrow.interval(e.left());
        yield !left.fitsLong() && !left.fitsUnsignedLong();
      }
      case DIV, MOD -> {
        Interval of = narrow.interval(e.left());
        Interval by = narrow.interval(e.right());
        yield !(of.fitsLong() && by.fitsLong())
            && !(of.fitsUnsignedLong() && by.fitsUnsignedLong());
      }
      default -> false;
    };
  }

  private String big(Expr.Operation e) {
    if (Intervals.isCast(e.op()) && !Intervals.hasWidth(e)) {
      return narrow.castByPacket(e, big(e.left()));
    }
    switch (e.op()) {
      case BIT_NOT:
        return big(e.right()) + ".not()";
      case SHL:
        if (narrow.interval(e.right()).max().compareTo(BigInteger.valueOf(Interval.MAX_SHIFT))
            >= 0) {
          return "Arith.shlWhole(%s, %s, %s)"
              .formatted(
                  big(e.left()), narrow.distance(e.right()), DiagnosticEmitter.quoted(place));
        }
        return "Arith.shl(" + big(e.left()) + ", " + narrow.distance(e.right()) + ")";
      case SHR:
        return "Arith.shr(" + big(e.left()) + ", " + narrow.distance(e.right()) + ")";
      case TWO_COMP_MOD:
        return "Arith.twoComplement(%s, %s)"
            .formatted(modular(e.left(), Intervals.width(e)), Intervals.width(e));
      case DIV:
        return narrow.checked("quotient", big(e.left()), big(e.right()));
      case MOD:
        return narrow.checked("remainder", big(e.left()), big(e.right()));
      case BIT_AND:
        return masked(e);
      case USAT_CAST:
        return "Arith.usat(" + big(e.left()) + ", " + Intervals.width(e) + ")";
      case SAT_CAST:
        return "Arith.sat(" + big(e.left()) + ", " + Intervals.width(e) + ")";
      default:
        return big(e.left()) + "." + method(e.op()) + "(" + big(e.right()) + ")";
    }
  }

  /**
   * Of an operand too large to compute as a whole, only the bits in the other's mask are computed.
   */
  private String masked(Expr.Operation e) {
    int bits = narrow.interval(e).bits();
    boolean cut = narrow.interval(e).isNonNegative() && bits <= MAX_WHOLE_BITS;
    String left = cut ? modular(e.left(), bits) : big(e.left());
    String right = cut ? modular(e.right(), bits) : big(e.right());
    return left + ".and(" + right + ")";
  }

  private static String method(Op op) {
    return switch (op) {
      case ADD -> "add";
      case SUB -> "subtract";
      case MUL -> "multiply";
      case BIT_AND -> "and";
      case BIT_OR -> "or";
      case BIT_XOR -> "xor";
      default -> throw new IllegalStateException(op + " has no method");
    };
  }
}
