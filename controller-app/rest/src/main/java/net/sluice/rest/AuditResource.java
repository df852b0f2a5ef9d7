package net.sluice.rest;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.util.function.Supplier;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.container.AsyncResponse;
import javax.ws.rs.container.Suspended;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.UriInfo;
import net.sluice.core.Page;
import net.sluice.intents.validate.Refusal;
import net.sluice.northbound.Northbound;
import net.sluice.northbound.audit.AuditLog;
import net.sluice.northbound.caller.Role;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.contract.Statuses;
import net.sluice.rest.guard.Needs;

/** {@code audit}: who asked for which change, and what came of it. */
@Path("audit")
@Produces(MediaType.APPLICATION_JSON)
public final class AuditResource {
  private static final String SINCE = "since";
  private static final long MAX_SEQUENCE = 999_999_999_999_999_999L;

  private final Supplier<Northbound> northbound;

  /** A resource of the audit log. */
  public AuditResource(Supplier<Northbound> northbound) {
    this.northbound = northbound;
  }

  /** The lines after a sequence number. */
  @GET
  @Needs(Role.ADMIN)
  @Operation(
      operationId = "getAudit",
      summary = "Tells who asked for which change, and what came of it.")
  @Parameter(
      name = SINCE,
      in = ParameterIn.QUERY,
      description = "A sequence number; the lines after it are told.",
      schema =
          @Schema(
              type = "integer",
              format = "int64",
              minimum = "0",
              maximum = "" + MAX_SEQUENCE,
              defaultValue = "0"))
  @Parameter(
      name = Query.LIMIT,
      in = ParameterIn.QUERY,
      description = "Most items.",
      schema =
          @Schema(
              type = "integer",
              format = "int32",
              minimum = "1",
              maximum = "" + Page.MAX_LIMIT,
              defaultValue = "" + ListQuery.DEFAULT_LIMIT))
  @ApiResponse(
      responseCode = "200",
      description = "Lines of the log.",
      content = @Content(schema = @Schema(implementation = Statuses.AuditLines.class)))
  public void list(@Context UriInfo uri, @Suspended AsyncResponse response) throws Refusal {
    Query query = new Query(uri, SINCE, Query.LIMIT);
    long since = query.number(SINCE, 0, 0, MAX_SEQUENCE);
    int limit = (int) query.number(Query.LIMIT, ListQuery.DEFAULT_LIMIT, 1, Page.MAX_LIMIT);
    query.refuseIfUnsound();
    AuditLog log = northbound.get().audit();
    AnswerThreads.read(
        response,
        () -> DeclarationResource.ok(new JsonAnswer(json -> log.write(json, since, limit))));
  }
}
