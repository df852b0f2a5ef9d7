package net.sluice.rest.host;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import javax.ws.rs.core.Response;
import net.sluice.rest.problem.ProblemDetail;
import net.sluice.rest.problem.ProblemDetail.FieldError;
import net.sluice.rest.problem.ProblemType;

/** The parts of the API that a host can close to all clients. */
public enum Closable {
  /** {@code POST /targets/{id}/adopt}. */
  ADOPT,
  /** {@code POST /targets/{id}/reconcile}. */
  RECONCILE,
  /** {@code PUT}, {@code PATCH} and {@code DELETE /switches/{id}}. */
  SWITCHES;

  /** As the host's option has it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The answer if it is one of those that are closed. */
  public Optional<Response> refusal(Set<Closable> closed) {
    if (!closed.contains(this)) {
      return Optional.empty();
    }
    String allowed = "only where the setting closed does not name " + text();
    return Optional.of(
        ProblemDetail.of(
                ProblemType.FORBIDDEN,
                "The controller's setting closed names " + text() + ": the API does not do this.",
                new FieldError("path", text(), allowed))
            .response());
  }
}
