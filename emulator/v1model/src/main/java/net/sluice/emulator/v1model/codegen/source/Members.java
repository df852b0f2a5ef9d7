package net.sluice.emulator.v1model.codegen.source;

import net.sluice.emulator.v1model.program.Header;
import net.sluice.emulator.v1model.program.HeaderStack;
import net.sluice.emulator.v1model.program.Primitive;

/**
 * Names of the generated packet class's members, and the representation of their values: limbs of
 * 64 bits, the least significant first.
 */
public final class Members {

  /** The variable that generated methods call the packet. */
  static final String PACKET = "p";

  private Members() {}

  /** Limbs of a field. */
  public static int limbs(int widthBits) {
    return (widthBits + 63) / 64;
  }

  /** A limb of a field, as a member's plain name. */
  public static String fieldName(Header.Ref ref, int limb) {
    String name = "f" + ref.header().index() + "_" + ref.field().index();
    return limbs(ref.field().widthBits()) == 1 ? name : name + "_" + limb;
  }

  /** A limb of a field of the packet. */
  public static String field(Header.Ref ref, int limb) {
    return PACKET + "." + fieldName(ref, limb);
  }

  public static String validName(Header header) {
    return "v" + header.index();
  }

  /** Whether a header of the packet is valid. */
  public static String valid(Header header) {
    return header.metadata() ? "true" : PACKET + "." + validName(header);
  }

  /** The value of a header's variable-length field, as a member's plain name. */
  public static String variableName(Header header) {
    return "y" + header.index();
  }

  /** The value of a variable-length field of the packet. */
  public static String variable(Header header) {
    return PACKET + "." + variableName(header);
  }

  /** A stack's {@code nextIndex}, as a member's plain name. */
  public static String nextName(HeaderStack stack) {
    return "n" + stack.index();
  }

  /** A stack's {@code nextIndex} in the packet. */
  public static String next(HeaderStack stack) {
    return PACKET + "." + nextName(stack);
  }

  /** A limb of an element of a register array, unsigned. */
  public static String cell(Primitive.RegisterDef register, String index, int limb) {
    int width = register.widthBits();
    if (width > 64) {
      return wideCell(register, index, limb);
    }
    String cell = "r" + register.index() + "[(int) " + index + "]";
    return width > 32
        ? cell
        : "(%s & %s)"
            .formatted(cell, width <= 8 ? "0xffL" : width <= 16 ? "0xffffL" : "0xffffffffL");
  }

  /** A limb of an element of a register array wider than 64 bits, to be read or written. */
  public static String wideCell(Primitive.RegisterDef register, String index, int limb) {
    int limbs = limbs(register.widthBits());
    return "r" + register.index() + "[" + limbs + " * (int) " + index + " + " + limb + "]";
  }

  /** A literal. */
  public static String literal(long value) {
    if (value >= Integer.MIN_VALUE && value <= 9999) {
      return value + "L";
    }
    return "0x" + Long.toHexString(value) + "L";
  }

  /** The lowest bits set, 1 to 64 of them. */
  public static long ones(int bits) {
    return bits >= 64 ? -1L : (1L << bits) - 1;
  }
}
