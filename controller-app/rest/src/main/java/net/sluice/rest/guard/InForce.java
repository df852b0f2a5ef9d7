package net.sluice.rest.guard;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import net.sluice.core.Controller;
import net.sluice.core.Declared;
import net.sluice.intents.model.Kind;
import net.sluice.rest.form.DeclarationForm;

/** The declarations in force, as the audit log has them. */
public final class InForce {
  private InForce() {}

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
