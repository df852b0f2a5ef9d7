package net.sluice.rest.problem;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import javax.ws.rs.core.HttpHeaders;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import net.sluice.intents.validate.Problem;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.json.ObjectReader;

/**
 * One problem (RFC 9457).
 *
 * @param type its kind
 * @param status HTTP status; the type's, except for {@link ProblemType#HTTP}
 * @param detail what happened, in sentences for people
 * @param errors what is wrong with which field; may be empty
 * @param incident where to look in the log, for faults of the controller
 */
public record ProblemDetail(
    ProblemType type,
    int status,
    String detail,
    List<FieldError> errors,
    Optional<String> incident) {
  /** Media type of problems. */
  public static final MediaType MEDIA_TYPE = new MediaType("application", "problem+json");

  /**
   * The same as text. A resource whose answers are not JSON produces it too: clients made from the
   * document accept the first JSON among the types of an operation, and no other type.
   */
  public static final String JSON = "application/problem+json";

  /**
   * The error in one field.
   *
   * @param field name as in the API, e.g. {@code attachment.tree}; {@code body} is the whole body
   * @param value what was given, as text
   * @param allowed what is accepted
   * @param line where it is, of changes that are made together; otherwise empty
   */
  public record FieldError(String field, String value, String allowed, Optional<Line> line) {
    /** The error in a field of a request that has no lines. */
    public FieldError(String field, String value, String allowed) {
      this(field, value, allowed, Optional.empty());
    }
  }

  /**
   * A line of changes that are made together.
   *
   * @param number from 1
   * @param detail what is wrong there, in sentences for people
   */
  public record Line(long number, String detail) {}

  public ProblemDetail {
    errors = List.copyOf(errors);
  }

  /**
   * The refusal where a host lacks a capability.
   *
   * @param reason as the host tells it, a clause
   */
  public static ProblemDetail absent(String capability, String reason) {
    return of(
        ProblemType.CONFLICT,
        "This controller has no " + capability + ": " + reason + ".",
        new FieldError("capability", capability, reason));
  }

  /** A problem with its type's status and perhaps one field error. */
  public static ProblemDetail of(ProblemType type, String detail, FieldError... errors) {
    return new ProblemDetail(type, type.status(), detail, List.of(errors), Optional.empty());
  }

  /** The refusal of a change or request; {@code problems} has at least one. */
  public static ProblemDetail of(List<Problem> problems) {
    Problem.Code gravest =
        problems.stream().map(Problem::code).min(Comparator.naturalOrder()).orElseThrow();
    ProblemType type = ProblemType.of(gravest);
    return new ProblemDetail(
        type,
        type.status(),
        Problem.sentences(problems),
        problems.stream().map(p -> new FieldError(p.field(), p.value(), p.allowed())).toList(),
        Optional.empty());
  }

  /** The refusal of a body of more than {@code maxBytes} bytes. */
  public static ProblemDetail tooLarge(int maxBytes) {
    String most = maxBytes + " bytes";
    return of(
        ProblemType.TOO_LARGE,
        "body is more than " + most + "; allowed: at most " + most + ".",
        new FieldError(ObjectReader.DOCUMENT, "more than " + most, "at most " + most));
  }

  /** The refusal of a body of a media type that is not read; null if it does not say which. */
  public static ProblemDetail ofMediaType(String type, String allowed) {
    return of(
        ProblemType.UNSUPPORTED_MEDIA_TYPE,
        type == null
            ? "Content-Type is absent; allowed: " + allowed + "."
            : "Content-Type is '" + type + "'; allowed: " + allowed + ".",
        new FieldError(HttpHeaders.CONTENT_TYPE, type == null ? "absent" : type, allowed));
  }

  /** Writes the problem as a JSON object. */
  public void write(JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("type", type.uri());
    json.writeStringField("title", type.title());
    json.writeNumberField("status", status);
    json.writeStringField("detail", detail);
    json.writeArrayFieldStart("errors");
    for (FieldError error : errors) {
      json.writeStartObject();
      if (error.line().isPresent()) {
        json.writeNumberField("line", error.line().get().number());
      }
      json.writeStringField("field", error.field());
      json.writeStringField("value", error.value());
      json.writeStringField("allowed", error.allowed());
      if (error.line().isPresent()) {
        json.writeStringField("detail", error.line().get().detail());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    if (incident.isPresent()) {
      json.writeStringField("incident", incident.get());
    }
    json.writeEndObject();
  }

  /** The problem as a response. */
  public Response response() {
    return builder().build();
  }

  /** The problem as a response to which headers can be added. */
  public Response.ResponseBuilder builder() {
    return Response.status(status).type(MEDIA_TYPE).entity(new JsonAnswer(this::write));
  }
}
