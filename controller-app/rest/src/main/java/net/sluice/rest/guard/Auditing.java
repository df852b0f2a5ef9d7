package net.sluice.rest.guard;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import net.sluice.northbound.audit.AuditLog;
import net.sluice.northbound.json.JsonContent;
import net.sluice.rest.problem.ProblemDetail;

/**
 * The log that has the changes of a request that brings many, each before it is made.
 *
 * @param who writes the fields that say who asks
 */
public record Auditing(AuditLog log, JsonContent who) {
  /** An answer that makes its request's changes while it is written. */
  public interface Changing {
    /** Has the changes noted; before anything is written. */
    void audited(Auditing by);
  }

  /** An answer to a request that goes on after it, and is in the log when it ends. */
  public interface Later {
    /** The id of the operation that tells of it. */
    String operation();

    /** Has the outcome noted there; before anything is written. */
    void audited(AuditLog.Entry entry);

    /** Tells that the request is not to be made; nothing is written then. */
    void refused(ProblemDetail why);
  }

  /** Writes what came of a request that is answered with a status. */
  public static void writeOutcome(JsonGenerator json, int status) throws IOException {
    json.writeStringField(
        "outcome", status < 400 ? "made" : status < 500 || status == 507 ? "refused" : "failed");
    json.writeNumberField("status", status);
  }
}
