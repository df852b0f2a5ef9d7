package net.sluice.rest;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.extensions.Extension;
import io.swagger.v3.oas.annotations.extensions.ExtensionProperty;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
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

/** {@code export}: all declarations in force, as lines that {@code bulk} takes. */
@Path("export")
@Produces(BulkResource.MEDIA_TYPE)
public final class ExportResource {
  private static final String DECLARED_ONLY = "declaredOnly";

  private final Controller controller;

  /** A resource of what {@code controller} holds. */
  public ExportResource(Controller controller) {
    this.controller = controller;
  }

  /** All declarations of one moment; of the same ones always the same bytes. */
  @GET
  @Operation(
      operationId = "export",
      summary = "Tells all declarations in force as lines that bulk takes.")
  @Parameter(
      name = Tags.IF_MATCH,
      in = ParameterIn.QUERY,
      description = "Whether each line has the ETag of its declaration, in ifMatch.",
      schema = @Schema(type = "boolean", defaultValue = "false"))
  @Parameter(
      name = DECLARED_ONLY,
      in = ParameterIn.QUERY,
      description = "Whether no line says what is in force of schedules and suspensions.",
      schema = @Schema(type = "boolean", defaultValue = "false"))
  @ApiResponse(
      responseCode = "200",
      description = "Lines of JSON, each a BulkChange.",
      content =
          @Content(
              mediaType = BulkResource.MEDIA_TYPE,
              schema = @Schema(implementation = String.class),
              extensions =
                  @Extension(
                      properties =
                          @ExtensionProperty(
                              name = "x-item-schema",
                              value = "{\"$ref\":\"#/components/schemas/BulkChange\"}",
                              parseValue = true))))
  public void get(@Context UriInfo uri, @Suspended AsyncResponse response) throws Refusal {
    Query query = new Query(uri, Tags.IF_MATCH, DECLARED_ONLY);
    boolean conditional = query.flag(Tags.IF_MATCH);
    boolean declaredOnly = query.flag(DECLARED_ONLY);
    query.refuseIfUnsound();
    StreamingOutput lines = out -> ChangeLines.export(controller, out, conditional, !declaredOnly);
    AnswerThreads.everything(response, () -> Response.ok(lines, BulkResource.MEDIA_TYPE).build());
  }
}
