package net.sluice.emulator.v1model.codegen.expr;

import static net.sluice.emulator.v1model.codegen.source.Members.literal;

import java.math.BigInteger;
import java.util.List;
import net.sluice.emulator.v1model.codegen.source.Code;
import net.sluice.emulator.v1model.codegen.source.Members;
import net.sluice.emulator.v1model.program.Expr;
import net.sluice.emulator.v1model.program.Expr.Op;
import net.sluice.emulator.v1model.program.Header;
import net.sluice.emulator.v1model.program.Primitive;
import net.sluice.emulator.v1model.table.WordLayout;

/**
 * Turns expressions into Java.
 *
 * <p>bmv2 computes with integers of any size and truncates when it stores. Here every expression
 * has an {@link Interval} of possible values, and is computed in one of three forms: its low 64
 * bits, which most operators can compute from their operands' low 64 bits, exact or not; a number
 * of 64-bit limbs of its two's complement; or a {@link BigInteger}, slow and always right, for
 * operations that {@link LimbEmitter} lacks. An expression whose interval fits in a signed or
 * unsigned {@code long} is exactly its low 64 bits.
 *
 * <p>Preceding statements are written to the given {@link Code}.
 */
public final class ExprEmitter {

  private final Code code;
  private final WordLayout parameters;
  private final String place;
  private final Intervals intervals;
  private final WideEmitter wide;
  private final SharedExprs shared;

  /**
   * @param parameters where the enclosing action's parameters lie in its data, or null outside of
   *     actions
   * @param place position in the program, for error messages
   */
  public ExprEmitter(Code code, WordLayout parameters, String place) {
    this.code = code;
    this.parameters = parameters;
    this.place = place;
    this.intervals = new Intervals();
    this.wide = new WideEmitter(this, code, place);
    this.shared = new SharedExprs(code);
  }

  /** The range of an expression's values. */
  public Interval interval(Expr expr) {
    return intervals.of(expr);
  }

  // ---- the low 64 bits ----

