package net.sluice.emulator.v1model.codegen.expr;

import static net.sluice.emulator.v1model.codegen.source.Members.literal;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import net.sluice.emulator.v1model.codegen.source.Code;
import net.sluice.emulator.v1model.codegen.source.Members;
import net.sluice.emulator.v1model.program.Header;

/** Java for whole headers: their members, and reading them from the wire and writing them to it. */
public final class HeaderEmitter {

  private HeaderEmitter() {}

  /** The packet class's members for a header. */
  public static void declare(Header header, Code into) {
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

  /** Sets the wanted fields to zero, and one of variable length to nothing. */
  public static void clearFields(Header header, Predicate<Header.Field> wanted, Code into) {
    limbs(header).stream()
        .filter(limb -> wanted.test(limb.field()))
        .forEach(limb -> into.line(limb.of(header) + " = 0L;"));
    if (header.isVariable()) {
      into.line(Members.variable(header) + ".clear();");
    }
  }

  /** Sets every field of fixed length to zero. */
  public static void zeroFields(Header header, Code into) {
    limbs(header).forEach(limb -> into.line(limb.of(header) + " = 0L;"));
  }

  /** 64 bits, or fewer, of a field of headers of a type. */
  private record Limb(Header.Field field, int limb) {

    /** The member of the packet that holds it for a header. */
    String of(Header header) {
      return Members.field(new Header.Ref(header, header.fields().get(field.index())), limb);
    }

    int width() {
      return Math.min(64, field.widthBits() - 64 * limb);
    }

    /** Its offset in the header. */
    int offset() {
      return field.offsetBits() + field.widthBits() - 64 * limb - width();
    }

    boolean isTop() {
      return limb == Members.limbs(field.widthBits()) - 1;
    }
  }

  /** The limbs of all fields of fixed length. */
  private static List<Limb> limbs(Header header) {
    List<Limb> limbs = new ArrayList<>();
    for (Header.Field field : header.fields()) {
      for (int limb = 0; limb < Members.limbs(field.widthBits()); limb++) {
        limbs.add(new Limb(field, limb));
      }
    }
    return limbs;
  }

  /** The members of the packet that hold a header's fields of fixed length. */
  public static List<String> members(Header header) {
    return limbs(header).stream().map(limb -> limb.of(header)).toList();
  }

  /**
   * The method that reads a header from {@code b} at {@code o}; one with a field of variable length
   * has {@code n} bytes in it.
   */
  public static void emitExtract(Header header, List<Header> rivals, Code into) {
    Header.Field variable = header.variable();
    into.line(
        "private static void x%s(Packet p, byte[] b, int o%s",
        header.index(), variable == null ? ") {" : ", int n) {");
    if (variable != null) {
      // Fields behind the variable one are later than their offsets by its length.
      into.line("int t = o + n;");
      into.line(readVariable(header, variable));
    }
    limbs(header)
        .forEach(
            limb -> {
              boolean behind = variable != null && limb.field().index() > variable.index();
              int width = limb.width();
              String value = read(behind ? "t" : "o", limb.offset(), width);
              if (limb.field().signed() && limb.isTop() && width < 64) {
                value = value + " << " + (64 - width) + " >> " + (64 - width);
              }
              into.line(limb.of(header) + " = " + value + ";");
            });
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
  public static void makeValid(Header header, List<Header> rivals, Code into) {
    into.line(Members.valid(header) + " = true;");
    for (Header rival : rivals) {
      into.line(Members.valid(rival) + " = false;");
    }
  }

  /** Length of a header, a Java number of bytes. */
  public static String bytes(Header header) {
    String fixed = String.valueOf(header.widthBits() / 8);
    return header.isVariable() ? fixed + " + " + Members.variable(header) + ".length()" : fixed;
  }

  /** Copies the fields of a header to those of another of the same type. */
  public static void copyFields(Header target, Header source, Code into) {
    limbs(target).forEach(limb -> into.line(limb.of(target) + " = " + limb.of(source) + ";"));
    if (target.isVariable()) {
      into.line(Members.variable(target) + ".copy(" + Members.variable(source) + ");");
    }
  }

  /** Exchanges the fields and the validity of two headers of the same type. */
  public static void swap(Header a, Header b, Code into) {
    for (Limb limb : limbs(a)) {
      String one = limb.of(a);
      String other = limb.of(b);
      String kept = into.local();
      into.line("long " + kept + " = " + one + ";");
      into.line(one + " = " + other + ";").line(other + " = " + kept + ";");
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
  public static String read(String base, int offset, int width) {
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
  public static void emitDeparse(Header header, Code into) {
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
    for (int at = from; at < to; at += chunkBits(to - at)) {
      int chunk = chunkBits(to - at);
      String put = "Bytes.put" + chunk + "(b, " + base + " + " + at / 8 + ", ";
      into.line(put + chunk(header, at, chunk) + ");");
    }
  }

  /** Bits written at a time, given those left. */
  private static int chunkBits(int left) {
    return left >= 64 ? 64 : left >= 32 ? 32 : left >= 16 ? 16 : 8;
  }

  /** Writes a header whose variable field does not start on a byte, field by field. */
  private static void writeBits(Header header, Header.Field variable, Code into) {
    String at = variable.offsetBits() / 8 + ", " + variable.offsetBits() % 8;
    List<Limb> limbs = limbs(header);
    int before = (int) limbs.stream().filter(l -> l.field().index() < variable.index()).count();
    writeBits(header, limbs.subList(0, before), "o", into);
    into.line(Members.variable(header) + ".writeBits(b, o + " + at + ");");
    writeBits(header, limbs.subList(before, limbs.size()), "t", into);
  }

  private static void writeBits(Header header, List<Limb> limbs, String base, Code into) {
    for (Limb limb : limbs) {
      String at = limb.offset() / 8 + ", " + limb.offset() % 8 + ", " + limb.width();
      into.line("Bytes.putBits(b, " + base + " + " + at + ", " + limb.of(header) + ");");
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
