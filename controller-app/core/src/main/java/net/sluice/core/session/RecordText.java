package net.sluice.core.session;

import java.lang.reflect.RecordComponent;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.StringJoiner;

/**
 * The content of a target in words for people: {@code prefix 10.0.0.1/32, index 7, policySlot 1}.
 * The names are those of the record's components; a record without a text of its own is written
 * out, and what is absent has none.
 */
public final class RecordText {
  private RecordText() {}

  /** The components of {@code record} and their values. */
  public static String of(Object record) {
    StringJoiner text = new StringJoiner(", ");
    add(record, text);
    return text.toString();
  }

  private static void add(Object record, StringJoiner text) {
    for (RecordComponent component : record.getClass().getRecordComponents()) {
      Object value;
      try {
        value = component.getAccessor().invoke(record);
      } catch (ReflectiveOperationException e) {
        throw new IllegalArgumentException("not a public record: " + record, e);
      }
      if (value instanceof OptionalInt number) {
        number.ifPresent(n -> add(component.getName(), n, text));
      } else if (value instanceof Optional<?> optional) {
        optional.ifPresent(present -> add(component.getName(), present, text));
      } else {
        add(component.getName(), value, text);
      }
    }
  }

  private static void add(String name, Object value, StringJoiner text) {
    Class<?> type = value.getClass();
    if (type.isRecord() && value.toString().startsWith(type.getSimpleName() + "[")) {
      add(value, text);
    } else {
      text.add(name + " " + value);
    }
  }
}
