package net.sluice.rest.guard;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Optional;
import java.util.stream.Stream;
import net.sluice.core.Controller;
import net.sluice.core.Declared;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Scope;
import net.sluice.intents.value.Ids;
import net.sluice.rest.form.DeclarationForm;

/** The declarations in force, as the audit log has them. */
public final class InForce {
  /** Below it the paths of all hosts are alike. */
  private static final String VERSION = "/v1/";

  private static final String GATE = "gate";

  private InForce() {}

  /** Writes a subscriber's own rate limit as it could be put again; null if it has none. */
  public static void writeLimitOf(JsonGenerator json, Controller controller, String subscriberId)
      throws IOException {
    Declared limit =
        controller
            .find(Kind.SUBSCRIBER, subscriberId)
            .flatMap(
                found ->
                    controller.rateLimitOf(
                        new Scope.OfSubscriber(subscriberId), found.switchName()))
            .orElse(null);
    if (limit == null) {
      json.writeNull();
    } else {
      DeclarationForm.write(json, limit.declared(), limit.switchName());
    }
  }

  /** Writes a declaration as it could be put again; null if none is in force. */
  public static void write(JsonGenerator json, Controller controller, Kind kind, String id)
      throws IOException {
    Declared found = controller.find(kind, id).orElse(null);
    if (found == null) {
      json.writeNull();
    } else {
      DeclarationForm.write(json, found.declared(), found.switchName());
    }
  }

  /**
   * Writes what is in force of what a line of the audit log has asked for, as the fields of a line.
   */
  public static void writeOf(JsonGenerator json, JsonNode asked, Controller controller)
      throws IOException {
    if (asked.has("changes")) {
      json.writeArrayFieldStart("inForce");
      for (JsonNode change : asked.get("changes")) {
        json.writeStartObject();
        json.writeNumberField("line", change.path("line").asLong());
        writeInForce(json, change.path("kind").asText(), change.path("id").asText(), controller);
        json.writeEndObject();
      }
      json.writeEndArray();
      return;
    }
    String whole = asked.path("path").asText();
    String[] path = whole.substring(whole.indexOf(VERSION) + VERSION.length()).split("/", -1);
    if (path.length == 3
        && path[0].equals(Kind.SUBSCRIBER.path())
        && path[2].equals(GATE)
        && Ids.isValid(path[1])) {
      json.writeFieldName("inForce");
      writeLimitOf(json, controller, path[1]);
    } else if (path.length == 2) {
      writeInForce(json, path[0], path[1], controller);
    }
  }

  private static void writeInForce(
      JsonGenerator json, String kindText, String id, Controller controller) throws IOException {
    Optional<Kind> kind =
        Stream.of(Kind.values())
            .filter(each -> each.path().equals(kindText) || each.text().equals(kindText))
            .findAny();
    if (kind.isPresent() && Ids.isValid(id)) {
      json.writeFieldName("inForce");
      write(json, controller, kind.get(), id);
    }
  }
}
