package net.sluice.rest.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import java.io.IOException;
import net.sluice.core.declaration.RecordSink;
import net.sluice.core.declaration.Shape;

/** Writes the fields of a stored record as {@link RecordJson} writes those of the record. */
public final class FieldsJson implements RecordSink {
  private final JsonGenerator json;

  /** Of {@link #shape}, whose fields come one after the other. */
  private SerializableString[] names = {};

  private Shape<?> shape;

  /** Writes to {@code json}. */
  public FieldsJson(JsonGenerator json) {
    this.json = json;
  }

  @Override
  public void beginObject() throws IOException {
    json.writeStartObject();
  }

  @Override
  public void endObject() throws IOException {
    json.writeEndObject();
  }

  @Override
  public void beginList() throws IOException {
    json.writeStartArray();
  }

  @Override
  public void endList() throws IOException {
    json.writeEndArray();
  }

  @Override
  public void field(Shape<?> of, int place) throws IOException {
    if (of != shape) {
      shape = of;
      names = RecordJson.NAMES.get(of.type());
    }
    json.writeFieldName(names[place]);
  }

  @Override
  public void key(String key) throws IOException {
    json.writeFieldName(key);
  }

  @Override
  public void text(String text) throws IOException {
    json.writeString(text);
  }

  @Override
  public void number(long number) throws IOException {
    json.writeNumber(number);
  }

  @Override
  public void number(double number) throws IOException {
    json.writeNumber(number);
  }

  @Override
  public void flag(boolean flag) throws IOException {
    json.writeBoolean(flag);
  }
}
