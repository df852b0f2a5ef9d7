package net.sluice.emulator.v1model.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.sluice.emulator.switching.PacketPipeline;
import net.sluice.emulator.switching.SwitchPacket;
import net.sluice.emulator.v1model.LoadedProgram;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Arithmetic on numbers that do not fit in 64 bits allocates nothing. */
class WideAllocationTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int WINDOWS = 10;
  private static final int PACKETS = 2_000;

  private static final String A = field("a");
  private static final String B = field("b");
  private static final String DISTANCE = field("d");

  private final List<RandomExpr.Number> numbers = new ArrayList<>();
  private final List<RandomExpr.Input> outputs = new ArrayList<>();

  private static String field(String name) {
    return "{\"type\":\"field\",\"value\":[\"in\",\"" + name + "\"]}";
  }

  private static String number(int value) {
    return RandomExpr.hexstr(BigInteger.valueOf(value));
  }

  private static String op(String symbol, String left, String right) {
    return RandomExpr.op(symbol, left, right);
  }

  private void add(String json, int width, boolean signed) {
    numbers.add(new RandomExpr.Number(json, values -> null, true));
    outputs.add(new RandomExpr.Input("o" + outputs.size(), width, signed));
  }

  private void operators(int width, boolean signed) {
    String cut = signed ? "two_comp_mod" : "&";
    String by = signed ? number(width) : RandomExpr.hexstr(RandomExpr.ones(width));
    List<String> symbols = new ArrayList<>(List.of("+", "-", "&", "|", "^"));
    if (width <= 128) {
      symbols.add("*");
      add(op(cut, op("<<", A, DISTANCE), by), width, signed);
      add(op(cut, op(">>", A, DISTANCE), by), width, signed);
    }
    for (String symbol : symbols) {
      add(op(cut, op(symbol, A, B), by), width, signed);
    }
    for (String symbol : List.of("==", "!=", "<", "<=", ">", ">=")) {
      add(op("b2d", "null", op(symbol, A, B)), 1, false);
    }
    String saturate = signed ? "sat_cast" : "usat_cast";
    add(op(saturate, op("+", A, B), number(width)), width, signed);
    add(op(saturate, op("-", A, B), number(width)), width, signed);
    add(op(cut, op("~", "null", A), by), width, signed);
    add(op(cut, op("-", number(0), A), by), width, signed);
    add(op(cut, op("<<", A, number(3)), by), width, signed);
    add(op(cut, op(">>", A, number(67)), by), width, signed);
    add(op("&", A, RandomExpr.hexstr(RandomExpr.ones(70))), 70, false);
    add(op("two_comp_mod", A, number(70)), 70, true);
    add(A, width, signed);
    add(
        op("?", A, B).replace("{\"op\":\"?\"", "{\"op\":\"?\",\"cond\":" + op("<", A, B)),
        width,
        signed);
  }

  @ParameterizedTest
  @CsvSource({
    "65, false",
    "65, true",
    "100, false",
    "128, false",
    "128, true",
    "129, false",
    "256, true",
    "440, false"
  })
  void operatorsMakeNoGarbage(int width, boolean signed) {
    operators(width, signed);
    List<RandomExpr.Input> inputs =
        List.of(
            new RandomExpr.Input("a", width, signed),
            new RandomExpr.Input("b", width, signed),
            new RandomExpr.Input("d", 8, false));
    LoadedProgram program = ExprProgram.load(inputs, outputs, numbers);
    byte[][] packets = new byte[64][2 * ((width + 7) / 8) + 2];
    Random random = new Random(1);
    for (byte[] packet : packets) {
      random.nextBytes(packet);
    }
    long least = Long.MAX_VALUE;
    for (int window = 0; window < WINDOWS; window++) {
      long before = allocated();
      pass(program.pipeline(), packets);
      least = Math.min(least, allocated() - before);
    }
    assertThat(least).isZero();
  }

  private static long allocated() {
    return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
  }

  private static void pass(PacketPipeline pipeline, byte[][] packets) {
    for (int i = 0; i < PACKETS; i++) {
      byte[] bytes = packets[i & 63];
      SwitchPacket packet = pipeline.acquire();
      packet.setBytes(bytes, 0, bytes.length);
      pipeline.ingress(packet, 0, i);
      if (!packet.dropped) {
        pipeline.egress(packet, i);
      }
      pipeline.release(packet);
    }
  }
}
