package net.sluice.northbound.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** A JSON value that is written when it is wanted. */
@FunctionalInterface
public interface JsonContent {
  /** The factory of all generators and parsers. */
  JsonFactory FACTORY =
      JsonFactory.builder()
          .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
          // What fails half way must not look whole.
          .disable(StreamWriteFeature.AUTO_CLOSE_CONTENT)
          .build();

  /** Writes the value, nothing before or after it. */
  void write(JsonGenerator json) throws IOException;

  /** The bytes of a value in UTF-8, without a line end. */
  static byte[] bytes(JsonContent content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = generator(bytes)) {
      content.write(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** The bytes of an object in UTF-8 with the fields that {@code fields} writes. */
  static byte[] object(JsonContent fields) {
    return bytes(
        json -> {
          json.writeStartObject();
          fields.write(json);
          json.writeEndObject();
        });
  }

  /** A generator on {@code output} that does not close it, and writes nothing between values. */
  static JsonGenerator generator(OutputStream output) throws IOException {
    return FACTORY.createGenerator(output).setRootValueSeparator(null);
  }
}
