package net.sluice.emulator.v1model.load;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.regex.Pattern;

/** Syntax errors of JSON, told to its author. */
public final class JsonErrors {

  /** How the library writes a second place, beside a source that it does not show. */
  private static final Pattern PLACE =
      Pattern.compile("\\[Source: [^\\]]*; line: (\\d+), column: (\\d+)\\]");

  private JsonErrors() {}

  /** The place and the reason: {@code line 1, column 7: Unexpected end-of-input}. */
  public static String text(JsonProcessingException failure) {
    String reason = PLACE.matcher(failure.getOriginalMessage()).replaceAll("line $1, column $2");
    JsonLocation at = failure.getLocation();
    return at == null
        ? reason
        : "line " + at.getLineNr() + ", column " + at.getColumnNr() + ": " + reason;
  }
}
