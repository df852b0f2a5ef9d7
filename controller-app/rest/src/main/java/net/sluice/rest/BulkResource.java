package net.sluice.rest;

import java.io.InputStream;
import javax.ws.rs.Consumes;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.container.AsyncResponse;
import javax.ws.rs.container.Suspended;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.UriInfo;
import net.sluice.core.Controller;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.bulk.BulkExchange;
import net.sluice.rest.guard.Needs;
import net.sluice.rest.guard.Role;
import net.sluice.rest.problem.Incidents;

/** {@code bulk}: many changes as newline-delimited JSON. */
@Path("bulk")
public final class BulkResource {
  /** Media type of both directions. */
  public static final String MEDIA_TYPE = "application/x-ndjson";

  private final Controller controller;
  private final Incidents incidents;

  /** A resource that changes what {@code controller} holds. */
  public BulkResource(Controller controller, Incidents incidents) {
    this.controller = controller;
    this.incidents = incidents;
  }

  /**
   * Applies each line on its own, and answers each with a line while later ones still come. A
   * stream may take long, so it has threads of its own.
   */
  @POST
  @Needs(Role.OPERATE)
  @Consumes(MEDIA_TYPE)
  @Produces(MEDIA_TYPE)
  public void post(@Context UriInfo uri, InputStream body, @Suspended AsyncResponse response)
      throws Refusal {
    Query query = new Query(uri, Query.DRY_RUN);
    boolean dryRun = query.flag(Query.DRY_RUN);
    query.refuseIfUnsound();
    AnswerThreads.stream(
        response,
        () ->
            Response.ok(new BulkExchange(controller, incidents, body, dryRun), MEDIA_TYPE).build());
  }
}
