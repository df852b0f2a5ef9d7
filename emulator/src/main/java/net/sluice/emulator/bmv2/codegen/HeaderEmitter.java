package net.sluice.emulator.bmv2.codegen;

import static net.sluice.emulator.bmv2.codegen.Members.literal;

import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.bmv2.program.Header;

/**
 * Java for what happens to whole headers: their members, reading them from the wire and writing
 * them to it.
 */
final class HeaderEmitter {

  private HeaderEmitter() {}

  /** The packet class's members for a header. */
  static void declare(Header header, Code into) {
    into.line("// " + (header.metadata() ? "metadata " : "header ") + header.name());
    if (!header.metadata()) {
      into.line("public boolean " + Members.validName(header) + ";");
    }
    for (Header.Field field : header.fields()) {
      for (int limb = 0; limb < Members.limbs(field.widthBits()); limb++) {
        into.line(
            "public long "
                + Members.fieldName(new Header.Ref(header, field), limb)
                + ";  // "
                + field.name());
      }
    }
    if (header.isVariable()) {
      into.line("public final VarBits " + Members.variableName(header) + " = new VarBits();");
    }
  }

  /** Sets every field to zero, and one of variable length to nothing. */
  static void clearFields(Header header, Code into) {
    zeroFields(header, into);
    if (header.isVariable()) {
      into.line(Members.variable(header) + ".clear();");
    }
  }

  /** Sets every field of fixed length to zero. */
  static void zeroFields(Header header, Code into) {
    for (Header.Field field : header.fields()) {
      for (int limb = 0; limb < Members.limbs(field.widthBits()); limb++) {
        into.line(Members.field(new Header.Ref(header, field), limb) + " = 0L;");
      }
    }
  }

  /**
   * The method that reads a header from {@code b} at {@code o}; one with a field of variable length
   * has {@code n} bytes in it.
   */
  static void emitExtract(Header header, List<Header> rivals, Code into) {
    Header.Field variable = header.variable();
    into.line(
        "private static void x"
            + header.index()
            + "(Packet p, byte[] b, int o"
            + (variable == null ? ") {" : ", int n) {"));
    if (variable != null) {
      // What comes behind the variable field is that much later than its offset says.
      into.line("int t = o + n;");
      into.line(readVariable(header, variable));
    }
    for (Header.Field field : header.fields()) {
      String base = variable != null && field.index() > variable.index() ? "t" : "o";
      int limbs = Members.limbs(field.widthBits());
      for (int limb = 0; limb < limbs; limb++) {
        int width = Math.min(64, field.widthBits() - 64 * limb);
        int offset = field.offsetBits() + field.widthBits() - 64 * limb - width;
        String value = read(base, offset, width);
        if (field.signed() && limb == limbs - 1 && width < 64) {
          value = value + " << " + (64 - width) + " >> " + (64 - width);
        }
        into.line(Members.field(new Header.Ref(header, field), limb) + " = " + value + ";");
      }
    }
    makeValid(header, rivals, into);
    into.line("}");
  }

  private static String readVariable(Header header, Header.Field variable) {
    String value = Members.variable(header);
    int offset = variable.offsetBits();
    return offset % 8 == 0
        ? value + ".read(b, o + " + offset / 8 + ", n);"
        : value + ".readBits(b, o + " + offset / 8 + ", " + offset % 8 + ", n);";
  }

  /** Makes a header valid, and the others of its union invalid. */
  static void makeValid(Header header, List<Header> rivals, Code into) {
    into.line(Members.valid(header) + " = true;");
    for (Header rival : rivals) {
      into.line(Members.valid(rival) + " = false;");
    }
  }

  /** Length of a header, a Java number of bytes. */
  static String bytes(Header header) {
    String fixed = String.valueOf(header.widthBits() / 8);
    return header.isVariable() ? fixed + " + " + Members.variable(header) + ".length()" : fixed;
  }

  /** Copies the fields of a header to those of another of the same type. */
  static void copyFields(Header target, Header source, Code into) {
    for (Header.Field field : target.fields()) {
      for (int limb = 0; limb < Members.limbs(field.widthBits()); limb++) {
        into.line(
            Members.field(new Header.Ref(target, field), limb)
                + " = "
                + Members.field(new Header.Ref(source, source.fields().get(field.index())), limb)
                + ";");
      }
    }
    if (target.isVariable()) {
      into.line(Members.variable(target) + ".copy(" + Members.variable(source) + ");");
    }
  }

