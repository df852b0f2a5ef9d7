package net.sluice.rest.guard;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import net.sluice.rest.answer.JsonAnswer;

/** A resource whose elements the audit log has before they are changed. */
public interface Audited {
  /** Writes the element of an id as it could be put again; null if there is none. */
  void writeInForce(JsonGenerator json, String id) throws IOException;

  /**
   * Writes what a request changes that is not for the element itself, as it could be put again;
   * null if there is none.
   *
   * @param action the part of the path below the element
   */
  default void writeInForce(JsonGenerator json, String id, String action) throws IOException {
    writeInForce(json, id);
  }

  /**
   * Writes the body of a request as a log may have it.
   *
   * @throws IOException if it is no JSON or not free of secrets for sure; the log then has its
   *     length alone
   */
  default void writeAsked(JsonGenerator json, byte[] body) throws IOException {
    JsonAnswer.copy(json, body);
  }
}
