package net.sluice.rest.bulk;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import net.sluice.core.Controller;
import net.sluice.intents.plan.Change;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.form.DeclarationForm;

/** Writes changes as lines of a bulk request. */
public final class ChangeLines {
  private static final int BUFFER_BYTES = 64 << 10;

  private ChangeLines() {}

  /** Writes a line for each declaration in force; keeps none. */
  public static void export(Controller controller, OutputStream out) throws IOException {
    try (JsonGenerator json = JsonAnswer.generator(new BufferedOutputStream(out, BUFFER_BYTES))) {
      controller.export(
          put -> {
            try {
              write(json, put);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Writes one line. */
  public static void write(JsonGenerator json, Change change) throws IOException {
    json.writeStartObject();
    json.writeStringField("op", change instanceof Change.Put ? "put" : "delete");
    json.writeStringField("kind", change.kind().text());
    json.writeStringField("id", change.id());
    if (change instanceof Change.Put put) {
      json.writeFieldName("value");
      DeclarationForm.write(json, put.declaration(), put.switchName());
    }
    json.writeEndObject();
    json.writeRaw('\n');
  }
}
