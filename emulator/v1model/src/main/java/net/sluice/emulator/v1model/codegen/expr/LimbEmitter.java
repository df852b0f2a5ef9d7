package net.sluice.emulator.v1model.codegen.expr;

import static net.sluice.emulator.v1model.codegen.source.Members.literal;

import net.sluice.emulator.v1model.codegen.source.Code;
import net.sluice.emulator.v1model.codegen.source.Members;
import net.sluice.emulator.v1model.program.Expr;
import net.sluice.emulator.v1model.program.Expr.Op;

/**
 * Arithmetic on 64-bit limbs without allocation, for numbers too large for a {@code long} and too
 * small to be worth a {@link java.math.BigInteger}.
 */
record LimbEmitter(WideEmitter wide, ExprEmitter narrow, Code code) {

  /** Numbers of more limbs are left to {@link java.math.BigInteger}. */
  static final int MAX_LIMBS = 8;

  /** Whether {@link #limbs} can compute so many limbs of an operation. */
  boolean can(Expr.Operation e, int n) {
    if (n > MAX_LIMBS) {
      return false;
    }
    return switch (e.op()) {
      case ADD, SUB -> true;
      case MUL -> n <= 2;
      case TWO_COMP_MOD -> Intervals.hasWidth(e) && Members.limbs(Intervals.width(e)) <= MAX_LIMBS;
      case USAT_CAST, SAT_CAST ->
          Intervals.hasWidth(e)
              && Members.limbs(Intervals.width(e)) <= MAX_LIMBS
              && signedLimbs(e.left()) <= MAX_LIMBS;
      case SHL -> n <= 2 && narrow.interval(e.right()).fitsUnsignedLong();
      case SHR ->
          narrow.interval(e.right()).fitsUnsignedLong()
              && (unsigned128(e.left()) || signedLimbs(e.left()) <= 2);
      default -> false;
    };
  }

  /** Limbs of a two's complement that holds all of an expression. */
  int signedLimbs(Expr expr) {
    return narrow.interval(expr).bits() / 64 + 1;
  }

  private boolean unsigned128(Expr expr) {
    Interval interval = narrow.interval(expr);
    return interval.isNonNegative() && interval.bits() <= 128;
  }

  /** As {@link WideEmitter#limbs}, of an operation that {@link #can} be computed. */
  String[] limbs(Expr.Operation e, int n) {
    return switch (e.op()) {
      case ADD -> sum(e, n);
      case SUB -> difference(e, n);
      case MUL -> product(e, n);
      case TWO_COMP_MOD -> wrapped(e, n);
      case USAT_CAST -> clampedUnsigned(e, n);
      case SAT_CAST -> clampedSigned(e, n);
      case SHL -> shiftedLeft(e, n);
      default -> shiftedRight(e, n);
    };
  }

  private String named(String type, String value) {
    String name = code.local();
    code.line(type + " " + name + " = " + value + ";");
    return name;
  }

  private String[] sum(Expr.Operation e, int n) {
    String[] a = wide.named(wide.limbs(e.left(), n));
    String[] b = wide.named(wide.limbs(e.right(), n));
    String[] sum = new String[n];
    String carry = null;
    for (int i = 0; i < n; i++) {
      String plain = named("long", a[i] + " + " + b[i]);
      sum[i] = carry == null ? plain : named("long", plain + " + " + carry);
      if (i < n - 1) {
        String over = "Arith.carry(" + plain + ", " + a[i] + ")";
        // The two are never both 1.
        carry =
            named(
                "long",
                carry == null ? over : over + " + Arith.carry(" + sum[i] + ", " + plain + ")");
      }
    }
    return sum;
  }

  private String[] difference(Expr.Operation e, int n) {
    String[] a = wide.named(wide.limbs(e.left(), n));
    String[] b = wide.named(wide.limbs(e.right(), n));
    String[] difference = new String[n];
    String borrow = null;
    for (int i = 0; i < n; i++) {
      String plain = named("long", a[i] + " - " + b[i]);
      difference[i] = borrow == null ? plain : named("long", plain + " - " + borrow);
      if (i < n - 1) {
        String under = "Arith.carry(" + a[i] + ", " + b[i] + ")";
        borrow =
            named(
                "long",
                borrow == null ? under : under + " + Arith.carry(" + plain + ", " + borrow + ")");
      }
    }
    return difference;
  }

  private String[] product(Expr.Operation e, int n) {
    String[] a = wide.named(wide.limbs(e.left(), n));
    String[] b = wide.named(wide.limbs(e.right(), n));
    String[] product = new String[n];
    product[0] = named("long", a[0] + " * " + b[0]);
    if (n > 1) {
      product[1] =
          named(
              "long",
              "Arith.highProduct(%s, %s) + %s * %s + %s * %s"
                  .formatted(a[0], b[0], a[0], b[1], a[1], b[0]));
    }
    return product;
  }

  /** Two's complement of a width. */
  private String[] wrapped(Expr.Operation e, int n) {
    int width = Intervals.width(e);
    int own = Members.limbs(width);
    if (n < own) {
      return wide.limbs(e.left(), n);
    }
    String[] from = wide.limbs(e.left(), own);
    from[own - 1] = signExtended(from[own - 1], width);
    return extended(from, n);
  }

  /** The highest limb of a number of a width, with its sign in front. */
  private String signExtended(String limb, int width) {
    int up = (64 - width % 64) % 64;
    return named("long", up == 0 ? limb : "(" + limb + ") << " + up + " >> " + up);
  }

