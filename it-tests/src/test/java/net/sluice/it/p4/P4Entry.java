package net.sluice.it.p4;

import com.google.protobuf.ByteString;
import java.math.BigInteger;
import java.util.List;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.config.v1.P4InfoOuterClass.Preamble;
import p4.config.v1.P4InfoOuterClass.Table;
import p4.v1.P4RuntimeOuterClass.FieldMatch;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** A table entry put together from P4Info's names; numbers are unsigned. */
final class P4Entry {
  private final P4Info info;
  private final Table table;
  private final TableEntry.Builder entry;

  /** An entry of the table of that name. */
  P4Entry(P4Info info, String tableName) {
    this.info = info;
    this.table =
        info.getTablesList().stream()
            .filter(t -> t.getPreamble().getName().equals(tableName))
            .findAny()
            .orElseThrow(() -> missing("table", tableName));
    this.entry = TableEntry.newBuilder().setTableId(table.getPreamble().getId());
  }

  private static IllegalArgumentException missing(String what, String name) {
    return new IllegalArgumentException("P4Info has no " + what + " " + name);
  }

  private FieldMatch.Builder match(String field) {
    int id =
        table.getMatchFieldsList().stream()
            .filter(f -> f.getName().equals(field))
            .findAny()
            .orElseThrow(() -> missing("field", table.getPreamble().getName() + "." + field))
            .getId();
    return FieldMatch.newBuilder().setFieldId(id);
  }

  P4Entry exact(String field, long value) {
    entry.addMatch(match(field).setExact(FieldMatch.Exact.newBuilder().setValue(canonical(value))));
    return this;
  }

  /** A mask of 0 matches everything. */
  P4Entry ternary(String field, long value, long mask) {
    if (mask != 0) {
      entry.addMatch(
          match(field)
              .setTernary(
                  FieldMatch.Ternary.newBuilder()
                      .setValue(canonical(value))
                      .setMask(canonical(mask))));
    }
    return this;
  }

  /** Both ends included. */
  P4Entry range(String field, long low, long high) {
    entry
        .addMatch(
            match(field)
                .setRange(
                    FieldMatch.Range.newBuilder().setLow(canonical(low)).setHigh(canonical(high))))
        .setPriority(1);
    return this;
  }

  /** A length of 0 matches everything. */
  P4Entry lpm(String field, byte[] value, int length) {
    if (length != 0) {
      entry.addMatch(
          match(field)
              .setLpm(
                  FieldMatch.LPM
                      .newBuilder()
                      .setValue(canonical(new BigInteger(1, value)))
                      .setPrefixLen(length)));
    }
    return this;
  }

  P4Entry priority(long priority) {
    entry.setPriority((int) priority);
    return this;
  }

  /** The entry, with an action and all its parameters in order. */
  TableEntry does(String actionName, long... arguments) {
    var action =
        info.getActionsList().stream()
            .filter(a -> a.getPreamble().getName().equals(actionName))
            .findAny()
            .orElseThrow(() -> missing("action", actionName));
    Preamble preamble = action.getPreamble();
    if (action.getParamsCount() != arguments.length) {
      throw new IllegalArgumentException(
          actionName + " has parameters " + List.copyOf(action.getParamsList()));
    }
    var builder = entry.getActionBuilder().getActionBuilder().setActionId(preamble.getId());
    for (int i = 0; i < arguments.length; i++) {
      builder
          .addParamsBuilder()
          .setParamId(action.getParams(i).getId())
          .setValue(canonical(arguments[i]));
    }
    return entry.build();
  }

  private static ByteString canonical(long value) {
    return canonical(new BigInteger(Long.toUnsignedString(value)));
  }

  private static ByteString canonical(BigInteger value) {
    byte[] bytes = value.toByteArray();
    int from = bytes.length > 1 && bytes[0] == 0 ? 1 : 0;
    return ByteString.copyFrom(bytes, from, bytes.length - from);
  }
}
