package net.sluice.emulator.bmv2.codegen;

import static net.sluice.emulator.bmv2.codegen.Members.literal;

import java.math.BigInteger;
import net.sluice.emulator.bmv2.program.Expr;
import net.sluice.emulator.bmv2.program.Expr.Op;
import net.sluice.emulator.bmv2.program.Header;
import net.sluice.emulator.bmv2.program.UnsupportedProgramException;
import net.sluice.emulator.bmv2.table.WordLayout;

/**
 * Turns expressions into Java.
 *
 * <p>bmv2 computes with integers of any size and truncates when it stores. Here every expression
 * has an {@link Interval} of possible values, and what is asked of it is one of three things: its
 * low 64 bits, which most operators can compute from their operands' low 64 bits, exact or not; a
 * number of 64-bit limbs of its two's complement; or a {@link BigInteger}, the slow way that is
 * always right. An expression whose interval fits in a signed or unsigned {@code long} is exactly
 * its low 64 bits.
 *
 * <p>Statements that have to come before the one that uses the expression go to the {@link Code}
 * given.
 */
final class ExprEmitter {

  private final Code code;
  private final WordLayout parameters;
  private final String place;
  private final Intervals intervals;

  /**
   * @param parameters where the enclosing action's parameters lie in its data, or null outside of
   *     actions
   * @param place where in the program this is, for complaints
   */
  ExprEmitter(Code code, WordLayout parameters, String place) {
    this.code = code;
    this.parameters = parameters;
    this.place = place;
    this.intervals = new Intervals(place);
  }

  /** The numbers that an expression can have. */
  Interval interval(Expr expr) {
    return intervals.of(expr);
  }

  // ---- the low 64 bits ----

  /** A Java {@code long} with the expression's low 64 bits; all of it, if its interval fits. */
  String low(Expr expr) {
    if (expr instanceof Expr.FieldValue) {
      return Members.field(((Expr.FieldValue) expr).ref(), 0);
    }
    if (expr instanceof Expr.Constant) {
      return literal(((Expr.Constant) expr).value().longValue());
    }
    if (expr instanceof Expr.Parameter) {
      return parameter(((Expr.Parameter) expr).index(), 0);
    }
    if (expr instanceof Expr.StackNext) {
      return "(long) " + Members.next(((Expr.StackNext) expr).stack());
    }
    if (expr instanceof Expr.Choice) {
      Expr.Choice choice = (Expr.Choice) expr;
      return "("
          + condition(choice.condition())
          + " ? "
          + low(choice.left())
          + " : "
          + low(choice.right())
          + ")";
    }
    return low((Expr.Operation) expr);
  }

  private String low(Expr.Operation e) {
    switch (e.op()) {
      case ADD:
        return binary(e, "+");
      case SUB:
        return binary(e, "-");
      case MUL:
        return binary(e, "*");
      case BIT_AND:
        return isWithinMask(e.left(), e.right())
            ? low(e.left())
            : isWithinMask(e.right(), e.left()) ? low(e.right()) : binary(e, "&");
      case BIT_OR:
        return binary(e, "|");
      case BIT_XOR:
        return binary(e, "^");
      case BIT_NOT:
        return "(~" + low(e.right()) + ")";
      case BOOL_TO_DATA:
        return "(" + condition(e.right()) + " ? 1L : 0L)";
      case DIV:
      case MOD:
        return divided(e);
      case SHL:
        return shiftedLeft(e);
      case SHR:
        return shiftedRight(e);
      case TWO_COMP_MOD:
        if (Intervals.width(e) >= 64
            || interval(e.left()).within(Interval.signed(Intervals.width(e)))) {
          return low(e.left());
        }
        int up = 64 - Intervals.width(e);
        return "(" + low(e.left()) + " << " + up + " >> " + up + ")";
      case USAT_CAST:
      case SAT_CAST:
        return clamped(e);
      default:
        throw new IllegalStateException(e.op() + " is not a number");
    }
  }

  private String binary(Expr.Operation e, String symbol) {
    return "(" + low(e.left()) + " " + symbol + " " + low(e.right()) + ")";
  }

  /** Whether {@code mask} is a constant that takes nothing away from {@code value}. */
  private boolean isWithinMask(Expr value, Expr mask) {
    if (!(mask instanceof Expr.Constant)) {
      return false;
    }
    BigInteger m = ((Expr.Constant) mask).value();
    boolean allOnes = m.signum() > 0 && m.and(m.add(BigInteger.ONE)).signum() == 0;
    return allOnes && interval(value).within(new Interval(BigInteger.ZERO, m));
  }

