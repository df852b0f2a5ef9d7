package net.sluice.rest.answer;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.sluice.core.Conflict;
import net.sluice.intents.model.Kind;
import net.sluice.rest.form.DeclarationForm;

/** Writes what is stored and not in force. */
public final class ConflictWriter {
  private ConflictWriter() {}

  /**
   * Some conflicts.
   *
   * @param total number of all
   * @param leftOut switches that could not be taken in, with the reason
   */
  public static void write(
      JsonGenerator json, long total, List<Conflict> some, Map<String, String> leftOut)
      throws IOException {
    json.writeStartObject();
    json.writeNumberField("total", total);
    json.writeArrayFieldStart("items");
    for (Conflict conflict : some) {
      json.writeStartObject();
      json.writeStringField("switch", conflict.switchName());
      json.writeStringField("kind", conflict.declared().kind().path());
      json.writeStringField("id", conflict.declared().id());
      json.writeStringField("reason", conflict.reason());
      json.writeFieldName("declared");
      DeclarationForm.write(
          json,
          conflict.declared(),
          conflict.declared().kind() == Kind.POLICY
              ? Optional.empty()
              : Optional.of(conflict.switchName()));
      json.writeEndObject();
    }
    json.writeEndArray();
    if (!leftOut.isEmpty()) {
      json.writeArrayFieldStart("switchesLeftOut");
      for (Map.Entry<String, String> each : leftOut.entrySet()) {
        json.writeStartObject();
        json.writeStringField("switch", each.getKey());
        json.writeStringField("reason", each.getValue());
        json.writeEndObject();
      }
      json.writeEndArray();
    }
    json.writeEndObject();
  }
}
