package net.sluice.rest.bulk;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/** The results of a bulk request by their number, and the first of those that were not made. */
public final class BulkSummary extends OutputStream {
  /** So many lines that were not made are told. */
  static final int MOST_TOLD = 100;

  private static final String MADE = "\"status\":200";

  private final LongConsumer progress;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private final List<String> notMade = new ArrayList<>();
  private long lines;
  private long made;

  /** Takes the results, and tells how many there are by now. */
  public BulkSummary(LongConsumer progress) {
    this.progress = progress;
    progress.accept(0);
  }

  @Override
  public void write(int one) {
    if (one != '\n') {
      line.write(one);
      return;
    }
    String result = line.toString(StandardCharsets.UTF_8);
    line.reset();
    lines++;
    // The first status is the line's; a problem's own comes after it.
    if (result.startsWith(MADE, result.indexOf("\"status\":"))) {
      made++;
    } else if (notMade.size() < MOST_TOLD) {
      notMade.add(result);
    }
    progress.accept(lines);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    for (int i = offset; i < offset + length; i++) {
      write(bytes[i]);
    }
  }

  /** Writes the summary as a JSON object. */
  public void write(JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeNumberField("lines", lines);
    json.writeNumberField("made", made);
    json.writeArrayFieldStart("notMade");
    for (String each : notMade) {
      json.writeRawValue(each);
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