  private String divided(Expr.Operation e) {
    Interval left = interval(e.left());
    BigInteger divisor = ((Expr.Constant) e.right()).value();
    boolean div = e.op() == Op.DIV;
    if (left.fitsLong() && divisor.bitLength() <= 63) {
      return "(" + low(e.left()) + (div ? " / " : " % ") + literal(divisor.longValue()) + ")";
    }
    if (left.fitsUnsignedLong() && divisor.bitLength() <= 64) {
      return "Long."
          + (div ? "divideUnsigned(" : "remainderUnsigned(")
          + low(e.left())
          + ", "
          + literal(divisor.longValue())
          + ")";
    }
    return big(e) + ".longValue()";
  }

  private String shiftedLeft(Expr.Operation e) {
    if (e.right() instanceof Expr.Constant) {
      BigInteger distance = ((Expr.Constant) e.right()).value();
      return distance.bitLength() > 6 ? "0L" : "(" + low(e.left()) + " << " + distance + ")";
    }
    return "Arith.shl(" + low(e.left()) + ", " + distance(e.right()) + ")";
  }

  private String shiftedRight(Expr.Operation e) {
    Interval left = interval(e.left());
    boolean wide = !left.fitsLong() && !left.fitsUnsignedLong();
    if (e.right() instanceof Expr.Constant) {
      BigInteger big = ((Expr.Constant) e.right()).value();
      int distance = big.min(BigInteger.valueOf(Interval.MAX_SHIFT)).intValue();
      if (wide) {
        return distance == Interval.MAX_SHIFT ? big(e) + ".longValue()" : shifted(e, 1)[0];
      }
      if (left.isNonNegative()) {
        return distance > 63
            ? "0L"
            : distance == 0 ? low(e.left()) : "(" + low(e.left()) + " >>> " + distance + ")";
      }
      return "(" + low(e.left()) + " >> " + Math.min(distance, 63) + ")";
    }
    if (wide) {
      return big(e) + ".longValue()";
    }
    return (left.fitsLong() ? "Arith.sar(" : "Arith.shr(")
        + low(e.left())
        + ", "
        + distance(e.right())
        + ")";
  }

  /** A shift distance as an unsigned {@code long}; what is larger is as good as the largest. */
  private String distance(Expr expr) {
    Interval interval = interval(expr);
    intervals.checkNonNegative(interval, "shift distance");
    if (!interval.fitsUnsignedLong()) {
      throw new UnsupportedProgramException("shift distance of more than 64 bits", place);
    }
    return low(expr);
  }

  private String clamped(Expr.Operation e) {
    boolean unsigned = e.op() == Op.USAT_CAST;
    int width = Intervals.width(e);
    Interval target = unsigned ? Interval.unsigned(width) : Interval.signed(width);
    Interval left = interval(e.left());
    if (left.within(target)) {
      return low(e.left());
    }
    if (left.fitsLong()) {
      Interval result = left.clampedTo(target);
      return unsigned
          ? "Arith.usat(" + low(e.left()) + ", " + literal(result.max().longValue()) + ")"
          : "Arith.sat("
              + low(e.left())
              + ", "
              + literal(result.min().longValue())
              + ", "
              + literal(result.max().longValue())
              + ")";
    }
    if (left.fitsUnsignedLong()) {
      return "Arith.minUnsigned(" + low(e.left()) + ", " + literal(target.max().longValue()) + ")";
    }
    return big(e) + ".longValue()";
  }

  private String parameter(int index, int limb) {
    WordLayout.Field field = parameters.fields().get(index);
    String word = "d[at + " + (field.word() + limb) + "]";
    if (field.widthBits() >= 64) {
      return word;
    }
    String shifted = field.shift() == 0 ? word : "(" + word + " >>> " + field.shift() + ")";
    return field.shift() + field.widthBits() == 64
        ? shifted
        : "(" + shifted + " & " + literal(Members.ones(field.widthBits())) + ")";
  }

  // ---- conditions ----

