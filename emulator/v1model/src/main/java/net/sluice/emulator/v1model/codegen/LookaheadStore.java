package net.sluice.emulator.v1model.codegen;

import static net.sluice.emulator.v1model.codegen.source.Members.literal;

import net.sluice.emulator.v1model.codegen.source.Code;
import net.sluice.emulator.v1model.codegen.source.Members;
import net.sluice.emulator.v1model.program.Header;

/**
 * Java that stores lookahead bits in a field. As many bits as the field is wide are stored as they
 * are; more or fewer are an unsigned number that is assigned to the field.
 */
final class LookaheadStore {

  private LookaheadStore() {}

  /**
   * @param limbs the bits, as an unsigned number
   * @param bits their number
   */
  static void store(Header.Ref target, String[] limbs, int bits, Code into) {
    int width = target.field().widthBits();
    if (width == 0) {
      ActionEmitter.storeVariable(target, ActionEmitter.unsigned(limbs), into);
      return;
    }
    boolean signed = target.field().signed();
    if (target.field().saturating() && bits > width) {
      clamped(target, limbs, into);
      return;
    }
    if (signed && width < 64 && bits > width) {
      wrapped(target, limbs, into);
      return;
    }
    for (int limb = 0; limb < Members.limbs(width); limb++) {
      int here = Math.min(64, width - 64 * limb);
      String value = limb < limbs.length ? limbs[limb] : "0L";
      if (signed && limb == Members.limbs(width) - 1 && here < 64) {
        value = value + " << " + (64 - here) + " >> " + (64 - here);
      } else if (bits > 64 * limb + here && here < 64) {
        value = value + " & " + literal(Members.ones(here));
      }
      into.line(Members.field(target, limb) + " = " + value + ";");
    }
  }

  /** Saturates at the largest number of the field. */
  private static void clamped(Header.Ref target, String[] limbs, Code into) {
    int width = target.field().widthBits();
    int valueBits = target.field().signed() ? width - 1 : width;
    StringBuilder beyond = new StringBuilder();
    for (int limb = valueBits / 64; limb < limbs.length; limb++) {
      boolean whole = 64 * limb >= valueBits;
      beyond
          .append(beyond.length() == 0 ? "" : " | ")
          .append(whole ? limbs[limb] : "(" + limbs[limb] + ") >>> " + valueBits % 64);
    }
    String over = into.local();
    into.line("boolean " + over + " = (" + beyond + ") != 0L;");
    for (int limb = 0; limb < Members.limbs(width); limb++) {
      int here = Math.min(64, valueBits - 64 * limb);
      String largest = here <= 0 ? "0L" : literal(Members.ones(here));
      into.line(
          Members.field(target, limb) + " = " + over + " ? " + largest + " : " + limbs[limb] + ";");
    }
  }

  /** A number that the field's bits hold unsigned stays as it is, all others wrap, as in bmv2. */
  private static void wrapped(Header.Ref target, String[] limbs, Code into) {
    int width = target.field().widthBits();
    String member = Members.field(target, 0);
    String value = into.local();
    into.line("long " + value + " = " + limbs[0] + ";");
    StringBuilder over = new StringBuilder(value + " >>> " + width);
    for (int limb = 1; limb < limbs.length; limb++) {
      over.append(" | ").append(limbs[limb]);
    }
    int up = 64 - width;
    into.line("%s = (%s) == 0L ? %s : %s << %s >> %s;", member, over, value, value, up, up);
  }
}
