package net.sluice.emulator.server.p4runtime.program;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import com.google.rpc.Code;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.sluice.emulator.server.p4runtime.entity.UndoLog;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.server.p4runtime.value.StringType;
import net.sluice.emulator.server.p4runtime.value.TranslatedTypes;
import net.sluice.emulator.v1model.LoadedProgram;
import net.sluice.emulator.v1model.runtime.DigestBuffer;
import p4.config.v1.P4InfoOuterClass;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.config.v1.P4Types.P4BitstringLikeTypeSpec;
import p4.config.v1.P4Types.P4DataTypeSpec;
import p4.config.v1.P4Types.P4NewTypeSpec;
import p4.config.v1.P4Types.P4SerializableEnumTypeSpec;
import p4.config.v1.P4Types.P4StructTypeSpec;
import p4.config.v1.P4Types.P4TypeInfo;
import p4.v1.P4DataOuterClass.P4Data;
import p4.v1.P4DataOuterClass.P4StructLike;
import p4.v1.P4RuntimeOuterClass.DigestEntry;
import p4.v1.P4RuntimeOuterClass.DigestList;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Update;

/** A digest as P4Runtime numbers it, with the type of its messages and its configuration. */
public final class DigestBinding {

  /** The width of a translated type, which P4Info does not tell. */
  private static final int ANY_WIDTH = -1;

  /** How a value is taken from the bytes of a message, which are those of its fields in order. */
  private interface Shape {

    /** Widths of the fields it is made of, bits. */
    void widths(List<Integer> into);

    /** The same with the widths that the program has. */
    Shape withWidths(Iterator<Integer> program);

    P4Data read(Cursor from);
  }

  /** A place in a message. */
  private static final class Cursor {
    private final byte[] bytes;
    private int at;

    Cursor(byte[] bytes) {
      this.bytes = bytes;
    }

    byte[] take(int widthBits) {
      int count = (widthBits + 7) / 8;
      at += count;
      return Arrays.copyOfRange(bytes, at - count, at);
    }
  }

  /** How a number is written. */
  private enum Kind {
    UNSIGNED,
    SIGNED,
    BOOL,
    ENUM
  }

  /**
   * A number.
   *
   * @param widthBits {@link #ANY_WIDTH} until the program's is known
   * @param strings how it is written as a string, or null
   */
  private record Leaf(int widthBits, Kind kind, StringType strings) implements Shape {
    Leaf(int widthBits, Kind kind) {
      this(widthBits, kind, null);
    }

    @Override
    public Shape withWidths(Iterator<Integer> program) {
      return new Leaf(program.next(), kind, strings);
    }

    @Override
    public void widths(List<Integer> into) {
      into.add(widthBits);
    }

    @Override
    public P4Data read(Cursor from) {
      BigInteger value = new BigInteger(1, from.take(widthBits));
      P4Data.Builder data = P4Data.newBuilder();
      switch (kind) {
        case BOOL:
          return data.setBool(value.signum() != 0).build();
        case ENUM:
          return data.setEnumValue(unsigned(value)).build();
        case SIGNED:
          if (value.testBit(widthBits - 1)) {
            value = value.subtract(BigInteger.ONE.shiftLeft(widthBits));
          }
          return data.setBitstring(UnsafeByteOperations.unsafeWrap(value.toByteArray())).build();
        default:
          ByteString number = unsigned(value);
          return data.setBitstring(strings == null ? number : strings.string(number)).build();
      }
    }

    private static ByteString unsigned(BigInteger value) {
      byte[] bytes = value.toByteArray();
      // BigInteger puts a zero byte before values whose highest bit is set.
      int from = bytes.length > 1 && bytes[0] == 0 ? 1 : 0;
      return UnsafeByteOperations.unsafeWrap(bytes, from, bytes.length - from);
    }
  }

  private record Compound(List<Shape> members, boolean tuple) implements Shape {
    @Override
    public Shape withWidths(Iterator<Integer> program) {
      List<Shape> all = new ArrayList<>();
      members.forEach(member -> all.add(member.withWidths(program)));
      return new Compound(List.copyOf(all), tuple);
    }

