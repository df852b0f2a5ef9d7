package net.sluice.standalone.audit;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.stream.Stream;
import net.sluice.cli.StartFailure;
import net.sluice.core.Controller;
import net.sluice.intents.model.Ids;
import net.sluice.intents.model.Kind;
import net.sluice.rest.SluiceApplication;
import net.sluice.rest.SubscriberResource;
import net.sluice.rest.guard.InForce;

/**
 * Where the audit log is kept.
 *
 * @param fileBytes a file of more than so many bytes is followed by the next
 * @param files so many are kept
 */
public record AuditSettings(Path directory, long fileBytes, int files) {
  /**
   * Opens it for changes of a controller.
   *
   * @throws StartFailure if that fails
   */
  public AuditFiles open(Controller controller) throws StartFailure {
    try {
      return AuditFiles.open(
          directory,
          fileBytes,
          files,
          Clock.systemUTC(),
          (json, asked) -> writeInForce(json, asked, controller));
    } catch (IOException | RuntimeException e) {
      throw new StartFailure(
          "the audit log in " + directory + " cannot be opened: " + e.getMessage(), e);
    }
  }

  private static void writeInForce(JsonGenerator json, JsonNode asked, Controller controller)
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
    String[] path =
        asked.path("path").asText().replace(SluiceApplication.BASE_PATH + "/", "").split("/", -1);
    if (path.length == 3
        && path[0].equals(Kind.SUBSCRIBER.path())
        && path[2].equals(SubscriberResource.GATE)
        && Ids.isValid(path[1])) {
      json.writeFieldName("inForce");
      InForce.writeLimitOf(json, controller, path[1]);
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
      InForce.write(json, controller, kind.get(), id);
    }
  }
}
