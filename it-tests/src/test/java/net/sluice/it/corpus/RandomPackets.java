package net.sluice.it.corpus;

import com.google.protobuf.ByteString;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import net.sluice.emulator.v1model.program.Header;
import net.sluice.emulator.v1model.program.Program;
import net.sluice.it.p4.PortFrame;

/**
 * Random packets for a program: mostly walks through its parser that set the fields it selects on
 * to what one of its transitions wants, so that headers deep in it are met, and others to what
 * conditions and constant entries ask for; some cut, some damaged, some mere noise. What was put
 * into fields is remembered, for entries that match it.
 */
final class RandomPackets {

  private static final int MAX_STATES = 24;
  private static final int MAX_PAYLOAD = 40;

  /** They come in at ports below this. */
  static final int PORTS = 8;

  private final Program program;
  private final SplittableRandom random;
  private final Map<Header.Ref, List<BigInteger>> seen = new HashMap<>();

  /** Values that the program asks for. */
  private final Map<Header.Ref, List<BigInteger>> asked;

  /** Bits of the packet in the making, and those that are wanted further ahead. */
  private final List<Boolean> bits = new ArrayList<>();

  private final Map<Integer, Boolean> wanted = new HashMap<>();
  private final Map<Header.Ref, Integer> places = new HashMap<>();
  private final Map<String, Integer> filled = new HashMap<>();

  RandomPackets(Program program, long seed) {
    this.program = program;
    this.random = new SplittableRandom(seed);
    this.asked = ComparedConstants.of(program);
  }

  /** The next packet, at the port it comes in on. */
  PortFrame next() {
    bits.clear();
    wanted.clear();
    places.clear();
    filled.clear();
    if (random.nextInt(20) > 0) {
      walk();
    }
    remember();
    byte[] bytes = bytes();
    int kind = random.nextInt(12);
    if (kind == 0 && bytes.length > 1) {
      bytes = java.util.Arrays.copyOf(bytes, 1 + random.nextInt(bytes.length - 1));
    } else if (kind == 1) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
    int port = random.nextInt(PORTS - 1);
    return new PortFrame(port < AnySwitch.CPU_PORT ? port : port + 1, ByteString.copyFrom(bytes));
  }

  /** A value that a field has had in some packet, if there was one. */
  BigInteger seen(Header.Ref ref) {
    List<BigInteger> values = seen.get(ref);
    return values == null ? null : values.get(random.nextInt(values.size()));
  }

  private void walk() {
    int state = program.parser().isEmpty() ? Program.END : 0;
    for (int steps = 0; state != Program.END && steps < MAX_STATES; steps++) {
      Program.ParserState current = program.parser().get(state);
      current.ops().forEach(this::take);
      state = choose(current);
    }
  }

  private void take(Program.ParserOp op) {
    if (op instanceof Program.Extract) {
      append(((Program.Extract) op).header(), false);
    } else if (op instanceof Program.ExtractVariable) {
      append(((Program.ExtractVariable) op).header(), true);
    } else if (op instanceof Program.ExtractNext) {
      append(
          next(
              ((Program.ExtractNext) op).stack().name(),
              ((Program.ExtractNext) op).stack().headers()),
          false);
    } else if (op instanceof Program.ExtractNextVariable) {
      append(
          next(
              ((Program.ExtractNextVariable) op).stack().name(),
              ((Program.ExtractNextVariable) op).stack().headers()),
          true);
    }
  }

  private Header next(String stack, List<Header> headers) {
    int at = filled.merge(stack, 1, Integer::sum) - 1;
    return headers.get(Math.min(at, headers.size() - 1));
  }

  private void append(Header header, boolean variable) {
    for (Header.Field field : header.fields()) {
      places.put(new Header.Ref(header, field), bits.size());
      int width = field.widthBits();
      if (width == 0 && variable) {
        width = 8 * random.nextInt(12);
      }
      // Small numbers, all zeros and all ones are met more often than chance has them.
      int style = random.nextInt(5);
      List<BigInteger> wishes = asked.get(new Header.Ref(header, field));
      BigInteger wish =
          wishes == null || style < 2 ? null : wishes.get(random.nextInt(wishes.size()));
      for (int i = 0; i < width; i++) {
        boolean bit =
            wish != null
                ? wish.testBit(width - 1 - i)
                : style == 0
                    ? i >= width - 4 && random.nextBoolean()
                    : style == 1 ? width <= 16 && random.nextInt(8) == 0 : random.nextBoolean();
        Boolean forced = wanted.remove(bits.size());
        bits.add(forced == null ? bit : forced);
      }
    }
  }

  /** Picks a transition and makes the packet what it takes. */
  private int choose(Program.ParserState state) {
    int pick = random.nextInt(state.transitions().size() + 1);
    if (pick == state.transitions().size()) {
      return state.otherwise();
    }
    Program.Transition transition = state.transitions().get(pick);
    for (int i = 0; i < state.key().size() && transition.members() == null; i++) {
      Program.KeyPart part = state.key().get(i);
      int at =
          part instanceof Program.FieldPart
              ? places.getOrDefault(((Program.FieldPart) part).ref(), -1)
              : part instanceof Program.Lookahead
                  ? bits.size() + ((Program.Lookahead) part).offsetBits()
                  : -1;
      if (at >= 0) {
        put(at, part.widthBits(), transition.values().get(i), transition.masks().get(i));
      }
    }
    return transition.next();
  }

  private void put(int at, int width, BigInteger value, BigInteger mask) {
    for (int i = 0; i < width; i++) {
      if (mask.testBit(width - 1 - i)) {
        boolean bit = value.testBit(width - 1 - i);
        if (at + i < bits.size()) {
          bits.set(at + i, bit);
        } else {
          wanted.put(at + i, bit);
        }
      }
    }
  }

  private void remember() {
    places.forEach(
        (ref, at) -> {
          BigInteger value = BigInteger.ZERO;
          for (int i = 0; i < ref.field().widthBits(); i++) {
            value = value.shiftLeft(1).or(bits.get(at + i) ? BigInteger.ONE : BigInteger.ZERO);
          }
          if (ref.field().widthBits() > 0) {
            List<BigInteger> values = seen.computeIfAbsent(ref, r -> new ArrayList<>());
            if (values.size() < 64) {
              values.add(value);
            }
          }
        });
  }

  private byte[] bytes() {
    int payload = 8 * random.nextInt(MAX_PAYLOAD);
    while (bits.size() % 8 != 0 || payload-- > 0 || bits.isEmpty()) {
      Boolean forced = wanted.remove(bits.size());
      bits.add(forced == null ? random.nextBoolean() : forced);
    }
    byte[] bytes = new byte[bits.size() / 8];
    for (int i = 0; i < bits.size(); i++) {
      if (bits.get(i)) {
        bytes[i / 8] |= (byte) (0x80 >> i % 8);
      }
    }
    return bytes;
  }
}
