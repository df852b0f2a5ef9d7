package net.sluice.emulator.v1model.codegen;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.function.Function;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.sluice.emulator.v1model.LoadedProgram;

/**
 * Every operator of P4 on {@code bit<W>} and {@code int<W>}, W from 1 to 2,048, as the compiler
 * writes it, against exact integers: through generated code, from packet to packet.
 */
class WidthPropertyTest {

  private static final int PACKETS = 6;

  private static final String A = field("a");
  private static final String B = field("b");
  private static final String DISTANCE = field("d");

  /** Numbers of the fields among the inputs. */
  private static final int A_AT = 0;

  private static final int B_AT = 1;
  private static final int DISTANCE_AT = 2;

  private final List<RandomExpr.Number> numbers = new ArrayList<>();
  private final List<RandomExpr.Input> outputs = new ArrayList<>();
  private int width;
  private boolean signed;

  @Provide
  Arbitrary<Integer> widths() {
    return Arbitraries.oneOf(
        Arbitraries.integers().between(1, 2048),
        Arbitraries.integers().between(1, 130),
        Arbitraries.of(1, 8, 16, 31, 32, 33, 63, 64, 65, 127, 128, 129, 191, 192, 193),
        Arbitraries.of(255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 2047, 2048));
  }

  @Property(tries = 60, seed = "1")
  void everyOperatorIsExact(
      @ForAll("widths") int anyWidth, @ForAll boolean anySign, @ForAll long seed) {
    numbers.clear();
    outputs.clear();
    width = anyWidth;
    signed = anySign && width > 1;
    SplittableRandom random = new SplittableRandom(seed);
    operators(random);
    List<RandomExpr.Input> inputs =
        List.of(
            new RandomExpr.Input("a", width, signed),
            new RandomExpr.Input("b", width, signed),
            new RandomExpr.Input("d", 11, false));
    LoadedProgram program = ExprProgram.load(inputs, outputs, numbers);
    for (int n = 0; n < PACKETS; n++) {
      ArithmeticPropertyTest.check(program, random, inputs, outputs, numbers);
    }
  }

  private void operators(SplittableRandom random) {
    binary("+", BigInteger::add);
    binary("-", BigInteger::subtract);
    binary("*", BigInteger::multiply);
    binary("&", BigInteger::and);
    binary("|", BigInteger::or);
    binary("^", BigInteger::xor);
    saturated("+", BigInteger::add);
    saturated("-", BigInteger::subtract);
    typed(op("~", "null", A), v -> v[A_AT].not());
    typed(op("-", "null", A), v -> v[A_AT].negate());
    typed(op("<<", A, DISTANCE), v -> v[A_AT].shiftLeft(v[DISTANCE_AT].intValue()));
    typed(op(">>", A, DISTANCE), v -> v[A_AT].shiftRight(v[DISTANCE_AT].intValue()));
    int by = random.nextInt(width + 2);
    typed(op("<<", A, number(by)), v -> v[A_AT].shiftLeft(by));
    typed(op(">>", A, number(by)), v -> v[A_AT].shiftRight(by));
    if (!signed) {
      String divisor = op("|", B, number(1));
      typed(op("/", A, divisor), v -> v[A_AT].divide(v[B_AT].setBit(0)));
      typed(op("%", A, divisor), v -> v[A_AT].mod(v[B_AT].setBit(0)));
    }
    for (String symbol : List.of("==", "!=", "<", "<=", ">", ">=")) {
      comparison(symbol, B, v -> v[A_AT].compareTo(v[B_AT]));
      comparison(symbol, A, v -> 0);
    }
    add(
        op("b2d", "null", op("d2b", "null", A)),
        1,
        false,
        v -> v[A_AT].signum() == 0 ? BigInteger.ZERO : BigInteger.ONE);
    int low = random.nextInt(width);
    int high = low + random.nextInt(width - low);
    BigInteger mask = RandomExpr.ones(high - low + 1);
    add(
        op("&", op(">>", A, number(low)), hexstr(mask)),
        high - low + 1,
        false,
        v -> v[A_AT].shiftRight(low).and(mask));
    concatenation();
    casts(random);
    add(
        op("?", A, B).replace("{\"op\":\"?\"", "{\"op\":\"?\",\"cond\":" + op("<", A, B)),
        width,
        signed,
        v -> v[A_AT].min(v[B_AT]));
  }

  private void concatenation() {
    BigInteger ones = RandomExpr.ones(width);
    String upper =
        op(
            "&",
            op("<<", op("&", A, hexstr(ones)), number(width)),
            hexstr(RandomExpr.ones(2 * width)));
    add(
        op("|", upper, op("&", B, hexstr(ones))),
        2 * width,
        false,
        v -> v[A_AT].and(ones).shiftLeft(width).or(v[B_AT].and(ones)));
  }

  /** To narrower and wider numbers of either sign. */
  private void casts(SplittableRandom random) {
    for (int to : new int[] {1 + random.nextInt(width), width + random.nextInt(100)}) {
      add(op("&", A, hexstr(RandomExpr.ones(to))), to, false, v -> v[A_AT]);
      if (to > 1) {
        add(op("two_comp_mod", A, number(to)), to, true, v -> v[A_AT]);
      }
    }
  }

  private void binary(String symbol, BiFunction<BigInteger, BigInteger, BigInteger> function) {
    typed(op(symbol, A, B), v -> function.apply(v[A_AT], v[B_AT]));
  }

  /** The compiler's form of an operator of a type: truncated to the type's width. */
  private void typed(String json, Function<BigInteger[], BigInteger> value) {
    String cut =
        signed
            ? op("two_comp_mod", json, number(width))
            : op("&", json, hexstr(RandomExpr.ones(width)));
    add(cut, width, signed, value);
  }

  private void saturated(String symbol, BiFunction<BigInteger, BigInteger, BigInteger> function) {
    BigInteger max = RandomExpr.ones(signed ? width - 1 : width);
    BigInteger min = signed ? max.not() : BigInteger.ZERO;
    add(
        op(signed ? "sat_cast" : "usat_cast", op(symbol, A, B), number(width)),
        width,
        signed,
        v -> function.apply(v[A_AT], v[B_AT]).max(min).min(max));
  }

  private void comparison(String symbol, String right, Function<BigInteger[], Integer> order) {
    add(
        op("b2d", "null", op(symbol, A, right)),
        1,
        false,
        v -> {
          int o = order.apply(v);
          boolean holds =
              symbol.equals("==")
                  ? o == 0
                  : symbol.equals("!=")
                      ? o != 0
                      : symbol.startsWith("<")
                          ? o < 0 || o == 0 && symbol.length() == 2
                          : o > 0 || o == 0 && symbol.length() == 2;
          return holds ? BigInteger.ONE : BigInteger.ZERO;
        });
  }

  private void add(
      String json,
      int outputWidth,
      boolean outputSigned,
      Function<BigInteger[], BigInteger> value) {
    outputs.add(new RandomExpr.Input("o" + outputs.size(), outputWidth, outputSigned));
    numbers.add(new RandomExpr.Number(json, value, true));
  }

  private static String field(String name) {
    return "{\"type\":\"field\",\"value\":[\"in\",\"" + name + "\"]}";
  }

  private static String number(int value) {
    return hexstr(BigInteger.valueOf(value));
  }

  private static String hexstr(BigInteger value) {
    return RandomExpr.hexstr(value);
  }

  private static String op(String symbol, String left, String right) {
    return RandomExpr.op(symbol, left, right);
  }
}
