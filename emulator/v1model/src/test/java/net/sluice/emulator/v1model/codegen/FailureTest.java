package net.sluice.emulator.v1model.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.List;
import net.sluice.emulator.switching.SwitchPacket;
import net.sluice.emulator.v1model.Bits;
import net.sluice.emulator.v1model.LoadedProgram;
import net.sluice.emulator.v1model.runtime.ProgramFailure;
import org.junit.jupiter.api.Test;

/** Failures where bmv2 aborts, with their messages; at every width. */
class FailureTest {

  private static String field(String name) {
    return "{\"type\":\"field\",\"value\":[\"in\",\"" + name + "\"]}";
  }

  private static BigInteger result(String symbol, int width, boolean signed, long a, long b) {
    RandomExpr.Number number =
        new RandomExpr.Number(RandomExpr.op(symbol, field("a"), field("b")), v -> null, true);
    LoadedProgram program =
        ExprProgram.load(
            List.of(
                new RandomExpr.Input("a", width, signed), new RandomExpr.Input("b", width, signed)),
            List.of(new RandomExpr.Input("o0", width, signed)),
            List.of(number));
    byte[] packet = new Bits().put(a, width).put(b, width).bytes();
    SwitchPacket p = program.pipeline().acquire();
    p.setBytes(packet, 0, packet.length);
    program.pipeline().ingress(p, 7, 0);
    program.pipeline().egress(p, 0);
    return Bits.get(p.toByteArray(), 0, width);
  }

  @Test
  void numbersAreDividedByNumbersFromOne() {
    for (int width : new int[] {8, 32, 64, 128}) {
      assertThat(result("/", width, false, 100, 7)).isEqualTo(14);
      assertThat(result("%", width, false, 100, 7)).isEqualTo(2);
      for (String symbol : List.of("/", "%")) {
        assertThatThrownBy(() -> result(symbol, width, false, 100, 0))
            .isInstanceOf(ProgramFailure.class)
            .hasMessage(
                "action 'act': 100 divided by 0; only numbers from 0 can be divided, by numbers"
                    + " from 1");
        assertThatThrownBy(() -> result(symbol, width, true, -100, 7))
            .isInstanceOf(ProgramFailure.class)
            .hasMessageContaining("-100 divided by 7");
        assertThatThrownBy(() -> result(symbol, width, true, 100, -7))
            .isInstanceOf(ProgramFailure.class)
            .hasMessageContaining("100 divided by -7");
      }
    }
  }

  @Test
  void numbersAreShiftedByNumbersFromZero() {
    for (int width : new int[] {16, 32, 64, 128}) {
      assertThat(result("<<", width, true, 3, 2)).isEqualTo(12);
      assertThat(result(">>", width, true, 12, 2)).isEqualTo(3);
      assertThat(result("<<", width, true, 3, 30_000)).isZero();
      for (String symbol : List.of("<<", ">>")) {
        assertThatThrownBy(() -> result(symbol, width, true, 1, -1))
            .isInstanceOf(ProgramFailure.class)
            .hasMessage("action 'act': shift by -1, which is negative");
      }
    }
  }

  @Test
  void hugeShiftsAreComputedAsFarAsTheyAreStored() {
    assertThat(result("<<", 128, false, 5, 1L << 40)).isZero();
    assertThat(result(">>", 128, false, 5, 1L << 40)).isZero();
    assertThat(result("<<", 32, false, 5, 0xffffffffL)).isZero();
  }
}
