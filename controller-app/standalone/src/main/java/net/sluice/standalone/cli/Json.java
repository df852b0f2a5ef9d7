package net.sluice.standalone.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import net.sluice.emulator.v1model.program.JsonErrors;

/** Reports as JSON: fields in the order of the record, absent values as null, never left out. */
public final class Json {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .build();

  private Json() {}

  /** The text of a report record; ends with a line feed. */
  public static String write(Object report) {
    try {
      return MAPPER.writeValueAsString(report) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "not a report: " + report.getClass().getName() + ": " + e.getOriginalMessage(), e);
    }
  }

  /** Writes a report to a file, replacing it. */
  public static void write(Object report, Path file) {
    try {
      Files.writeString(file, write(report), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
    }
  }

  /**
   * Reads a report back.
   *
   * @throws IllegalArgumentException if {@code text} is not a report of that type, with the reason
   */
  public static <T> T read(String text, Class<T> type) {
    try {
      return MAPPER.readValue(text, type);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not a report: " + JsonErrors.text(e), e);
    }
  }
}