  /** A Java {@code long}: the low 64 bits, which are the whole value if its interval fits. */
  public String low(Expr expr) {
    if (expr instanceof Expr.FieldValue fieldValue) {
      return Members.field(fieldValue.ref(), 0);
    }
    if (expr instanceof Expr.VariableValue variableValue) {
      return Members.variable(variableValue.header()) + ".limb(0)";
    }
    if (expr instanceof Expr.Constant constant) {
      return literal(constant.value().longValue());
    }
    if (expr instanceof Expr.Parameter parameter) {
      return parameter(parameter.index(), 0);
    }
    if (expr instanceof Expr.StackNext stackNext) {
      return "(long) " + Members.next(stackNext.stack());
    }
    if (expr instanceof Expr.Cell cell) {
      return cell(cell)[0];
    }
    if (expr instanceof Expr.Choice choice) {
      return "(%s ? %s : %s)"
          .formatted(condition(choice.condition()), low(choice.left()), low(choice.right()));
    }
    return shared.size(expr) > SharedExprs.LARGE
        ? shared.named(expr, () -> low((Expr.Operation) expr))
        : low((Expr.Operation) expr);
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
        if (!Intervals.hasWidth(e)) {
          return castByPacket(e);
        }
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

  /** Whether {@code mask} is a constant that has every bit {@code value} can have. */
  private boolean isWithinMask(Expr value, Expr mask) {
    if (!(mask instanceof Expr.Constant)) {
      return false;
    }
    BigInteger m = ((Expr.Constant) mask).value();
    boolean allOnes = m.signum() > 0 && m.and(m.add(BigInteger.ONE)).signum() == 0;
    return allOnes && interval(value).within(new Interval(BigInteger.ZERO, m));
  }

  /** bmv2 divides numbers of at least 0 by numbers of at least 1 and aborts on others. */
  private String divided(Expr.Operation e) {
    Interval left = interval(e.left());
    Interval right = interval(e.right());
    boolean div = e.op() == Op.DIV;
    boolean sound = left.isNonNegative() && right.min().signum() > 0;
    if (left.fitsLong() && right.fitsLong()) {
      return sound
          ? "(" + low(e.left()) + (div ? " / " : " % ") + low(e.right()) + ")"
          : checked(div ? "quotient" : "remainder", low(e.left()), low(e.right()));
    }
    if (left.fitsUnsignedLong() && right.fitsUnsignedLong()) {
      return sound
          ? "Long.%s%s, %s)"
              .formatted(
                  div ? "divideUnsigned(" : "remainderUnsigned(", low(e.left()), low(e.right()))
          : checked(div ? "unsignedQuotient" : "unsignedRemainder", low(e.left()), low(e.right()));
    }
    return wide.big(e) + ".longValue()";
  }

  /** A call of a method of {@link net.sluice.emulator.v1model.runtime.Arith} that may fail. */
  String checked(String method, String left, String right) {
    return "Arith.%s(%s, %s, %s)".formatted(method, left, right, DiagnosticEmitter.quoted(place));
  }

  private String shiftedLeft(Expr.Operation e) {
    if (e.right() instanceof Expr.Constant constant) {
      BigInteger distance = constant.value();
      return distance.bitLength() > 6 ? "0L" : "(" + low(e.left()) + " << " + distance + ")";
    }
    return "Arith.shl(" + low(e.left()) + ", " + distance(e.right()) + ")";
  }

  private String shiftedRight(Expr.Operation e) {
    Interval left = interval(e.left());
    boolean large = !left.fitsLong() && !left.fitsUnsignedLong();
    if (e.right() instanceof Expr.Constant constant) {
      BigInteger big = constant.value();
      int distance = big.min(BigInteger.valueOf(Interval.MAX_SHIFT)).intValue();
      if (large) {
        return distance == Interval.MAX_SHIFT ? wide.low(e) : wide.shifted(e, 1)[0];
      }
      if (left.isNonNegative()) {
        return distance > 63
            ? "0L"
            : distance == 0 ? low(e.left()) : "(" + low(e.left()) + " >>> " + distance + ")";
      }
      return "(" + low(e.left()) + " >> " + Math.min(distance, 63) + ")";
    }
    if (large) {
      return wide.low(e);
    }
    return (left.fitsLong() ? "Arith.sar(" : "Arith.shr(")
        + low(e.left())
        + ", "
        + distance(e.right())
        + ")";
  }

  /** A shift distance as an unsigned {@code long}, saturated. */
  String distance(Expr expr) {
    Interval interval = interval(expr);
    if (interval.fitsUnsignedLong()) {
      return low(expr);
    }
    return "Arith.distance(%s, %s)"
        .formatted(
            interval.fitsLong() ? low(expr) : wide.big(expr), DiagnosticEmitter.quoted(place));
  }

  /** A step number as a Java {@code int}, saturated. */
  public String step(Expr expr) {
    Interval interval = interval(expr);
    if (!interval.fitsLong() && interval.fitsUnsignedLong()) {
      return "Arith.unsignedStep(" + low(expr) + ")";
    }
    return "Arith.step(" + (interval.fitsLong() ? low(expr) : wide.big(expr)) + ")";
  }

  /**
   * The low 64 bits of a number, which fails if it is negative.
   *
   * @param what error message then, in front of the number
   */
  public String count(Expr expr, String what) {
    Interval interval = interval(expr);
    if (interval.isNonNegative()) {
      return low(expr);
    }
    return "Arith.count(%s, %s)"
        .formatted(
            interval.fitsLong() ? low(expr) : wide.big(expr),
            DiagnosticEmitter.quoted(place + ": " + what));
  }

  /** A cast to a width known at run time only, or to a very large one. */
  private String castByPacket(Expr.Operation e) {
    return interval(e.left()).fitsLong()
        ? castByPacket(e, low(e.left()))
        : wide.big(e) + ".longValue()";
  }

  /** The same of a {@code long} or {@link BigInteger}; the width's low 32 bits count. */
  String castByPacket(Expr.Operation e, String value) {
    String method =
        e.op() == Op.TWO_COMP_MOD ? "wrapTo" : e.op() == Op.USAT_CAST ? "usatTo" : "satTo";
    return "Arith." + method + "(" + value + ", " + count(e.right(), "width") + ")";
  }

  private String clamped(Expr.Operation e) {
    if (!Intervals.hasWidth(e)) {
      return castByPacket(e);
    }
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
          : "Arith.sat(%s, %s, %s)"
              .formatted(
                  low(e.left()),
                  literal(result.min().longValue()),
                  literal(result.max().longValue()));
    }
    if (left.fitsUnsignedLong()) {
      return "Arith.minUnsigned(" + low(e.left()) + ", " + literal(target.max().longValue()) + ")";
    }
    return wide.low(e);
  }