  /** Sign-extends a number whose highest limb has a name. */
  private static String[] extended(String[] from, int n) {
    String[] limbs = new String[n];
    for (int i = 0; i < n; i++) {
      limbs[i] = i < from.length ? from[i] : "(" + from[from.length - 1] + " >> 63)";
    }
    return limbs;
  }

  private String[] clampedUnsigned(Expr.Operation e, int n) {
    int width = Intervals.width(e);
    int own = Members.limbs(width);
    int whole = signedLimbs(e.left());
    String[] from = wide.named(wide.limbs(e.left(), whole));
    StringBuilder beyond = new StringBuilder();
    for (int i = own - 1; i < whole; i++) {
      String above = i > own - 1 ? from[i] : width % 64 == 0 ? "" : from[i] + " >>> " + width % 64;
      if (!above.isEmpty()) {
        beyond.append(beyond.length() == 0 ? "" : " | ").append(above);
      }
    }
    String negative = named("boolean", from[whole - 1] + " < 0");
    String over = named("boolean", beyond.length() == 0 ? "false" : "(" + beyond + ") != 0");
    String[] limbs = new String[n];
    for (int i = 0; i < n; i++) {
      int bits = Math.min(64, width - 64 * i);
      limbs[i] =
          i >= own
              ? "0L"
              : "(%s ? 0L : %s ? %s : %s)"
                  .formatted(
                      negative, over, literal(Members.ones(bits)), i < whole ? from[i] : "0L");
    }
    return limbs;
  }

  private String[] clampedSigned(Expr.Operation e, int n) {
    int width = Intervals.width(e);
    int own = Members.limbs(width);
    int whole = signedLimbs(e.left());
    if (whole < own) {
      return wide.limbs(e.left(), n);
    }
    String[] from = wide.named(wide.limbs(e.left(), whole));
    String top = signExtended(from[own - 1], width);
    StringBuilder same = new StringBuilder(top + " == " + from[own - 1]);
    for (int i = own; i < whole; i++) {
      same.append(" && ").append(from[i]).append(" == ").append(top).append(" >> 63");
    }
    String fits = named("boolean", same.toString());
    String negative = named("boolean", from[whole - 1] + " < 0");
    long least = -1L << (width - 1) % 64;
    String[] clamped = new String[own];
    for (int i = 0; i < own; i++) {
      boolean last = i == own - 1;
      clamped[i] =
          named(
              "long",
              "%s ? %s : %s ? %s : %s"
                  .formatted(
                      fits,
                      from[i],
                      negative,
                      literal(last ? least : 0),
                      literal(last ? ~least : -1)));
    }
    return extended(clamped, n);
  }

  private String[] shiftedLeft(Expr.Operation e, int n) {
    String[] from = wide.named(wide.limbs(e.left(), n));
    String distance = named("long", narrow.distance(e.right()));
    String[] limbs = new String[n];
    limbs[0] = "Arith.shl(" + from[0] + ", " + distance + ")";
    if (n > 1) {
      limbs[1] = "Arith.shl(" + from[1] + ", " + from[0] + ", " + distance + ")";
    }
    return limbs;
  }

  private String[] shiftedRight(Expr.Operation e, int n) {
    boolean unsigned = unsigned128(e.left());
    String[] from = wide.named(wide.limbs(e.left(), 2));
    String distance = named("long", narrow.distance(e.right()));
    String method = unsigned ? "Arith.shr(" : "Arith.sar(";
    String[] limbs = new String[n];
    limbs[0] = method + from[1] + ", " + from[0] + ", " + distance + ")";
    if (n > 1) {
      limbs[1] = named("long", method + from[1] + ", " + distance + ")");
    }
    for (int i = 2; i < n; i++) {
      limbs[i] = unsigned ? "0L" : "(" + limbs[1] + " >> 63)";
    }
    return limbs;
  }

  /** Whether an expression may fail, so that it must not be computed early. */
  boolean mayFail(Expr expr) {
    if (expr instanceof Expr.Choice choice) {
      return mayFail(choice.condition()) || mayFail(choice.left()) || mayFail(choice.right());
    }
    if (!(expr instanceof Expr.Operation e)) {
      return false;
    }
    boolean amount = e.op() == Op.SHL || e.op() == Op.SHR || Intervals.isCast(e.op());
    return e.op() == Op.DIV
        || e.op() == Op.MOD
        || amount && !narrow.interval(e.right()).isNonNegative()
        || e.left() != null && mayFail(e.left())
        || mayFail(e.right());
  }

  /** A Java {@code int} that compares two numbers as {@link Comparable} does; null if it cannot. */
  String compared(Expr left, Expr right) {
    int n = Math.max(signedLimbs(left), signedLimbs(right));
    if (n > MAX_LIMBS || mayFail(left) || mayFail(right)) {
      return null;
    }
    String[] a = wide.named(wide.limbs(left, n));
    String[] b = wide.named(wide.limbs(right, n));
    String order = "Long.compareUnsigned(" + a[0] + ", " + b[0] + ")";
    for (int i = 1; i < n; i++) {
      if (!a[i].equals(b[i])) {
        String method = i == n - 1 ? "Long.compare(" : "Long.compareUnsigned(";
        order =
            "(" + a[i] + " != " + b[i] + " ? " + method + a[i] + ", " + b[i] + ") : " + order + ")";
      }
    }
    return order;
  }
}
