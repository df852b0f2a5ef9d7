package net.sluice.emulator.v1model.codegen;

import static net.sluice.emulator.v1model.codegen.source.Members.literal;

import java.math.BigInteger;
import net.sluice.emulator.v1model.codegen.source.Code;
import net.sluice.emulator.v1model.codegen.source.Members;
import net.sluice.emulator.v1model.program.Calculation;
import net.sluice.emulator.v1model.program.Header;

/** Java for checksums and hashes. */
final class CalculationEmitter {

  private CalculationEmitter() {}

  /** The method {@code k<index>}: the calculation's result for a packet. */
  static void emit(Calculation calculation, Code into) {
    into.line("// calculation " + calculation.name());
    into.line("private long k" + calculation.index() + "(Packet p) {");
    Header only = onlyHeader(calculation);
    if (only != null && calculation.algorithm() == Calculation.Algorithm.CSUM16) {
      into.line("if (" + Members.valid(only) + ") {");
      into.line("return InternetChecksum.finish(" + sum(calculation) + ");");
      into.line("}");
    }
    into.line("BitBuffer s = scratch;");
    into.line("s.clear();");
    for (Calculation.Input input : calculation.inputs()) {
      append(input, into);
    }
    into.line("return " + function(calculation) + "(s.bytes(), s.length());");
    into.line("}");
  }

  /** The counter of bmv2's {@code round_robin} algorithms. */
  static String turn(Calculation calculation) {
    return "z" + calculation.index();
  }

  /** Whether an algorithm is one of bmv2's {@code round_robin}, which count instead of hashing. */
  static boolean counts(Calculation calculation) {
    return calculation.algorithm() == Calculation.Algorithm.ROUND_ROBIN
        || calculation.algorithm() == Calculation.Algorithm.ROUND_ROBIN_CONSISTENT;
  }

  /** Custom CRCs have the parameters that bmv2 gives them; nothing can change those. */
  private static String function(Calculation calculation) {
    return switch (calculation.algorithm()) {
      case CRC8_CUSTOM -> "Hashes.crc8";
      case CRC16, CRC16_CUSTOM -> "Hashes.crc16";
      case CRC32, CRC32_CUSTOM -> "Hashes.crc32";
      case CRC64_CUSTOM -> "Hashes.crc64";
      case HASH_EX -> "Hashes.hashEx";
      case BMV2_HASH, XXH64 -> "Hashes.xxh64";
      case TOEPLITZ -> "Hashes.toeplitz";
      case ROUND_ROBIN -> turn(calculation) + ".next";
      case ROUND_ROBIN_CONSISTENT -> turn(calculation) + ".same";
      case CRC_CCITT -> "Hashes.crcCcitt";
      case CSUM16, CKSUM16 -> "Hashes.csum16";
      case XOR16 -> "Hashes.xor16";
      case XOR32 -> "Hashes.xor32";
      case IDENTITY -> "Hashes.identity";
      default -> throw new IllegalStateException("no function for " + calculation.algorithm());
    };
  }

  /** The one header on the wire that all inputs are fields of, or null. */
  private static Header onlyHeader(Calculation calculation) {
    Header only = null;
    for (Calculation.Input input : calculation.inputs()) {
      if (!(input instanceof Calculation.FieldInput)) {
        return null;
      }
      Header header = ((Calculation.FieldInput) input).ref().header();
      if (header.isVariable()) {
        return null;
      }
      if (only != null && only != header) {
        return null;
      }
      only = header;
    }
    return only;
  }

  /**
   * The one's complement sum of fields laid end to end, unfolded. Moving a number by whole 16-bit
   * words does not change its sum, so a field only has to be moved to where it ends within its
   * word.
   */
  private static String sum(Calculation calculation) {
    StringBuilder sum = new StringBuilder();
    int offset = 0;
    for (Calculation.Input input : calculation.inputs()) {
      Header.Ref ref = ((Calculation.FieldInput) input).ref();
      int width = ref.field().widthBits();
      offset += width;
      int pad = (16 - offset % 16) % 16;
      for (int limb = 0; limb < Members.limbs(width); limb++) {
        int bits = Math.min(64, width - 64 * limb);
        String value = Members.field(ref, limb);
        if (ref.field().signed() && bits < 64) {
          value = "(" + value + " & " + literal(Members.ones(bits)) + ")";
        }
        if (bits + pad <= 48) {
          add(sum, value, pad);
        } else {
          add(sum, "(" + value + " & 0xffffffffL)", pad);
          add(sum, "(" + value + " >>> 32)", pad);
        }
      }
    }
    return sum.toString();
  }

  private static void add(StringBuilder sum, String value, int pad) {
    sum.append(sum.length() == 0 ? "" : " + ")
        .append(pad == 0 ? value : "(" + value + " << " + pad + ")");
  }

  private static void append(Calculation.Input input, Code into) {
    if (input instanceof Calculation.FieldInput fieldInput) {
      Header.Ref ref = fieldInput.ref();
      into.line("if (" + Members.valid(ref.header()) + ") {");
      appendField(ref, into);
      into.line("}");
    } else if (input instanceof Calculation.HeaderInput headerInput) {
      Header header = headerInput.header();
      into.line("if (" + Members.valid(header) + ") {");
      header.fields().forEach(field -> appendField(new Header.Ref(header, field), into));
      into.line("}");
    } else if (input instanceof Calculation.ConstantInput constantInput) {
      int width = constantInput.widthBits();
      BigInteger value = constantInput.value();
      for (int limb = Members.limbs(width) - 1; limb >= 0; limb--) {
        into.line(
            "s.put(%s, %s);",
            literal(value.shiftRight(64 * limb).longValue()), Math.min(64, width - 64 * limb));
      }
    } else {
      into.line("s.put(p.bytes(), p.position, p.end - p.position);");
    }
  }

  private static void appendField(Header.Ref ref, Code into) {
    int width = ref.field().widthBits();
    if (width == 0) {
      into.line("s.put(" + Members.variable(ref.header()) + ");");
    }
    for (int limb = Members.limbs(width) - 1; limb >= 0; limb--) {
      into.line(
          "s.put(" + Members.field(ref, limb) + ", " + Math.min(64, width - 64 * limb) + ");");
    }
  }
}