  /** The limbs of an element of a register array. */
  String[] cell(Expr.Cell cell) {
    Primitive.RegisterDef register = cell.register();
    String at = code.local();
    code.line("long " + at + " = " + low(cell.index()) + " & 0xffffffffL;");
    String[] limbs = new String[Members.limbs(register.widthBits())];
    for (int i = 0; i < limbs.length; i++) {
      limbs[i] =
          "(" + at + " < " + register.size() + "L ? " + Members.cell(register, at, i) + " : 0L)";
    }
    return limbs;
  }

  String parameter(int index, int limb) {
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
  public String condition(Expr expr) {
    if (expr instanceof Expr.Truth truth) {
      return String.valueOf(truth.value());
    }
    if (expr instanceof Expr.Valid valid) {
      return Members.valid(valid.header());
    }
    if (expr instanceof Expr.Choice choice) {
      return "(%s ? %s : %s)"
          .formatted(
              condition(choice.condition()), condition(choice.left()), condition(choice.right()));
    }
    Expr.Operation e = (Expr.Operation) expr;
    return switch (e.op()) {
      case NOT -> "!" + condition(e.right());
      case AND -> "(" + condition(e.left()) + " && " + condition(e.right()) + ")";
      case OR -> "(" + condition(e.left()) + " || " + condition(e.right()) + ")";
      case DATA_TO_BOOL -> "!" + equal(e.right(), new Expr.Constant(BigInteger.ZERO));
      case EQ -> equal(e.left(), e.right());
      case NE -> "!" + equal(e.left(), e.right());
      default -> ordered(e);
    };
  }

  private String equal(Expr left, Expr right) {
    if (left.type() == Expr.Type.BOOL) {
      return "(" + condition(left) + " == " + condition(right) + ")";
    }
    if (left.type() == Expr.Type.HEADER) {
      return sameHeaders(((Expr.HeaderValue) left).header(), ((Expr.HeaderValue) right).header());
    }
    if (left instanceof Expr.VariableValue variableValue && right instanceof Expr.VariableValue) {
      return Members.variable(variableValue.header())
          + ".same("
          + Members.variable(((Expr.VariableValue) right).header())
          + ")";
    }
    Interval both = interval(left).union(interval(right));
    if (both.fitsLong() || both.fitsUnsignedLong()) {
      return "(" + low(left) + " == " + low(right) + ")";
    }
    if (both.bits() >= Interval.MAX_SHIFT) {
      return "(" + wide.compared(left, right) + " == 0)";
    }
    int n = both.bits() / 64 + 1;
    String[] l = wide.limbs(left, n);
    String[] r = wide.limbs(right, n);
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < n; i++) {
      if (!l[i].equals(r[i])) {
        all.append(all.length() == 0 ? "" : " && ").append(l[i]).append(" == ").append(r[i]);
      }
    }
    return all.length() == 0 ? "true" : "(" + all + ")";
  }

  private String sameHeaders(Header a, Header b) {
    StringBuilder all = new StringBuilder("(" + Members.valid(a) + " && " + Members.valid(b));
    List<String> left = HeaderEmitter.members(a);
    List<String> right = HeaderEmitter.members(b);
    for (int i = 0; i < left.size(); i++) {
      all.append(" && ").append(left.get(i)).append(" == ").append(right.get(i));
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
      return "(Long.compareUnsigned(%s, %s) %s 0)".formatted(low(e.left()), low(e.right()), symbol);
    }
    return "(" + wide.compared(e.left(), e.right()) + " " + symbol + " 0)";
  }

  // ---- wide numbers ----

  /** See {@link WideEmitter#limbs}. */
  public String[] limbs(Expr expr, int n) {
    return wide.limbs(expr, n);
  }

  /** See {@link WideEmitter#big}. */
  public String big(Expr expr) {
    return wide.big(expr);
  }

  /** See {@link WideEmitter#decimal}. */
  String decimal(Expr expr) {
    return wide.decimal(expr);
  }
}