    @Override
    public void widths(List<Integer> into) {
      members.forEach(member -> member.widths(into));
    }

    @Override
    public P4Data read(Cursor from) {
      P4StructLike.Builder all = P4StructLike.newBuilder();
      for (Shape member : members) {
        all.addMembers(member.read(from));
      }
      P4Data.Builder data = P4Data.newBuilder();
      return tuple ? data.setTuple(all).build() : data.setStruct(all).build();
    }
  }

  private final int id;
  private final String name;
  private final Shape shape;
  private final DigestBuffer buffer;
  private DigestEntry written;

  private DigestBinding(int id, String name, Shape shape, DigestBuffer buffer) {
    this.id = id;
    this.name = name;
    this.shape = shape;
    this.buffer = buffer;
  }

  /**
   * Pairs a P4Info's digests with those of a program: by name or, because p4c gives digests of
   * tuples and of single values different names in both, by order among those of the same widths.
   */
  public static Map<Integer, DigestBinding> of(
      P4Info info, LoadedProgram program, TranslatedTypes types) throws RpcException {
    List<DigestBuffer> left = new ArrayList<>(program.state().digests());
    Map<Integer, DigestBuffer> found = new LinkedHashMap<>();
    Map<Integer, Shape> shapes = new LinkedHashMap<>();
    for (P4InfoOuterClass.Digest digest : info.getDigestsList()) {
      int id = digest.getPreamble().getId();
      String name = digest.getPreamble().getName();
      Shape shape = shape(digest.getTypeSpec(), info.getTypeInfo(), types, name);
      shapes.put(id, shape);
      for (DigestBuffer buffer : left) {
        if (buffer.name().equals(name)) {
          checkWidths(name, shape, buffer);
          found.put(id, buffer);
        }
      }
      left.remove(found.get(id));
    }
    Map<Integer, DigestBinding> bindings = new LinkedHashMap<>();
    for (P4InfoOuterClass.Digest digest : info.getDigestsList()) {
      int id = digest.getPreamble().getId();
      String name = digest.getPreamble().getName();
      DigestBuffer buffer = found.get(id);
      for (int i = 0; buffer == null && i < left.size(); i++) {
        if (agree(widths(shapes.get(id)), left.get(i).widthsBits())) {
          buffer = left.remove(i);
        }
      }
      if (buffer == null) {
        throw RpcException.invalid("digest '" + name + "' is missing in the device config");
      }
      Shape shape = shapes.get(id).withWidths(buffer.widthsBits().iterator());
      bindings.put(id, new DigestBinding(id, name, shape, buffer));
    }
    return bindings;
  }

  private static List<Integer> widths(Shape shape) {
    List<Integer> widths = new ArrayList<>();
    shape.widths(widths);
    return widths;
  }

  /** Whether widths in P4Info, where there are any, are those in the program. */
  private static boolean agree(List<Integer> declared, List<Integer> program) {
    boolean same = declared.size() == program.size();
    for (int i = 0; same && i < declared.size(); i++) {
      same = declared.get(i) == ANY_WIDTH || declared.get(i).equals(program.get(i));
    }
    return same;
  }

  private static void checkWidths(String name, Shape shape, DigestBuffer buffer)
      throws RpcException {
    if (!agree(widths(shape), buffer.widthsBits())) {
      throw RpcException.invalid(
          "digest '%s' has fields of %s bits in P4Info and %s in the device config",
          name, widths(shape), buffer.widthsBits());
    }
  }

