package net.sluice.rest.bulk;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import net.sluice.core.Controller;
import net.sluice.core.declaration.Exported;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;
import net.sluice.northbound.json.JsonContent;
import net.sluice.rest.condition.RequestCondition;
import net.sluice.rest.condition.Tags;
import net.sluice.rest.form.DeclarationForm;
import net.sluice.rest.json.FieldsJson;

/** Writes changes as lines of a bulk request. */
public final class ChangeLines {
  /** The field that says what is in force of a declaration that is not always the same. */
  public static final String IN_FORCE = "inForce";

  /** Media type of a bulk request, of its answer and of an export. */
  public static final String MEDIA_TYPE = "application/x-ndjson";

  private static final int BUFFER_BYTES = 64 << 10;

  private ChangeLines() {}

  /**
   * Writes a line for each declaration in force; keeps none.
   *
   * @param conditional whether each is to be made only where the declaration still is this one
   * @param inForce whether each says what is in force of it
   */
  public static void export(
      Controller controller, OutputStream out, boolean conditional, boolean inForce)
      throws IOException {
    try (JsonGenerator json = JsonContent.generator(new BufferedOutputStream(out, BUFFER_BYTES))) {
      FieldsJson fields = new FieldsJson(json);
      controller.export(
          each -> {
            try {
              write(json, fields, each, conditional, inForce && each.isTimed());
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static void write(
      JsonGenerator json, FieldsJson fields, Exported each, boolean conditional, boolean inForce)
      throws IOException {
    begin(json, "put", each.kind(), each.id());
    json.writeFieldName("value");
    each.writeDeclared(fields);
    if (inForce) {
      json.writeFieldName(IN_FORCE);
      DeclarationForm.writeTreatment(json, each.put().declaration());
    }
    if (conditional) {
      String tag = Tags.tag(each.put().declaration(), each.switchName());
      writeTags(json, RequestCondition.tagged(tag).match());
    }
    end(json);
  }

  /** Writes one line. */
  public static void write(JsonGenerator json, Change change, RequestCondition condition)
      throws IOException {
    begin(json, change instanceof Change.Put ? "put" : "delete", change.kind(), change.id());
    if (change instanceof Change.Put put) {
      json.writeFieldName("value");
      DeclarationForm.write(json, put.declaration(), put.switchName());
      if (put.elsewhere().isPresent()) {
        json.writeFieldName(IN_FORCE);
        DeclarationForm.writeTreatment(json, put.elsewhere().get());
      }
    }
    writeTags(json, condition.match());
    writeTags(json, condition.noneMatch());
    end(json);
  }

  private static void begin(JsonGenerator json, String op, Kind kind, String id)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("op", op);
    json.writeStringField("kind", kind.text());
    json.writeStringField("id", id);
  }

  private static void end(JsonGenerator json) throws IOException {
    json.writeEndObject();
    json.writeRaw('\n');
  }

  private static void writeTags(JsonGenerator json, Optional<Tags> tags) throws IOException {
    if (tags.isPresent()) {
      json.writeStringField(tags.get().field(), tags.get().text());
    }
  }
}
