package net.sluice.emulator.server.p4runtime.cell;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;
import net.sluice.emulator.server.p4runtime.entity.Parts;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.server.p4runtime.value.ByteStrings;
import net.sluice.emulator.server.p4runtime.value.StringType;
import net.sluice.emulator.server.p4runtime.value.TranslatedTypes;
import net.sluice.emulator.v1model.LoadedProgram;
import net.sluice.emulator.v1model.runtime.RegisterArray;
import p4.config.v1.P4InfoOuterClass;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.config.v1.P4Types.P4BitstringLikeTypeSpec;
import p4.config.v1.P4Types.P4DataTypeSpec;
import p4.config.v1.P4Types.P4NewTypeSpec;
import p4.config.v1.P4Types.P4SerializableEnumTypeSpec;
import p4.config.v1.P4Types.P4TypeInfo;
import p4.v1.P4DataOuterClass.P4Data;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Index;
import p4.v1.P4RuntimeOuterClass.RegisterEntry;

/** A register array as P4Runtime numbers it, with the type of its cells. */
public final class RegisterBinding implements CellEntries.Cells {

  /** How a cell's value is written. */
  private enum Type {
    UNSIGNED("bitstring"),
    SIGNED("bitstring"),
    ENUM("enum_value");

    private final String field;

    Type(String field) {
      this.field = field;
    }
  }

  private final int id;
  private final String name;
  private final Type type;
  private final RegisterArray array;
  private final StringType strings;

  private RegisterBinding(int id, String name, Type type, RegisterArray array, StringType strings) {
    this.strings = strings;
    this.id = id;
    this.name = name;
    this.type = type;
    this.array = array;
  }

  /** Pairs a P4Info's registers with those of a program. */
  public static Map<Integer, RegisterBinding> of(
      P4Info info, LoadedProgram program, TranslatedTypes types) throws RpcException {
    Map<Integer, RegisterBinding> bindings = new LinkedHashMap<>();
    for (P4InfoOuterClass.Register register : info.getRegistersList()) {
      String name = register.getPreamble().getName();
      RegisterArray found = Parts.named(program.state().registers(), RegisterArray::name, name);
      if (found == null || found.size() != register.getSize()) {
        throw RpcException.invalid(
            "register '%s' of size %s is %s in the device config",
            name, register.getSize(), found == null ? "missing" : "of size " + found.size());
      }
      int id = register.getPreamble().getId();
      Type type = type(register.getTypeSpec(), info.getTypeInfo(), found);
      bindings.put(
          id,
          new RegisterBinding(
              id, name, type, found, types.strings(register.getTypeSpec().getNewType().getName())));
    }
    return bindings;
  }

  private static Type type(P4DataTypeSpec spec, P4TypeInfo types, RegisterArray array)
      throws RpcException {
    switch (spec.getTypeSpecCase()) {
      case BITSTRING:
        P4BitstringLikeTypeSpec bits = spec.getBitstring();
        if (bits.hasBit()) {
          checkWidth(bits.getBit().getBitwidth(), array);
          return Type.UNSIGNED;
        }
        if (bits.hasInt()) {
          checkWidth(bits.getInt().getBitwidth(), array);
          return Type.SIGNED;
        }
        break;
      case SERIALIZABLE_ENUM:
        P4SerializableEnumTypeSpec declared =
            types.getSerializableEnumsMap().get(spec.getSerializableEnum().getName());
        if (declared != null) {
          checkWidth(declared.getUnderlyingType().getBitwidth(), array);
          return Type.ENUM;
        }
        break;
      case NEW_TYPE:
        P4NewTypeSpec renamed = types.getNewTypesMap().get(spec.getNewType().getName());
        if (renamed != null && renamed.hasOriginalType()) {
          return type(renamed.getOriginalType(), types, array);
        }
        if (renamed != null && renamed.hasTranslatedType()) {
          // P4Info has another width than the program, or none.
          return Type.UNSIGNED;
        }
        break;
      default:
    }
    throw RpcException.invalid(
        "register '%s' has cells of type %s in P4Info; they must be bit<W>, int<W> or a"
            + " serializable enum",
        array.name(), spec.getTypeSpecCase());
  }

  private static void checkWidth(int widthBits, RegisterArray array) throws RpcException {
    if (widthBits != array.widthBits()) {
      throw RpcException.invalid(
          "register '%s' has cells of %s bits in P4Info and %s in the device config",
          array.name(), widthBits, array.widthBits());
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int size() {
    return array.size();
  }

  RegisterArray array() {
    return array;
  }

  @Override
  public Entity cell(int index) {
    return Entity.newBuilder()
        .setRegisterEntry(
            RegisterEntry.newBuilder()
                .setRegisterId(id)
                .setIndex(Index.newBuilder().setIndex(index))
                .setData(data(index)))
        .build();
  }

  private P4Data data(int index) {
    P4Data.Builder data = P4Data.newBuilder();
    return switch (type) {
      case ENUM -> data.setEnumValue(unsigned(index)).build();
      case SIGNED -> {
        int width = array.widthBits();
        BigInteger value = array.getBig(index);
        if (value.testBit(width - 1)) {
          value = value.subtract(BigInteger.ONE.shiftLeft(width));
        }
        yield data.setBitstring(UnsafeByteOperations.unsafeWrap(value.toByteArray())).build();
      }
      default -> data.setBitstring(unsigned(index)).build();
    };
  }

  private ByteString unsigned(int index) {
    return strings == null ? number(index) : strings.string(number(index));
  }

  private ByteString number(int index) {
    if (array.widthBits() <= 64) {
      return ByteStrings.write(array.get(index));
    }
    byte[] bytes = array.getBig(index).toByteArray();
    // BigInteger puts a zero byte before values whose highest bit is set.
    int from = bytes.length > 1 && bytes[0] == 0 ? 1 : 0;
    return UnsafeByteOperations.unsafeWrap(bytes, from, bytes.length - from);
  }

  /** Whether a cell's data, as it is read, is zero. */
  public static boolean isZero(P4Data data) {
    ByteString bytes =
        data.getDataCase() == P4Data.DataCase.ENUM_VALUE
            ? data.getEnumValue()
            : data.getBitstring();
    return bytes.size() == 1 && bytes.byteAt(0) == 0;
  }

  /**
   * The value that an entry's data means, possibly negative.
   *
   * @throws RpcException INVALID_ARGUMENT if it is of another type, OUT_OF_RANGE if it does not fit
   */
  BigInteger value(P4Data data) throws RpcException {
    boolean fits =
        data.getDataCase()
            == (type == Type.ENUM ? P4Data.DataCase.ENUM_VALUE : P4Data.DataCase.BITSTRING);
    if (!fits) {
      throw RpcException.invalid(
          "data of register '%s' is %s; it must be a %s", name, data.getDataCase(), type.field);
    }
    ByteString bytes = type == Type.ENUM ? data.getEnumValue() : data.getBitstring();
    String what = "data of register '" + name + "'";
    if (strings != null) {
      bytes = strings.number(bytes, array.widthBits(), what);
    }
    if (bytes.isEmpty()) {
      throw ByteStrings.empty(what);
    }
    BigInteger value =
        type == Type.SIGNED
            ? new BigInteger(bytes.toByteArray())
            : new BigInteger(1, bytes.toByteArray());
    int needed = type == Type.SIGNED ? value.bitLength() + 1 : value.bitLength();
    if (needed > array.widthBits()) {
      throw ByteStrings.tooWide(bytes, needed, array.widthBits(), what);
    }
    return value;
  }
}
