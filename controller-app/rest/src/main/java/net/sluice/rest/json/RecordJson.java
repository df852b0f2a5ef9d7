package net.sluice.rest.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.SerializedString;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.sluice.core.declaration.Component;
import net.sluice.core.declaration.Shape;
import net.sluice.intents.field.OrTrue;

/** Writes records of described fields as JSON, which {@link Binder} reads back. */
public final class RecordJson {
  /** The names of fields as they are written, which need no escapes. */
  static final ClassValue<SerializableString[]> NAMES =
      new ClassValue<>() {
        @Override
        protected SerializableString[] computeValue(Class<?> type) {
          return Shape.of(type).components().stream()
              .map(component -> new SerializedString(component.name()))
              .toArray(SerializableString[]::new);
        }
      };

  private RecordJson() {}

  /** Writes a record as an object. */
  public static void write(JsonGenerator json, Object record) throws IOException {
    json.writeStartObject();
    writeFields(json, record);
    json.writeEndObject();
  }

  /** Writes the fields of a record that are there. */
  public static void writeFields(JsonGenerator json, Object record) throws IOException {
    Shape<?> shape = Shape.of(record.getClass());
    SerializableString[] names = NAMES.get(record.getClass());
    for (int i = 0; i < shape.size(); i++) {
      Component component = shape.component(i);
      Object value = component.get(record);
      if (value != null) {
        json.writeFieldName(names[i]);
        write(json, component.part(), value);
      }
    }
  }

  /** Writes a value of a record, or an item of one. */
  static void write(JsonGenerator json, Component.Part part, Object value) throws IOException {
    switch (part.type()) {
      case INT -> json.writeNumber((int) value);
      case LONG -> json.writeNumber((long) value);
      case DOUBLE -> json.writeNumber((double) value);
      case FLAG -> json.writeBoolean((boolean) value);
      case TEXT -> json.writeString((String) value);
      case SCALAR -> json.writeString(part.scalar().write(value));
      case RECORD -> write(json, value);
      case RECORD_OR_TRUE -> {
        Optional<?> of = ((OrTrue<?>) value).value();
        if (of.isPresent()) {
          write(json, of.get());
        } else {
          json.writeBoolean(true);
        }
      }
      case LIST -> {
        json.writeStartArray();
        for (Object item : (List<?>) value) {
          write(json, part.item(), item);
        }
        json.writeEndArray();
      }
      case MAP -> {
        json.writeStartObject();
        for (Map.Entry<?, ?> each : ((Map<?, ?>) value).entrySet()) {
          json.writeStringField((String) each.getKey(), (String) each.getValue());
        }
        json.writeEndObject();
      }
    }
  }
}
