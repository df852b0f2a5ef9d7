package net.sluice.emulator.server.p4runtime;

import com.google.protobuf.ByteString;
import com.google.protobuf.TextFormat;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import net.sluice.emulator.v1model.TestProgram;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.config.v1.P4InfoOuterClass.Preamble;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.FieldMatch;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.TableAction;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Update;

/** The P4Info of the program {@code constructs}, and messages put together by its names. */
public final class TestInfo {

  public static final P4Info INFO = load();

  public static final ForwardingPipelineConfig CONFIG =
      ForwardingPipelineConfig.newBuilder()
          .setP4Info(INFO)
          .setP4DeviceConfig(ByteString.copyFrom(TestProgram.resource("constructs.json")))
          .setCookie(ForwardingPipelineConfig.Cookie.newBuilder().setCookie(4711))
          .build();

  private TestInfo() {}

  private static P4Info load() {
    P4Info.Builder info = P4Info.newBuilder();
    try {
      // Later versions of P4Runtime say more than these messages hold.
      TextFormat.Parser.newBuilder()
          .setAllowUnknownFields(true)
          .build()
          .merge(
              new String(TestProgram.resource("constructs.p4info.txtpb"), StandardCharsets.UTF_8),
              info);
    } catch (TextFormat.ParseException e) {
      throw new IllegalStateException(e);
    }
    return info.build();
  }

  public static int table(String name) {
    return INFO.getTablesList().stream()
        .map(t -> t.getPreamble())
        .filter(p -> p.getName().equals(name))
        .mapToInt(Preamble::getId)
        .findFirst()
        .orElseThrow();
  }

  public static int action(String name) {
    return INFO.getActionsList().stream()
        .map(a -> a.getPreamble())
        .filter(p -> p.getName().equals(name))
        .mapToInt(Preamble::getId)
        .findFirst()
        .orElseThrow();
  }

  public static int counter() {
    return INFO.getCounters(0).getPreamble().getId();
  }

  public static ByteString bytes(long value) {
    byte[] bytes = BigInteger.valueOf(value).toByteArray();
    int from = bytes.length > 1 && bytes[0] == 0 ? 1 : 0;
    return ByteString.copyFrom(bytes, from, bytes.length - from);
  }

  public static ByteString raw(int... bytes) {
    byte[] array = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      array[i] = (byte) bytes[i];
    }
    return ByteString.copyFrom(array);
  }

  public static FieldMatch exact(int field, ByteString value) {
    return FieldMatch.newBuilder()
        .setFieldId(field)
        .setExact(FieldMatch.Exact.newBuilder().setValue(value))
        .build();
  }

  public static FieldMatch exact(int field, long value) {
    return exact(field, bytes(value));
  }

  public static FieldMatch lpm(int field, ByteString value, int length) {
    return FieldMatch.newBuilder()
        .setFieldId(field)
        .setLpm(FieldMatch.LPM.newBuilder().setValue(value).setPrefixLen(length))
        .build();
  }

  public static FieldMatch ternary(int field, long value, long mask) {
    return FieldMatch.newBuilder()
        .setFieldId(field)
        .setTernary(FieldMatch.Ternary.newBuilder().setValue(bytes(value)).setMask(bytes(mask)))
        .build();
  }

  public static FieldMatch range(int field, long low, long high) {
    return FieldMatch.newBuilder()
        .setFieldId(field)
        .setRange(FieldMatch.Range.newBuilder().setLow(bytes(low)).setHigh(bytes(high)))
        .build();
  }

  public static FieldMatch optional(int field, long value) {
    return FieldMatch.newBuilder()
        .setFieldId(field)
        .setOptional(FieldMatch.Optional.newBuilder().setValue(bytes(value)))
        .build();
  }

  public static TableAction call(String action, long... arguments) {
    Action.Builder built = Action.newBuilder().setActionId(action(action));
    for (int i = 0; i < arguments.length; i++) {
      built.addParams(Action.Param.newBuilder().setParamId(i + 1).setValue(bytes(arguments[i])));
    }
    return TableAction.newBuilder().setAction(built).build();
  }

  public static TableEntry.Builder entry(String table, FieldMatch... matches) {
    TableEntry.Builder entry = TableEntry.newBuilder().setTableId(table(table));
    for (FieldMatch match : matches) {
      entry.addMatch(match);
    }
    return entry;
  }

  /** An entry of {@code In.lpm_table} with a 32-bit prefix that answers {@code answer}. */
  public static TableEntry host(long address, long answer) {
    return entry("In.lpm_table", lpm(1, bytes(address), 32))
        .setAction(call("In.answer", answer))
        .build();
  }

  public static Update insert(TableEntry entry) {
    return update(Update.Type.INSERT, entry);
  }

  public static Update update(Update.Type type, TableEntry entry) {
    return update(type, Entity.newBuilder().setTableEntry(entry).build());
  }

  public static Update update(Update.Type type, Entity entity) {
    return Update.newBuilder().setType(type).setEntity(entity).build();
  }
}
