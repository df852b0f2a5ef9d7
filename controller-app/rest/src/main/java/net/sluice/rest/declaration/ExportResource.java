package net.sluice.rest.declaration;

import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.container.AsyncResponse;
import javax.ws.rs.container.Suspended;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.StreamingOutput;
import javax.ws.rs.core.UriInfo;
import net.sluice.core.Controller;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.bulk.ChangeLines;
import net.sluice.rest.condition.Tags;
import net.sluice.rest.problem.ProblemDetail;
import net.sluice.rest.request.AnswerThreads;
import net.sluice.rest.request.Query;

/** {@code export}: all declarations in force, as lines that {@code bulk} takes. */
@Path("export")
@Produces({ChangeLines.MEDIA_TYPE, ProblemDetail.JSON})
public final class ExportResource {
  private static final String DECLARED_ONLY = "declaredOnly";

  private final Controller controller;

  /** A resource of what {@code controller} holds. */
  public ExportResource(Controller controller) {
    this.controller = controller;
  }

  /** All declarations of one moment; of the same ones always the same bytes. */
  @GET
  public void get(@Context UriInfo uri, @Suspended AsyncResponse response) throws Refusal {
    Query query = new Query(uri, Tags.IF_MATCH, DECLARED_ONLY);
    boolean conditional = query.flag(Tags.IF_MATCH);
    boolean declaredOnly = query.flag(DECLARED_ONLY);
    query.refuseIfUnsound();
    StreamingOutput lines = out -> ChangeLines.export(controller, out, conditional, !declaredOnly);
    AnswerThreads.everything(response, () -> Response.ok(lines, ChangeLines.MEDIA_TYPE).build());
  }
}