  /** Exchanges the fields and the validity of two headers of the same type. */
  static void swap(Header a, Header b, Code into) {
    for (Header.Field field : a.fields()) {
      for (int limb = 0; limb < Members.limbs(field.widthBits()); limb++) {
        String one = Members.field(new Header.Ref(a, field), limb);
        String other = Members.field(new Header.Ref(b, b.fields().get(field.index())), limb);
        String kept = into.local();
        into.line("long " + kept + " = " + one + ";");
        into.line(one + " = " + other + ";").line(other + " = " + kept + ";");
      }
    }
    if (a.isVariable()) {
      into.line(Members.variable(a) + ".swap(" + Members.variable(b) + ");");
    }
    String kept = into.local();
    into.line("boolean " + kept + " = " + Members.valid(a) + ";");
    into.line(Members.valid(a) + " = " + Members.valid(b) + ";");
    into.line(Members.valid(b) + " = " + kept + ";");
  }

  /**
   * {@code width} bits (at most 64) that start {@code offset} bits behind byte {@code base} of
   * {@code b}.
   */
  static String read(String base, int offset, int width) {
    int skip = offset % 8;
    String at = offset / 8 == 0 ? base : base + " + " + offset / 8;
    int span = skip + width;
    if (span > 64) {
      String low = "Bytes.u8(b, " + base + " + " + (offset / 8 + 8) + ") >>> " + (72 - span);
      return "("
          + masked("(Bytes.u64(b, " + at + ") << " + (span - 64) + " | " + low + ")", width)
          + ")";
    }
    int load = span <= 8 ? 8 : span <= 16 ? 16 : span <= 32 ? 32 : 64;
    String loaded = "Bytes.u" + load + "(b, " + at + ")";
    String shifted = load == span ? loaded : "(" + loaded + " >>> " + (load - span) + ")";
    return skip == 0 ? shifted : "(" + masked(shifted, width) + ")";
  }

  private static String masked(String value, int width) {
    return width == 64 ? value : value + " & " + literal(Members.ones(width));
  }

  /** The method that writes a header to {@code b} at {@code o}. */
  static void emitDeparse(Header header, Code into) {
    into.line("private static void w" + header.index() + "(Packet p, byte[] b, int o) {");
    Header.Field variable = header.variable();
    if (variable == null) {
      write(header, "o", 0, header.widthBits(), into);
    } else {
      String value = Members.variable(header);
      int offset = variable.offsetBits();
      into.line("int t = o + " + value + ".length();");
      if (offset % 8 == 0) {
        write(header, "o", 0, offset, into);
        into.line(value + ".write(b, o + " + offset / 8 + ");");
        write(header, "t", offset, header.widthBits(), into);
      } else {
        writeBits(header, variable, into);
      }
    }
    into.line("}");
  }

  /** Writes whole bytes of a header, from bit {@code from} to bit {@code to}. */
  private static void write(Header header, String base, int from, int to, Code into) {
    for (int at = from; at < to; ) {
      int left = to - at;
      int chunk = left >= 64 ? 64 : left >= 32 ? 32 : left >= 16 ? 16 : 8;
      into.line(
          "Bytes.put"
              + chunk
              + "(b, "
              + base
              + " + "
              + at / 8
              + ", "
              + chunk(header, at, chunk)
              + ");");
      at += chunk;
    }
  }

  /** Writes a header whose variable field does not start on a byte, field by field. */
  private static void writeBits(Header header, Header.Field variable, Code into) {
    for (Header.Field field : header.fields()) {
      if (field == variable) {
        into.line(
            Members.variable(header)
                + ".writeBits(b, o + "
                + field.offsetBits() / 8
                + ", "
                + field.offsetBits() % 8
                + ");");
        continue;
      }
      String base = field.index() > variable.index() ? "t" : "o";
      for (int limb = 0; limb < Members.limbs(field.widthBits()); limb++) {
        int width = Math.min(64, field.widthBits() - 64 * limb);
        int offset = field.offsetBits() + field.widthBits() - 64 * limb - width;
        into.line(
            "Bytes.putBits(b, "
                + base
                + " + "
                + offset / 8
                + ", "
                + offset % 8
                + ", "
                + width
                + ", "
                + Members.field(new Header.Ref(header, field), limb)
                + ");");
      }
    }
  }

  /**
   * The bits of a header from {@code from}, as a {@code long} whose bits above {@code size} do not
   * matter.
   */
  private static String chunk(Header header, int from, int size) {
    List<String> pieces = new ArrayList<>();
    for (Header.Field field : header.fields()) {
      for (int limb = 0; limb < Members.limbs(field.widthBits()); limb++) {
        int width = Math.min(64, field.widthBits() - 64 * limb);
        int start = field.offsetBits() + field.widthBits() - 64 * limb - width;
        int end = start + width;
        if (start >= from + size || end <= from) {
          continue;
        }
        String value = Members.field(new Header.Ref(header, field), limb);
        if (field.signed() && width < 64) {
          value = "(" + value + " & " + literal(Members.ones(width)) + ")";
        }
        int shift = from + size - end;
        pieces.add(
            shift == 0 ? value : shift > 0 ? value + " << " + shift : value + " >>> " + -shift);
      }
    }
    return String.join(" | ", pieces);
  }
}
