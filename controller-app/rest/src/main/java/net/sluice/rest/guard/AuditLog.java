package net.sluice.rest.guard;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import net.sluice.core.ControllerException;
import net.sluice.rest.answer.JsonAnswer;

/** The record of who asked for which change, and what came of it. Thread-safe. */
public interface AuditLog {
  /** A change that was asked for. */
  interface Entry {
    /**
     * Notes what came of it.
     *
     * @param outcome writes fields of a JSON object, at least one
     * @throws ControllerException if it cannot be noted
     */
    void ended(JsonAnswer.Content outcome);

    /**
     * Waits until the entry outlives the machine's death. The outcome may be noted a moment later;
     * without it the next start notes what is in force then.
     *
     * @throws ControllerException if that fails
     */
    void awaitDurable();
  }

  /**
   * Notes that a change is asked for, so that the entry outlives the process, and begins to make it
   * durable. Called before the change is begun.
   *
   * @param asked writes fields of a JSON object, at least one
   * @throws ControllerException if it cannot be noted; the change must not be made then
   */
  Entry asked(JsonAnswer.Content asked);

  /**
   * Writes a JSON object with {@code first}, the lowest sequence number that is kept, {@code last},
   * the highest one, and as {@code items} the lines after a number.
   *
   * @param since the number, 0 or more
   * @param limit most lines; fewer are written where they are long
   */
  void write(JsonGenerator json, long since, int limit) throws IOException;
}
