package net.sluice.rest.json;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import net.sluice.northbound.json.JsonText;

/** A JSON value (RFC 8259) as it was written: numbers keep their text, objects keep duplicates. */
public sealed interface JsonValue {
  /** Longest text of {@link #shown}, in characters. */
  int MAX_SHOWN = 80;

  /** The kind of this value, for error texts, e.g. {@code a string}. */
  String kind();

  /** The value as compact JSON, cut after {@link #MAX_SHOWN} characters. */
  default String shown() {
    StringBuilder text = new StringBuilder();
    appendTo(text);
    return cut(text.toString());
  }

  /** Compact JSON, cut after {@link #MAX_SHOWN} characters. */
  static String cut(String text) {
    return text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN - 3) + "...";
  }

  /** Appends compact JSON, at least until {@code text} is longer than {@link #MAX_SHOWN}. */
  void appendTo(StringBuilder text);

  /** Writes the value, whole. */
  void write(JsonGenerator json) throws IOException;

  /** One field of an object. */
  record Member(String name, JsonValue value) {}

  /** An object; several members may have the same name. */
  record Obj(List<Member> members) implements JsonValue {
    @Override
    public void write(JsonGenerator json) throws IOException {
      json.writeStartObject();
      for (Member member : members) {
        json.writeFieldName(member.name());
        member.value().write(json);
      }
      json.writeEndObject();
    }

    @Override
    public String kind() {
      return "an object";
    }

    @Override
    public void appendTo(StringBuilder text) {
      text.append('{');
      String separator = "";
      for (Member member : members) {
        if (text.length() > MAX_SHOWN) {
          return;
        }
        text.append(separator);
        JsonText.appendQuoted(text, member.name());
        text.append(':');
        member.value().appendTo(text);
        separator = ",";
      }
      text.append('}');
    }
  }

  /** An array. */
  record Arr(List<JsonValue> items) implements JsonValue {
    @Override
    public void write(JsonGenerator json) throws IOException {
      json.writeStartArray();
      for (JsonValue item : items) {
        item.write(json);
      }
      json.writeEndArray();
    }

    @Override
    public String kind() {
      return "an array";
    }

    @Override
    public void appendTo(StringBuilder text) {
      text.append('[');
      String separator = "";
      for (JsonValue item : items) {
        if (text.length() > MAX_SHOWN) {
          return;
        }
        text.append(separator);
        item.appendTo(text);
        separator = ",";
      }
      text.append(']');
    }
  }

  /** A string, with escapes resolved. */
  record Str(String text) implements JsonValue {
    @Override
    public void write(JsonGenerator json) throws IOException {
      json.writeString(text);
    }

    @Override
    public String kind() {
      return "a string";
    }

    @Override
    public void appendTo(StringBuilder out) {
      JsonText.appendQuoted(out, text);
    }
  }

  /** A number as written, e.g. {@code -1.5e3}. */
  record Num(String text) implements JsonValue {
    @Override
    public void write(JsonGenerator json) throws IOException {
      json.writeNumber(text);
    }

    @Override
    public String kind() {
      return "a number";
    }

    @Override
    public void appendTo(StringBuilder out) {
      out.append(text);
    }
  }

  /** {@code true}, {@code false} or {@code null}. */
  enum Literal implements JsonValue {
    /** {@code true}. */
    TRUE("true", "a boolean"),
    /** {@code false}. */
    FALSE("false", "a boolean"),
    /** {@code null}; never means "absent". */
    NULL("null", "null");

    private final String text;
    private final String kind;

    Literal(String text, String kind) {
      this.text = text;
      this.kind = kind;
    }

    @Override
    public void write(JsonGenerator json) throws IOException {
      json.writeRawValue(text);
    }

    @Override
    public String kind() {
      return kind;
    }

    @Override
    public void appendTo(StringBuilder out) {
      out.append(text);
    }
  }
}
