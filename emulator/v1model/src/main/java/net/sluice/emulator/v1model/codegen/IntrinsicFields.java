package net.sluice.emulator.v1model.codegen;

import net.sluice.emulator.v1model.codegen.expr.ExprEmitter;
import net.sluice.emulator.v1model.codegen.source.Code;
import net.sluice.emulator.v1model.codegen.source.Members;
import net.sluice.emulator.v1model.program.Expr;
import net.sluice.emulator.v1model.program.Header;

/**
 * Java for fields that simple_switch itself reads and sets: intrinsic metadata, such as {@code
 * standard_metadata.egress_spec}, and checksums. A program may declare them with any width and
 * sign.
 */
final class IntrinsicFields {

  /** Bits of a port, group or queue number. */
  private static final int NUMBER_BITS = 32;

  private IntrinsicFields() {}

  /** Whether a field holds any unsigned number of {@code bits} bits unchanged. */
  private static boolean holds(Header.Field field, int bits) {
    return !field.signed()
        && !field.saturating()
        && bits <= field.widthBits()
        && field.widthBits() <= 64;
  }

  /**
   * The low 32 bits of a field, a Java {@code long}; fails if the field is negative.
   *
   * @param into receives preceding statements
   */
  static String number(Header.Ref ref, Code into) {
    int width = ref.field().widthBits();
    if (!ref.field().signed() && width > 0 && width <= NUMBER_BITS) {
      return Members.field(ref, 0);
    }
    String value = into.local();
    into.line("long " + value + " = " + count(ref, into) + " & 0xffffffffL;");
    return value;
  }

  /** A field's {@link #number} as a Java {@code int}, saturated. */
  static String index(Header.Ref ref, String number) {
    return !ref.field().signed() && ref.field().widthBits() < NUMBER_BITS
        ? "(int) " + number
        : "(int) Math.min(" + number + ", 0x7fffffffL)";
  }

  /** The low 64 bits of a field; fails if it is negative. */
  static String count(Header.Ref ref, Code into) {
    return new ExprEmitter(into, null, "field '" + ref.name() + "'")
        .count(Expr.valueOf(ref), "number");
  }

  /** The queue number in a field as a Java {@code int}, saturated. */
  static String priority(Header.Ref ref, Code into) {
    return !ref.field().signed() && ref.field().widthBits() < NUMBER_BITS
        ? "(int) " + Members.field(ref, 0)
        : "(int) Arith.minUnsigned(" + count(ref, into) + ", 0x7fffffffL)";
  }

  /** Sets a field to an unsigned number of at most {@code bits} bits. */
  static void set(Header.Ref ref, String value, int bits, Code into) {
    if (holds(ref.field(), bits)) {
      into.line(Members.field(ref, 0) + " = " + value + ";");
    } else {
      ActionEmitter.storeLong(ref, value, bits, into);
    }
  }

  /** Sets a field to a number of 63 bits, truncated to its width. */
  static void setCut(Header.Ref ref, String value, Code into) {
    int width = ref.field().widthBits();
    if (ref.field().signed() || ref.field().saturating() || width == 0) {
      ActionEmitter.storeLong(ref, value, 63, into);
      return;
    }
    into.line(
        "%s = %s%s;",
        Members.field(ref, 0),
        value,
        width < 64 ? " & " + Members.literal(Members.ones(width)) : "");
    for (int limb = 1; limb < Members.limbs(width); limb++) {
      into.line(Members.field(ref, limb) + " = 0L;");
    }
  }

  /** The low 64 bits of a field that is compared; fails if it is negative. */
  static String low(Header.Ref ref, Code into) {
    return ref.field().signed() || ref.field().widthBits() == 0
        ? count(ref, into)
        : Members.field(ref, 0);
  }

  /** Sets a field to a checksum of 64 bits, truncated to its width. */
  static void setChecksum(Header.Ref ref, String value, Code into) {
    Header.Field field = ref.field();
    boolean plain = field.widthBits() > 0 && field.widthBits() <= 64;
    if (field.signed() || field.saturating() || !plain) {
      ActionEmitter.storeLong(ref, value, 64, into);
      return;
    }
    String ones = Members.literal(Members.ones(field.widthBits()));
    into.line(Members.field(ref, 0) + " = " + value + " & " + ones + ";");
  }
}
