package net.sluice.rest;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.InputStream;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import javax.ws.rs.Consumes;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.container.AsyncResponse;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.container.Suspended;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.UriInfo;
import net.sluice.core.ControllerException;
import net.sluice.core.store.BackupFile;
import net.sluice.intents.validate.Refusal;
import net.sluice.northbound.audit.AuditLog;
import net.sluice.northbound.caller.Role;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.guard.Auditing;
import net.sluice.rest.guard.GuardFilter;
import net.sluice.rest.guard.Needs;
import net.sluice.rest.guard.Streamed;
import net.sluice.rest.host.Capability;
import net.sluice.rest.host.Restoring;
import net.sluice.rest.problem.ProblemDetail;
import net.sluice.rest.problem.ProblemType;
import net.sluice.rest.request.AnswerThreads;
import net.sluice.rest.request.Query;

/** {@code restore}: the store of a backup in the place of the one in use, for the role admin. */
@Path("restore")
public final class RestoreResource {
  private static final String REPLACE = "replace";

  private final Capability<Restoring> capability;

  /** A resource of a host that may be able to restore. */
  public RestoreResource(Capability<Restoring> capability) {
    this.capability = capability;
  }

  /** Restores the backup in the body. */
  @POST
  @Needs(Role.ADMIN)
  @Streamed
  @Consumes(BackupFile.MEDIA_TYPE)
  @Produces(MediaType.APPLICATION_JSON)
  public void post(
      @Context UriInfo uri,
      @Context ContainerRequestContext context,
      InputStream body,
      @Suspended AsyncResponse response)
      throws Refusal {
    Query query = new Query(uri, REPLACE);
    boolean replace = query.flag(REPLACE);
    query.refuseIfUnsound();
    Optional<Auditing> auditing = GuardFilter.auditing(context);
    AnswerThreads.stream(response, () -> answer(body, replace, auditing.orElseThrow()));
  }

  private Response answer(InputStream body, boolean replace, Auditing by) throws Refusal {
    AuditLog.Entry asked = by.log().asked(by.who());
    asked.awaitDurable();
    try {
      if (capability instanceof Capability.Absent<Restoring> absent) {
        ProblemDetail problem = ProblemDetail.absent("restore", absent.reason());
        asked.ended(json -> Auditing.writeOutcome(json, problem.status()));
        return problem.response();
      }
      Restoring restoring = ((Capability.Present<Restoring>) capability).service();
      Restoring.Restored restored = restoring.restore(body, replace, by.who());
      return Response.ok(new JsonAnswer(json -> write(json, restored))).build();
    } catch (Refusal e) {
      int status = ProblemDetail.of(e.problems()).status();
      asked.ended(json -> Auditing.writeOutcome(json, status));
      throw e;
    } catch (ControllerException e) {
      asked.ended(json -> Auditing.writeOutcome(json, ProblemType.UNAVAILABLE.status()));
      throw e;
    }
  }

  private static void write(JsonGenerator json, Restoring.Restored restored) throws IOException {
    json.writeStartObject();
    json.writeStringField("identity", HexFormat.of().toHexDigits(restored.identity()));
    json.writeObjectFieldStart("revisions");
    for (Map.Entry<String, Long> each : restored.revisions().entrySet()) {
      json.writeNumberField(each.getKey(), each.getValue());
    }
    json.writeEndObject();
    json.writeArrayFieldStart("notes");
    for (String note : restored.notes()) {
      json.writeString(note);
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
