package net.sluice.core.session;

import java.lang.reflect.RecordComponent;
import java.util.OptionalInt;
import java.util.StringJoiner;

/**
 * The content of a target in words for people: {@code prefix 10.0.0.1/32, index 7, policySlot 1}.
 * The names are those of the record's components; a record within the same interface is written
 * out, any other has a text of its own, and an absent number has none.
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
        number.ifPresent(n -> text.add(component.getName() + " " + n));
      } else if (value.getClass().isRecord()
          && value.getClass().getDeclaringClass() == record.getClass().getDeclaringClass()) {
        add(value, text);
      } else {
        text.add(component.getName() + " " + value);
      }
    }
  }
}
