package net.sluice.rest.guard;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import net.sluice.core.Controller;
import net.sluice.core.Declared;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Scope;
import net.sluice.rest.form.DeclarationForm;

/** The declarations in force, as the audit log has them. */
public final class InForce {
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
}
