package net.sluice.emulator.v1model.codegen;

import java.math.BigInteger;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * A random expression in two forms: the JSON that p4c would write, and a function over exact
 * integers with bmv2's result.
 */
final class RandomExpr {

  /** A field of the input header {@code in}. */
  record Input(String name, int widthBits, boolean signed) {}

  /** A number: its JSON, its value given the inputs' values, and whether it can be negative. */
  record Number(String json, Function<BigInteger[], BigInteger> value, boolean mayBeNegative) {}

  /** A condition. */
  record Condition(String json, Function<BigInteger[], Boolean> value) {}

  private static final BigInteger ONE = BigInteger.ONE;

  private final SplittableRandom random;
  private final List<Input> inputs;

  RandomExpr(SplittableRandom random, List<Input> inputs) {
    this.random = random;
    this.inputs = inputs;
  }

  Number number(int depth) {
    if (depth == 0 || random.nextInt(8) == 0) {
      return random.nextInt(4) == 0 ? constant() : field(random.nextInt(inputs.size()));
    }
    return switch (random.nextInt(20)) {
      case 0 -> binary("+", depth, BigInteger::add, true);
      case 1, 2 -> binary("-", depth, BigInteger::subtract, true);
      case 3 -> binary("*", depth, BigInteger::multiply, true);
      case 4 -> binary("&", depth, BigInteger::and, true);
      case 5 -> binary("|", depth, BigInteger::or, true);
      case 6 -> binary("^", depth, BigInteger::xor, true);
      case 7 -> {
        Number inverted = number(depth - 1);
        yield new Number(
            op("~", "null", inverted.json()), v -> inverted.value().apply(v).not(), true);
      }
      case 8, 9 -> shift(depth, true);
      case 10, 11 -> shift(depth, false);
      case 12 -> cast("two_comp_mod", depth, RandomExpr::wrap, true);
      case 13 -> cast("usat_cast", depth, (x, w) -> x.max(BigInteger.ZERO).min(ones(w)), false);
      case 14 -> cast("sat_cast", depth, (x, w) -> x.max(ones(w - 1).not()).min(ones(w - 1)), true);
      case 15 -> divided(depth);
      case 16 -> dividedByVariable(depth);
      case 17 -> slice(depth);
      case 18 -> concatenation(depth);
      default -> choice(depth);
    };
  }

  private Number constant() {
    BigInteger value =
        new BigInteger(1 + random.nextInt(130), new java.util.Random(random.nextLong()));
    boolean negative = random.nextInt(4) == 0;
    BigInteger signed = negative ? value.negate() : value;
    return new Number(hexstr(signed), v -> signed, negative);
  }

  private Number field(int i) {
    Input input = inputs.get(i);
    return new Number(
        "{\"type\":\"field\",\"value\":[\"in\",\"" + input.name() + "\"]}",
        v -> v[i],
        input.signed());
  }

  private interface Binary {
    BigInteger apply(BigInteger a, BigInteger b);
  }

  private Number binary(String symbol, int depth, Binary function, boolean mayBeNegative) {
    Number a = number(depth - 1);
    Number b = number(depth - 1);
    return new Number(
        op(symbol, a.json(), b.json()),
        v -> function.apply(a.value().apply(v), b.value().apply(v)),
        mayBeNegative);
  }

  /** The distance is a constant or a field of at most 8 bits. */
  private Number shift(int depth, boolean left) {
    Number a = number(depth - 1);
    Number distance = null;
    for (int i = 0; i < inputs.size(); i++) {
      if (inputs.get(i).widthBits() <= 8 && !inputs.get(i).signed() && random.nextInt(3) == 0) {
        distance = field(i);
      }
    }
    if (distance == null) {
      BigInteger by = BigInteger.valueOf(random.nextInt(140));
      distance = new Number(hexstr(by), v -> by, false);
    }
    Number d = distance;
    return new Number(
        op(left ? "<<" : ">>", a.json(), d.json()),
        v -> {
          int by = d.value().apply(v).intValueExact();
          return left ? a.value().apply(v).shiftLeft(by) : a.value().apply(v).shiftRight(by);
        },
        a.mayBeNegative());
  }

  private interface Cast {
    BigInteger apply(BigInteger value, int widthBits);
  }

  private Number cast(String symbol, int depth, Cast function, boolean mayBeNegative) {
    Number a = number(depth - 1);
    int width = 1 + random.nextInt(random.nextBoolean() ? 64 : 130);
    return new Number(
        op(symbol, a.json(), hexstr(BigInteger.valueOf(width))),
        v -> function.apply(a.value().apply(v), width),
        mayBeNegative);
  }

  private Number divided(int depth) {
    Number a = number(depth - 1);
    int width = 1 + random.nextInt(130);
    String dividend = op("usat_cast", a.json(), hexstr(BigInteger.valueOf(width)));
    BigInteger divisor =
        new BigInteger(random.nextInt(100), new java.util.Random(random.nextLong())).add(ONE);
    boolean div = random.nextBoolean();
    return new Number(
        op(div ? "/" : "%", dividend, hexstr(divisor)),
        v -> {
          BigInteger x = a.value().apply(v).max(BigInteger.ZERO).min(ones(width));
          return div ? x.divide(divisor) : x.mod(divisor);
        },
        false);
  }

