package net.sluice.rest;

import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.container.AsyncResponse;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.container.Suspended;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.StreamingOutput;
import javax.ws.rs.core.UriInfo;
import net.sluice.core.Controller;
import net.sluice.core.ControllerException;
import net.sluice.core.StoreBackup;
import net.sluice.core.store.BackupFile;
import net.sluice.intents.validate.Refusal;
import net.sluice.northbound.audit.AuditLog;
import net.sluice.rest.guard.Auditing;
import net.sluice.rest.guard.GuardFilter;
import net.sluice.rest.guard.Streamed;
import net.sluice.rest.problem.ProblemDetail;
import net.sluice.rest.request.AnswerThreads;
import net.sluice.rest.request.Query;

/** {@code backup}: a copy of the store, for the role admin. */
@Path("backup")
@Produces({BackupResource.MEDIA_TYPE, ProblemDetail.JSON})
public final class BackupResource {
  /** Media type of a backup. */
  public static final String MEDIA_TYPE = BackupFile.MEDIA_TYPE;

  private final Controller controller;

  /** A resource of the store of {@code controller}. */
  public BackupResource(Controller controller) {
    this.controller = controller;
  }

  /**
   * Copies the store as it is at one moment. The audit log has the request after that moment, so
   * that a backup does not have it as one that was interrupted.
   */
  @POST
  @Streamed
  public void post(
      @Context UriInfo uri,
      @Context ContainerRequestContext context,
      @Suspended AsyncResponse response)
      throws Refusal {
    new Query(uri).refuseIfUnsound();
    Auditing by = GuardFilter.auditing(context).orElseThrow();
    AnswerThreads.everything(response, () -> answer(by));
  }

  private Response answer(Auditing by) {
    StoreBackup backup = controller.backUp();
    try {
      AuditLog.Entry asked = by.log().asked(by.who());
      asked.ended(json -> Auditing.writeOutcome(json, Response.Status.OK.getStatusCode()));
      asked.awaitDurable();
    } catch (ControllerException e) {
      backup.close();
      throw e;
    }
    StreamingOutput copied =
        out -> {
          try (StoreBackup taken = backup) {
            taken.writeTo(out);
          }
        };
    return Response.ok(copied, MEDIA_TYPE).build();
  }
}
