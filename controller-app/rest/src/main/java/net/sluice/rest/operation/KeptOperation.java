package net.sluice.rest.operation;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.json.JsonTree;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.problem.ProblemType;

/**
 * An operation as it is kept: the object that the API tells of it.
 *
 * @param begun when it was taken in
 * @param told all of it
 */
record KeptOperation(String id, String request, Instant begun, JsonValue.Obj told) {
  /** The operation in a document; empty if that has none. */
  static Optional<KeptOperation> of(byte[] document) {
    try {
      JsonValue read = JsonTree.read(document, 0, document.length);
      if (read instanceof JsonValue.Obj told) {
        String id = text(told, "id");
        String request = text(told, "request");
        Instant begun = Instant.parse(text(told, "startedAt"));
        return id.isEmpty() || text(told, "state").isEmpty()
            ? Optional.empty()
            : Optional.of(new KeptOperation(id, request, begun, told));
      }
      return Optional.empty();
    } catch (Refusal | DateTimeException e) {
      return Optional.empty();
    }
  }

  private static String text(JsonValue.Obj object, String field) {
    return object.members().stream()
        .filter(each -> each.name().equals(field))
        .map(each -> each.value() instanceof JsonValue.Str string ? string.text() : "")
        .findFirst()
        .orElse("");
  }

  boolean isRunning() {
    return text(told, "state").equals(Operation.State.RUNNING.text);
  }

  boolean isFailed() {
    return text(told, "state").equals(Operation.State.FAILED.text);
  }

  boolean isInterrupted() {
    return told.members().stream()
        .anyMatch(
            each ->
                each.name().equals("problem")
                    && each.value() instanceof JsonValue.Obj problem
                    && text(problem, "type").equals(ProblemType.INTERRUPTED.uri()));
  }
}
