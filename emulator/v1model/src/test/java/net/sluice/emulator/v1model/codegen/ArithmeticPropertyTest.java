package net.sluice.emulator.v1model.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.sluice.emulator.switching.SwitchPacket;
import net.sluice.emulator.v1model.Bits;
import net.sluice.emulator.v1model.LoadedProgram;

/**
 * Compiled expressions against exact integer arithmetic: random trees over fields of 1 to 160 bits,
 * signed and not.
 */
class ArithmeticPropertyTest {

  private static final int OUTPUTS = 10;
  private static final int PACKETS = 12;

  @Property(tries = 60, seed = "1")
  void expressionsAreExactAndStoresTruncate(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<RandomExpr.Input> inputs = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      int width = width(random, i);
      inputs.add(
          new RandomExpr.Input("f" + i, width, width > 1 && i > 0 && random.nextInt(3) == 0));
    }
    RandomExpr generator = new RandomExpr(random, inputs);
    List<RandomExpr.Number> numbers = new ArrayList<>();
    List<RandomExpr.Input> outputs = new ArrayList<>();
    for (int i = 0; i < OUTPUTS; i++) {
      numbers.add(generator.number(1 + random.nextInt(4)));
      int width = width(random, i);
      outputs.add(new RandomExpr.Input("o" + i, width, width > 1 && random.nextInt(4) == 0));
    }
    LoadedProgram program = ExprProgram.load(inputs, outputs, numbers);
    for (int n = 0; n < PACKETS; n++) {
      check(program, random, inputs, outputs, numbers);
    }
  }

  private static int width(SplittableRandom random, int i) {
    return i == 0
        ? 1 + random.nextInt(8)
        : random.nextInt(3) == 0 ? 64 * (1 + random.nextInt(2)) : 1 + random.nextInt(160);
  }

  static void check(
      LoadedProgram program,
      SplittableRandom random,
      List<RandomExpr.Input> inputs,
      List<RandomExpr.Input> outputs,
      List<RandomExpr.Number> numbers) {
    BigInteger[] values = new BigInteger[inputs.size()];
    Bits bits = new Bits();
    for (int i = 0; i < values.length; i++) {
      RandomExpr.Input input = inputs.get(i);
      values[i] = value(random, input.widthBits());
      bits.put(values[i], input.widthBits());
      if (input.signed()) {
        values[i] = RandomExpr.wrap(values[i], input.widthBits());
      }
    }
    byte[] packet = bits.put(0, ExprProgram.padding(inputs)).bytes();
    SwitchPacket p = program.pipeline().acquire();
    p.setBytes(packet, 0, packet.length);
    program.pipeline().ingress(p, 0, 0);
    program.pipeline().egress(p, 0);
    byte[] sent = p.toByteArray();
    program.pipeline().release(p);
    int offset = 0;
    for (int i = 0; i < outputs.size(); i++) {
      int width = outputs.get(i).widthBits();
      BigInteger exact = numbers.get(i).value().apply(values);
      assertThat(Bits.get(sent, offset, width))
          .as("%s as %d bits", numbers.get(i).json(), width)
          .isEqualTo(exact.and(RandomExpr.ones(width)));
      offset += width;
    }
  }

  /** Mostly random bits, often one of the ends. */
  static BigInteger value(SplittableRandom random, int width) {
    return switch (random.nextInt(6)) {
      case 0 -> BigInteger.ZERO;
      case 1 -> RandomExpr.ones(width);
      case 2 -> BigInteger.ONE.shiftLeft(width - 1);
      default -> new BigInteger(width, new java.util.Random(random.nextLong()));
    };
  }
}
