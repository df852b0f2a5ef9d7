package net.sluice.client;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import net.sluice.intents.plan.Change;
import net.sluice.northbound.json.JsonContent;
import net.sluice.rest.form.DeclarationForm;

/** The difference that a change makes, for people. */
final class DeclarationDifferences {
  private static final String ABSENT = "absent";

  private DeclarationDifferences() {}

  /**
   * Tells of one change: a line with its name, and a line for each field that gets another value.
   *
   * @param before what is declared now; null if there is none
   */
  static void tell(PrintWriter out, Change.Put before, Change change) {
    String name = change.kind().words() + " " + change.id();
    if (!(change instanceof Change.Put put)) {
      out.println("- " + name + " " + value(before));
    } else if (before == null) {
      out.println("+ " + name + " " + value(put));
    } else {
      out.println("~ " + name);
      tell(out, "", value(before), value(put));
    }
  }

  private static void tell(PrintWriter out, String path, JsonNode before, JsonNode after) {
    if (before.equals(after)) {
      return;
    }
    if (!before.isObject() || !after.isObject()) {
      out.println("    " + path + ": " + text(before) + " -> " + text(after));
      return;
    }
    Set<String> fields = new LinkedHashSet<>();
    before.fieldNames().forEachRemaining(fields::add);
    for (Iterator<String> added = after.fieldNames(); added.hasNext(); ) {
      fields.add(added.next());
    }
    for (String field : fields) {
      tell(out, path.isEmpty() ? field : path + "." + field, before.path(field), after.path(field));
    }
  }

  private static String text(JsonNode value) {
    return value.isMissingNode() ? ABSENT : value.toString();
  }

  private static JsonNode value(Change.Put put) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try {
      try (JsonGenerator json = JsonContent.generator(text)) {
        DeclarationForm.write(json, put.declaration(), put.switchName());
      }
      return ApiClient.MAPPER.readTree(text.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
