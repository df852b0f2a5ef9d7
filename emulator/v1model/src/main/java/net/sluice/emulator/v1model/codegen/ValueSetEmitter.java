package net.sluice.emulator.v1model.codegen;

import static net.sluice.emulator.v1model.codegen.source.Members.literal;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.v1model.codegen.source.Code;
import net.sluice.emulator.v1model.codegen.source.Members;
import net.sluice.emulator.v1model.program.Program;

/**
 * Java for transitions on members of value sets. A state whose key has parts of other widths than
 * the set has its key split again.
 */
final class ValueSetEmitter {

  private ValueSetEmitter() {}

  /**
   * Whether a key is a member, a Java {@code boolean}.
   *
   * @param parts names of the limbs of the parts of the key
   */
  static String contains(
      String[][] parts, List<Program.KeyPart> key, Program.Transition transition, Code into) {
    List<Integer> widths = key.stream().map(Program.KeyPart::widthBits).toList();
    List<Integer> wanted = transition.members().widthsBits();
    List<String> limbs = new ArrayList<>();
    if (widths.equals(wanted)) {
      for (String[] part : parts) {
        limbs.addAll(List.of(part));
      }
    } else {
      divide(parts, widths, wanted, limbs);
    }
    String masked =
        transition.masks().isEmpty()
            ? ""
            : ", " + into.constant(limbs(transition.masks(), widths, wanted));
    return "v%s.contains(new long[] {%s}%s)"
        .formatted(transition.members().index(), String.join(", ", limbs), masked);
  }

  /** The limbs of parts of the wanted widths, from the bits of other parts. */
  private static void divide(
      String[][] parts, List<Integer> widths, List<Integer> wanted, List<String> into) {
    int end = total(wanted);
    for (int width : wanted) {
      end -= width;
      for (int limb = 0; limb < Members.limbs(width); limb++) {
        into.add(bits(parts, widths, end + 64 * limb, Math.min(64, width - 64 * limb)));
      }
    }
  }

  /** {@code count} bits from bit {@code low} of the concatenated parts, the last part lowest. */
  private static String bits(String[][] parts, List<Integer> widths, int low, int count) {
    List<String> pieces = new ArrayList<>();
    int end = total(widths);
    for (int part = 0; part < parts.length; part++) {
      end -= widths.get(part);
      for (int limb = 0; limb < parts[part].length; limb++) {
        int at = end + 64 * limb;
        int above = at + Math.min(64, widths.get(part) - 64 * limb);
        int from = Math.max(at, low);
        int to = Math.min(above, low + count);
        if (from < to) {
          pieces.add(piece(parts[part][limb], from - at, to - from, from - low));
        }
      }
    }
    return String.join(" | ", pieces);
  }

  private static String piece(String limb, int down, int count, int up) {
    String moved = "(" + limb + " >>> " + down + " & " + literal(Members.ones(count)) + ")";
    return up == 0 ? moved : moved + " << " + up;
  }

  private static int total(List<Integer> widths) {
    return widths.stream().mapToInt(Integer::intValue).sum();
  }

  private static long[] limbs(List<BigInteger> values, List<Integer> widths, List<Integer> wanted) {
    BigInteger all = BigInteger.ZERO;
    for (int i = 0; i < values.size(); i++) {
      all = all.shiftLeft(widths.get(i)).or(values.get(i));
    }
    List<Long> limbs = new ArrayList<>();
    int end = total(wanted);
    for (int width : wanted) {
      end -= width;
      for (int limb = 0; limb < Members.limbs(width); limb++) {
        long ones = Members.ones(Math.min(64, width - 64 * limb));
        limbs.add(all.shiftRight(end + 64 * limb).longValue() & ones);
      }
    }
    return limbs.stream().mapToLong(Long::longValue).toArray();
  }
}
