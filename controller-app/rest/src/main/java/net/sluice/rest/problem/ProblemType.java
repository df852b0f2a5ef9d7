package net.sluice.rest.problem;

import java.util.Locale;
import net.sluice.intents.validate.Problem;

/** Every kind of problem the API answers with. */
public enum ProblemType {
  /** The request is not of the form the API describes. */
  MALFORMED(400, "Malformed request"),
  /** The request does not prove who sends it. */
  UNAUTHORIZED(401, "Unauthorized"),
  /**
   * The request comes from a web page that is not allowed, asks for what the host closed, or is of
   * a caller without the role for it.
   */
  FORBIDDEN(403, "Forbidden"),
  /** The named thing does not exist. */
  NOT_FOUND(404, "Not found"),
  /** The resource does not have the request's method. */
  METHOD_NOT_ALLOWED(405, "Method not allowed"),
  /** The API cannot answer in a form the request accepts. */
  NOT_ACCEPTABLE(406, "Not acceptable"),
  /** The change contradicts another declaration. */
  CONFLICT(409, "Conflict"),
  /** The declaration is not what {@code If-Match} or {@code If-None-Match} says. */
  PRECONDITION_FAILED(412, "Precondition failed"),
  /** The change has to say of what it is one, with {@code If-Match}. */
  PRECONDITION_REQUIRED(428, "Precondition required"),
  /** The request's body is longer than the API reads. */
  TOO_LARGE(413, "Body too large"),
  /** The request's body has a media type the resource does not read. */
  UNSUPPORTED_MEDIA_TYPE(415, "Unsupported media type"),
  /** The request is for another host than this. */
  MISDIRECTED(421, "Misdirected request"),
  /** Well-formed, but a value is not acceptable. */
  INVALID(422, "Invalid value"),
  /** The request comes too soon after others. */
  TOO_MANY(429, "Too many requests"),
  /** An HTTP rule was broken that no other type describes; has the status of the rule. */
  HTTP(400, "Bad request"),
  /** A fault of the controller; carries an incident id that its log repeats. */
  INTERNAL(500, "Internal error"),
  /** The controller ended before it had ended the operation. */
  INTERRUPTED(503, "Interrupted"),
  /** The controller cannot do it now: its store or a target fails. */
  UNAVAILABLE(503, "Unavailable"),
  /** A target has no room for the declaration. */
  TARGET_FULL(507, "Target full");

  private final int status;
  private final String title;
  private final String uri;

  ProblemType(int status, String title) {
    this.status = status;
    this.title = title;
    this.uri = "urn:sluice:problem:" + name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** HTTP status code. */
  public int status() {
    return status;
  }

  /** Short text, the same for every problem of the type. */
  public String title() {
    return title;
  }

  /** Identifies the type; stable, and not meant to be fetched. */
  public String uri() {
    return uri;
  }

  /** The type of a refusal. */
  public static ProblemType of(Problem.Code code) {
    switch (code) {
      case PRECONDITION:
        return PRECONDITION_FAILED;
      case UNCONDITIONAL:
        return PRECONDITION_REQUIRED;
      case MALFORMED:
        return MALFORMED;
      case NOT_FOUND:
        return NOT_FOUND;
      case INVALID:
        return INVALID;
      case CONFLICT:
        return CONFLICT;
      case CAPACITY:
        return TARGET_FULL;
    }
    throw new IllegalArgumentException("no problem type for " + code);
  }
}
