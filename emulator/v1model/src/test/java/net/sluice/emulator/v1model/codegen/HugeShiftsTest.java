package net.sluice.emulator.v1model.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.switching.SwitchPacket;
import net.sluice.emulator.v1model.Bits;
import net.sluice.emulator.v1model.LoadedProgram;
import net.sluice.emulator.v1model.runtime.ProgramFailure;
import org.junit.jupiter.api.Test;

/** Operations on numbers shifted left by many thousands of bits. */
class HugeShiftsTest {

  private static final int MANY = 65_600;
  private static final int RESULTS = 10;

  private static String field(String name) {
    return "{\"type\":\"field\",\"value\":[\"in\",\"" + name + "\"]}";
  }

  private static RandomExpr.Number number(String json) {
    return new RandomExpr.Number(json, v -> null, true);
  }

  private static String truth(String condition) {
    return "{\"type\":\"expression\",\"value\":{\"op\":\"b2d\",\"left\":null,\"right\":%s}}"
        .formatted(condition);
  }

  private static String hex(long value) {
    return RandomExpr.hexstr(BigInteger.valueOf(value));
  }

  private static LoadedProgram program() {
    String huge = RandomExpr.op("<<", field("a"), field("by"));
    String other = RandomExpr.op("<<", field("c"), field("by"));
    List<RandomExpr.Number> numbers =
        List.of(
            number(truth(RandomExpr.op("==", huge, field("c")))),
            number(truth(RandomExpr.op("<", huge, field("c")))),
            number(truth(RandomExpr.op("!=", huge, other))),
            number(truth(RandomExpr.op(">=", huge, other))),
            number(RandomExpr.op("/", huge, field("c"))),
            number(RandomExpr.op("%", huge, field("c"))),
            number(RandomExpr.op(">>", huge, hex(MANY))),
            number(RandomExpr.op(">>", RandomExpr.op(">>", huge, hex(MANY)), field("by"))),
            number(RandomExpr.op("usat_cast", RandomExpr.op("-", huge, field("c")), hex(64))),
            number(truth(RandomExpr.op("==", RandomExpr.op(">>", huge, hex(MANY)), hex(0)))));
    List<RandomExpr.Input> outputs = new ArrayList<>();
    for (int i = 0; i < RESULTS; i++) {
      outputs.add(new RandomExpr.Input("o" + i, 64, false));
    }
    return ExprProgram.load(
        List.of(
            new RandomExpr.Input("a", 8, false),
            new RandomExpr.Input("c", 16, false),
            new RandomExpr.Input("by", 40, false)),
        outputs,
        numbers);
  }

  private static List<BigInteger> results(LoadedProgram program, long a, long c, long by) {
    byte[] packet = new Bits().put(a, 8).put(c, 16).put(by, 40).bytes();
    SwitchPacket p = program.pipeline().acquire();
    p.setBytes(packet, 0, packet.length);
    program.pipeline().ingress(p, 7, 0);
    program.pipeline().egress(p, 0);
    List<BigInteger> results = new ArrayList<>();
    for (int i = 0; i < RESULTS; i++) {
      results.add(Bits.get(p.toByteArray(), 64 * i, 64));
    }
    program.pipeline().release(p);
    return results;
  }

  private static BigInteger of(boolean holds) {
    return holds ? BigInteger.ONE : BigInteger.ZERO;
  }

  @Test
  void theyAreWhatTheyAre() {
    LoadedProgram program = program();
    BigInteger ones = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);
    for (long by :
        new long[] {0, 1, 63, 64, 65_535, 65_536, 65_599, 65_600, 65_604, 131_080, 1_000_000}) {
      for (long a : new long[] {0, 1, 5, 255}) {
        for (long c : new long[] {1, 7, 255, 65_535}) {
          BigInteger huge = BigInteger.valueOf(a).shiftLeft((int) by);
          BigInteger third = BigInteger.valueOf(c);
          BigInteger other = third.shiftLeft((int) by);
          assertThat(results(program, a, c, by))
              .as("%s << %s and %s", a, by, c)
              .containsExactly(
                  of(huge.equals(third)),
                  of(huge.compareTo(third) < 0),
                  of(!huge.equals(other)),
                  of(huge.compareTo(other) >= 0),
                  huge.divide(third).and(ones),
                  huge.mod(third),
                  huge.shiftRight(MANY).and(ones),
                  huge.shiftRight(MANY).shiftRight((int) by).and(ones),
                  huge.subtract(third).max(BigInteger.ZERO).min(ones),
                  of(huge.shiftRight(MANY).signum() == 0));
        }
      }
    }
  }

  @Test
  void aNumberThatNoMachineHoldsEndsTheSwitch() {
    LoadedProgram program = program();
    assertThatThrownBy(() -> results(program, 1, 1, 1L << 39))
        .isInstanceOf(ProgramFailure.class)
        .hasMessage(
            "action 'act': shift by 549755813888, which makes a number of more than 2147483647"
                + " bits");
    assertThat(results(program, 0, 1, 65_536).get(1)).isEqualTo(1);
  }
}