  private static Shape shape(
      P4DataTypeSpec spec, P4TypeInfo types, TranslatedTypes translated, String digest)
      throws RpcException {
    switch (spec.getTypeSpecCase()) {
      case BITSTRING:
        P4BitstringLikeTypeSpec bits = spec.getBitstring();
        if (bits.hasBit()) {
          return new Leaf(bits.getBit().getBitwidth(), Kind.UNSIGNED);
        }
        if (bits.hasInt()) {
          return new Leaf(bits.getInt().getBitwidth(), Kind.SIGNED);
        }
        break;
      case BOOL:
        return new Leaf(1, Kind.BOOL);
      case SERIALIZABLE_ENUM:
        P4SerializableEnumTypeSpec numbered =
            types.getSerializableEnumsMap().get(spec.getSerializableEnum().getName());
        if (numbered != null) {
          return new Leaf(numbered.getUnderlyingType().getBitwidth(), Kind.ENUM);
        }
        break;
      case NEW_TYPE:
        P4NewTypeSpec renamed = types.getNewTypesMap().get(spec.getNewType().getName());
        if (renamed != null && renamed.hasOriginalType()) {
          return shape(renamed.getOriginalType(), types, translated, digest);
        }
        if (renamed != null && renamed.hasTranslatedType()) {
          return new Leaf(
              ANY_WIDTH, Kind.UNSIGNED, translated.strings(spec.getNewType().getName()));
        }
        break;
      case STRUCT:
        P4StructTypeSpec struct = types.getStructsMap().get(spec.getStruct().getName());
        if (struct != null) {
          List<Shape> members = new ArrayList<>();
          for (P4StructTypeSpec.Member member : struct.getMembersList()) {
            members.add(shape(member.getTypeSpec(), types, translated, digest));
          }
          return new Compound(List.copyOf(members), false);
        }
        break;
      case TUPLE:
        List<Shape> members = new ArrayList<>();
        for (P4DataTypeSpec member : spec.getTuple().getMembersList()) {
          members.add(shape(member, types, translated, digest));
        }
        return new Compound(List.copyOf(members), true);
      default:
    }
    throw RpcException.invalid(
        "digest '%s' has a field of type %s in P4Info; fields must be bit<W>, int<W>, bool,"
            + " serializable enums, or structs or tuples of these",
        digest, spec.getTypeSpecCase());
  }

  public DigestBuffer buffer() {
    return buffer;
  }

  public String name() {
    return name;
  }

  /**
   * Applies an update of the configuration, completely or not at all.
   *
   * @param undo where the way back is noted, or null
   */
  void write(Update.Type type, DigestEntry entry, UndoLog undo) throws RpcException {
    String what = "digest '" + name + "'";
    if (type == Update.Type.INSERT && written != null) {
      throw new RpcException(Code.ALREADY_EXISTS, what + " is configured already");
    }
    if (type != Update.Type.INSERT && written == null) {
      throw new RpcException(Code.NOT_FOUND, what + " is not configured");
    }
    DigestBuffer.Config config = null;
    if (type != Update.Type.DELETE) {
      DigestEntry.Config given = entry.getConfig();
      atLeastZero("max_timeout_ns", given.getMaxTimeoutNs(), what);
      atLeastZero("max_list_size", given.getMaxListSize(), what);
      atLeastZero("ack_timeout_ns", given.getAckTimeoutNs(), what);
      config =
          new DigestBuffer.Config(
              given.getMaxTimeoutNs(), given.getMaxListSize(), given.getAckTimeoutNs());
    }
    if (undo != null) {
      DigestEntry before = written;
      DigestBuffer.Config configBefore = buffer.config();
      undo.add(() -> set(before, configBefore));
    }
    set(config == null ? null : entry, config);
  }

  private void set(DigestEntry entry, DigestBuffer.Config config) {
    written = entry;
    buffer.configure(config);
  }

  private static void atLeastZero(String field, long value, String what) throws RpcException {
    if (value < 0) {
      throw RpcException.invalid(field + " " + value + " of " + what + " must be at least 0");
    }
  }

  /** The configuration, if there is one. */
  List<Entity> read() {
    return written == null
        ? List.of()
        : List.of(Entity.newBuilder().setDigestEntry(written).build());
  }

  /**
   * Messages as the controller gets them.
   *
   * @param epochNanos time of day at which the list is sent, nanoseconds
   */
  public DigestList message(DigestBuffer.DigestList list, long epochNanos) {
    DigestList.Builder message =
        DigestList.newBuilder().setDigestId(id).setListId(list.id()).setTimestamp(epochNanos);
    for (byte[] bytes : list.messages()) {
      message.addData(shape.read(new Cursor(bytes)));
    }
    return message.build();
  }
}