  /** A Java {@code boolean}. */
  String condition(Expr expr) {
    if (expr instanceof Expr.Truth) {
      return String.valueOf(((Expr.Truth) expr).value());
    }
    if (expr instanceof Expr.Valid) {
      return Members.valid(((Expr.Valid) expr).header());
    }
    if (expr instanceof Expr.Choice) {
      Expr.Choice choice = (Expr.Choice) expr;
      return "("
          + condition(choice.condition())
          + " ? "
          + condition(choice.left())
          + " : "
          + condition(choice.right())
          + ")";
    }
    Expr.Operation e = (Expr.Operation) expr;
    switch (e.op()) {
      case NOT:
        return "!" + condition(e.right());
      case AND:
        return "(" + condition(e.left()) + " && " + condition(e.right()) + ")";
      case OR:
        return "(" + condition(e.left()) + " || " + condition(e.right()) + ")";
      case DATA_TO_BOOL:
        return "!" + equal(e.right(), new Expr.Constant(BigInteger.ZERO));
      case EQ:
        return equal(e.left(), e.right());
      case NE:
        return "!" + equal(e.left(), e.right());
      default:
        return ordered(e);
    }
  }

  private String equal(Expr left, Expr right) {
    if (left.type() == Expr.Type.BOOL) {
      return "(" + condition(left) + " == " + condition(right) + ")";
    }
    if (left.type() == Expr.Type.HEADER) {
      return sameHeaders(((Expr.HeaderValue) left).header(), ((Expr.HeaderValue) right).header());
    }
    if (left.type() == Expr.Type.VARIABLE) {
      return Members.variable(((Expr.VariableValue) left).header())
          + ".same("
          + Members.variable(((Expr.VariableValue) right).header())
          + ")";
    }
    Interval both = interval(left).union(interval(right));
    if (both.fitsLong() || both.fitsUnsignedLong()) {
      return "(" + low(left) + " == " + low(right) + ")";
    }
    int n = both.bits() / 64 + 1;
    String[] l = limbs(left, n);
    String[] r = limbs(right, n);
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < n; i++) {
      if (!l[i].equals(r[i])) {
        all.append(all.length() == 0 ? "" : " && ").append(l[i]).append(" == ").append(r[i]);
      }
    }
    return all.length() == 0 ? "true" : "(" + all + ")";
  }

  private static String sameHeaders(Header a, Header b) {
    StringBuilder all = new StringBuilder("(" + Members.valid(a) + " && " + Members.valid(b));
    for (int f = 0; f < a.fields().size(); f++) {
      for (int limb = 0; limb < Members.limbs(a.fields().get(f).widthBits()); limb++) {
        all.append(" && ")
            .append(Members.field(new Header.Ref(a, a.fields().get(f)), limb))
            .append(" == ")
            .append(Members.field(new Header.Ref(b, b.fields().get(f)), limb));
      }
    }
    if (a.isVariable()) {
      all.append(" && ")
          .append(Members.variable(a))
          .append(".same(")
          .append(Members.variable(b))
          .append(")");
    }
    return all.append(")").toString();
  }

  private String ordered(Expr.Operation e) {
    String symbol = e.op().symbol();
    Interval left = interval(e.left());
    Interval right = interval(e.right());
    if (left.fitsLong() && right.fitsLong()) {
      return "(" + low(e.left()) + " " + symbol + " " + low(e.right()) + ")";
    }
    if (left.fitsUnsignedLong() && right.fitsUnsignedLong()) {
      return "(Long.compareUnsigned("
          + low(e.left())
          + ", "
          + low(e.right())
          + ") "
          + symbol
          + " 0)";
    }
    return "(" + big(e.left()) + ".compareTo(" + big(e.right()) + ") " + symbol + " 0)";
  }

  // ---- wide numbers ----

  /**
   * The {@code n} lowest 64-bit limbs of the expression's two's complement, the least significant
   * first.
   */
  String[] limbs(Expr expr, int n) {
    Interval interval = interval(expr);
    if (interval.fitsLong() || interval.fitsUnsignedLong()) {
      return limbsOfLong(low(expr), interval.isNonNegative(), n);
    }
    if (expr instanceof Expr.FieldValue) {
      Header.Ref ref = ((Expr.FieldValue) expr).ref();
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
    if (expr instanceof Expr.Constant) {
      String[] limbs = new String[n];
      for (int i = 0; i < n; i++) {
        limbs[i] = literal(((Expr.Constant) expr).value().shiftRight(64 * i).longValue());
      }
      return limbs;
    }
    if (expr instanceof Expr.Parameter) {
      Expr.Parameter parameter = (Expr.Parameter) expr;
      String[] limbs = new String[n];
      for (int i = 0; i < n; i++) {
        limbs[i] =
            i < Members.limbs(parameter.widthBits()) ? parameter(parameter.index(), i) : "0L";
      }
      return limbs;
    }
    if (expr instanceof Expr.Choice) {
      Expr.Choice choice = (Expr.Choice) expr;
      String condition = code.local();
      code.line("boolean " + condition + " = " + condition(choice.condition()) + ";");
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
        if (e.right() instanceof Expr.Constant && interval(e.right()).max().bitLength() <= 16) {
          return shifted(e, n);
        }
        return limbsOfBig(e, n);
      default:
        return limbsOfBig(e, n);
    }
  }

  private static String[] combine(String[] a, String[] b, String before, String between) {
    String[] limbs = new String[a.length];
    for (int i = 0; i < a.length; i++) {
      limbs[i] = before + a[i] + between + b[i] + ")";
    }
    return limbs;
  }

  private String[] shifted(Expr.Operation e, int n) {
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

  /** Gives limbs names, so that using them twice does not compute them twice. */
  private String[] named(String[] limbs) {
    String[] names = new String[limbs.length];
    for (int i = 0; i < limbs.length; i++) {
      if (limbs[i].startsWith("(")) {
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
    code.line("BigInteger " + value + " = " + big(expr) + ";");
    String[] limbs = new String[n];
    for (int i = 0; i < n; i++) {
      limbs[i] = i == 0 ? value + ".longValue()" : "Arith.limb(" + value + ", " + i + ")";
    }
    return limbs;
  }

  /** The expression as a {@link BigInteger}. */
  private String big(Expr expr) {
    Interval interval = interval(expr);
    if (expr instanceof Expr.Constant) {
      return code.constant(((Expr.Constant) expr).value());
    }
    if (expr instanceof Expr.Operation && needsBig((Expr.Operation) expr)) {
      return big((Expr.Operation) expr);
    }
    if (interval.fitsLong()) {
      return "BigInteger.valueOf(" + low(expr) + ")";
    }
    if (interval.fitsUnsignedLong()) {
      return "Arith.unsigned(" + low(expr) + ")";
    }
    if (expr instanceof Expr.Operation) {
      return big((Expr.Operation) expr);
    }
    if (expr instanceof Expr.Choice) {
      Expr.Choice choice = (Expr.Choice) expr;
      return "("
          + condition(choice.condition())
          + " ? "
          + big(choice.left())
          + " : "
          + big(choice.right())
          + ")";
    }
    int n = interval.bits() / 64 + 1;
    return "Arith.fromLimbs(true, new long[] {" + String.join(", ", limbs(expr, n)) + "})";
  }

  /** Whether even the low 64 bits of an operation take large numbers to compute. */
  private boolean needsBig(Expr.Operation e) {
    switch (e.op()) {
      case USAT_CAST:
      case SAT_CAST:
      case DIV:
      case MOD:
      case SHR:
        Interval left = interval(e.left());
        return !left.fitsLong() && !left.fitsUnsignedLong();
      default:
        return false;
    }
  }

  private String big(Expr.Operation e) {
    switch (e.op()) {
      case BIT_NOT:
        return big(e.right()) + ".not()";
      case SHL:
        if (interval(e.right()).max().compareTo(BigInteger.valueOf(Interval.MAX_SHIFT)) >= 0) {
          throw new UnsupportedProgramException(
              "left shift by a number wider than 16 bits that is not truncated", place);
        }
        return "Arith.shl(" + big(e.left()) + ", " + distance(e.right()) + ")";
      case SHR:
        return "Arith.shr(" + big(e.left()) + ", " + distance(e.right()) + ")";
      case TWO_COMP_MOD:
        return "Arith.twoComplement(" + big(e.left()) + ", " + Intervals.width(e) + ")";
      case USAT_CAST:
        return "Arith.usat(" + big(e.left()) + ", " + Intervals.width(e) + ")";
      case SAT_CAST:
        return "Arith.sat(" + big(e.left()) + ", " + Intervals.width(e) + ")";
      default:
        return big(e.left()) + "." + method(e.op()) + "(" + big(e.right()) + ")";
    }
  }

  private static String method(Op op) {
    switch (op) {
      case ADD:
        return "add";
      case SUB:
        return "subtract";
      case MUL:
        return "multiply";
      case DIV:
        return "divide";
      case MOD:
        return "mod";
      case BIT_AND:
        return "and";
      case BIT_OR:
        return "or";
      case BIT_XOR:
        return "xor";
      default:
        throw new IllegalStateException(op + " has no method");
    }
  }
}
