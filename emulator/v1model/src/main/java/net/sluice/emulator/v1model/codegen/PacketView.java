package net.sluice.emulator.v1model.codegen;

import java.lang.reflect.Field;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.sluice.emulator.v1model.codegen.source.Members;
import net.sluice.emulator.v1model.program.Header;
import net.sluice.emulator.v1model.program.Program;
import net.sluice.emulator.v1model.runtime.ParsedPacket;
import net.sluice.emulator.v1model.runtime.VarBits;

/** Reads the parsed state of a program's packets by P4 name. */
public final class PacketView {

  private final List<HeaderView> headers = new ArrayList<>();

  /** The members that hold a header. */
  private record HeaderView(Header header, Field valid, Field[][] limbs, Field variable) {}

  PacketView(Program program, Class<?> packetClass) {
    for (Header header : program.headers()) {
      Field[][] limbs = new Field[header.fields().size()][];
      for (Header.Field field : header.fields()) {
        Header.Ref ref = new Header.Ref(header, field);
        limbs[field.index()] = new Field[Members.limbs(field.widthBits())];
        for (int limb = 0; limb < limbs[field.index()].length; limb++) {
          limbs[field.index()][limb] = member(packetClass, Members.fieldName(ref, limb));
        }
      }
      headers.add(
          new HeaderView(
              header,
              header.metadata() ? null : member(packetClass, Members.validName(header)),
              limbs,
              header.isVariable() ? member(packetClass, Members.variableName(header)) : null));
    }
  }

  private static Field member(Class<?> packetClass, String name) {
    try {
      return packetClass.getField(name);
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException("the packet class has no member " + name, e);
    }
  }

  /** Whether a header is valid; always true of metadata. */
  public boolean isValid(ParsedPacket packet, int header) {
    Field valid = headers.get(header).valid();
    try {
      return valid == null || valid.getBoolean(packet);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The bits of a field, as an unsigned number; those of one of variable length, end to end. */
  public BigInteger value(ParsedPacket packet, int header, int field) {
    HeaderView view = headers.get(header);
    try {
      if (view.header().fields().get(field).widthBits() == 0) {
        VarBits value = (VarBits) view.variable().get(packet);
        return new BigInteger(1, Arrays.copyOf(value.bytes(), value.length()));
      }
      BigInteger value = BigInteger.ZERO;
      Field[] limbs = view.limbs()[field];
      for (int limb = limbs.length - 1; limb >= 0; limb--) {
        value = value.shiftLeft(64).or(unsigned(limbs[limb].getLong(packet)));
      }
      int width = view.header().fields().get(field).widthBits();
      return value.and(BigInteger.ONE.shiftLeft(width).subtract(BigInteger.ONE));
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Width of a field in a packet, bits; of one of variable length, its current width. */
  public int widthBits(ParsedPacket packet, int header, int field) {
    HeaderView view = headers.get(header);
    int width = view.header().fields().get(field).widthBits();
    if (width > 0) {
      return width;
    }
    try {
      return 8 * ((VarBits) view.variable().get(packet)).length();
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  private static BigInteger unsigned(long limb) {
    BigInteger value = BigInteger.valueOf(limb);
    return limb < 0 ? value.add(BigInteger.ONE.shiftLeft(64)) : value;
  }
}