  /** The divisor has its lowest bit set, so that it is never 0. */
  private Number dividedByVariable(int depth) {
    Number a = number(depth - 1);
    Number b = number(depth - 1);
    int width = 1 + random.nextInt(130);
    String dividend = op("usat_cast", a.json(), hexstr(BigInteger.valueOf(width)));
    String divisor =
        op("|", op("usat_cast", b.json(), hexstr(BigInteger.valueOf(width))), hexstr(ONE));
    boolean div = random.nextBoolean();
    return new Number(
        op(div ? "/" : "%", dividend, divisor),
        v -> {
          BigInteger x = a.value().apply(v).max(BigInteger.ZERO).min(ones(width));
          BigInteger y = b.value().apply(v).max(BigInteger.ZERO).min(ones(width)).or(ONE);
          return div ? x.divide(y) : x.mod(y);
        },
        false);
  }

  /** {@code x[high:low]} as the compiler writes it: shifted, then masked. */
  private Number slice(int depth) {
    Number a = number(depth - 1);
    int low = random.nextInt(200);
    int width = 1 + random.nextInt(random.nextBoolean() ? 64 : 200);
    return new Number(
        op("&", op(">>", a.json(), hexstr(BigInteger.valueOf(low))), hexstr(ones(width))),
        v -> a.value().apply(v).shiftRight(low).and(ones(width)),
        false);
  }

  /** {@code a ++ b} as the compiler writes it: masked, shifted, masked, joined. */
  private Number concatenation(int depth) {
    Number a = number(depth - 1);
    Number b = number(depth - 1);
    int left = 1 + random.nextInt(100);
    int right = 1 + random.nextInt(100);
    String high =
        op(
            "&",
            op("<<", op("&", a.json(), hexstr(ones(left))), hexstr(BigInteger.valueOf(right))),
            hexstr(ones(left + right)));
    return new Number(
        op("|", high, op("&", b.json(), hexstr(ones(right)))),
        v ->
            a.value()
                .apply(v)
                .and(ones(left))
                .shiftLeft(right)
                .or(b.value().apply(v).and(ones(right))),
        false);
  }

  private Number choice(int depth) {
    Condition condition = condition(depth - 1);
    if (random.nextInt(3) == 0) {
      return new Number(
          op("b2d", "null", condition.json()),
          v -> condition.value().apply(v) ? ONE : BigInteger.ZERO,
          false);
    }
    Number a = number(depth - 1);
    Number b = number(depth - 1);
    return new Number(
        "{\"type\":\"expression\",\"value\":{\"op\":\"?\",\"cond\":%s,\"left\":%s,\"right\":%s}}"
            .formatted(condition.json(), a.json(), b.json()),
        v -> condition.value().apply(v) ? a.value().apply(v) : b.value().apply(v),
        a.mayBeNegative() || b.mayBeNegative());
  }

  Condition condition(int depth) {
    if (depth > 0 && random.nextInt(4) == 0) {
      Condition a = condition(depth - 1);
      Condition b = condition(depth - 1);
      return switch (random.nextInt(4)) {
        case 0 ->
            new Condition(
                op("and", a.json(), b.json()), v -> a.value().apply(v) && b.value().apply(v));
        case 1 ->
            new Condition(
                op("or", a.json(), b.json()), v -> a.value().apply(v) || b.value().apply(v));
        case 2 ->
            new Condition(
                op("==", a.json(), b.json()), v -> a.value().apply(v).equals(b.value().apply(v)));
        default -> new Condition(op("not", "null", a.json()), v -> !a.value().apply(v));
      };
    }
    Number a = number(Math.max(0, depth - 1));
    if (random.nextInt(5) == 0) {
      return new Condition(op("d2b", "null", a.json()), v -> a.value().apply(v).signum() != 0);
    }
    // Often the same number on both sides: otherwise equality would hardly ever hold.
    Number b = random.nextInt(3) == 0 ? a : number(Math.max(0, depth - 1));
    String[] symbols = {"==", "!=", "<", "<=", ">", ">="};
    int which = random.nextInt(symbols.length);
    return new Condition(
        op(symbols[which], a.json(), b.json()),
        v -> {
          int order = a.value().apply(v).compareTo(b.value().apply(v));
          boolean[] results = {
            order == 0, order != 0, order < 0, order <= 0, order > 0, order >= 0
          };
          return results[which];
        });
  }

  static String op(String symbol, String left, String right) {
    return "{\"type\":\"expression\",\"value\":{\"op\":\"%s\",\"left\":%s,\"right\":%s}}"
        .formatted(symbol, left, right);
  }

  static String hexstr(BigInteger value) {
    String text = (value.signum() < 0 ? "-0x" : "0x") + value.abs().toString(16);
    return "{\"type\":\"hexstr\",\"value\":\"" + text + "\"}";
  }

  static BigInteger ones(int bits) {
    return ONE.shiftLeft(bits).subtract(ONE);
  }

  /** Two's complement of a width. */
  static BigInteger wrap(BigInteger value, int widthBits) {
    BigInteger low = value.and(ones(widthBits));
    return low.testBit(widthBits - 1) ? low.subtract(ONE.shiftLeft(widthBits)) : low;
  }
}
