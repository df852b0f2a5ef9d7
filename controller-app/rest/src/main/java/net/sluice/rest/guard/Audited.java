package net.sluice.rest.guard;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Set;

/** A resource whose elements the audit log has before they are changed. */
public interface Audited {
  /** Writes the element of an id as it could be put again; null if there is none. */
  void writeInForce(JsonGenerator json, String id) throws IOException;

  /** Fields of bodies that are secret, and get into no log. */
  default Set<String> secretFields() {
    return Set.of();
  }
}
