package net.sluice.rest;

import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.extensions.Extension;
import io.swagger.v3.oas.annotations.extensions.ExtensionProperty;
import io.swagger.v3.oas.annotations.headers.Header;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import javax.servlet.http.HttpServletRequest;
import javax.ws.rs.Consumes;
import javax.ws.rs.HttpMethod;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.container.AsyncResponse;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.container.Suspended;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.HttpHeaders;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.UriInfo;
import net.sluice.core.Controller;
import net.sluice.intents.validate.Refusal;
import net.sluice.northbound.caller.Role;
import net.sluice.northbound.caller.Standing;
import net.sluice.rest.bulk.BulkExchange;
import net.sluice.rest.bulk.BulkSummary;
import net.sluice.rest.bulk.SetExchange;
import net.sluice.rest.bulk.WholeBody;
import net.sluice.rest.condition.Preference;
import net.sluice.rest.condition.RequestCondition;
import net.sluice.rest.contract.Statuses;
import net.sluice.rest.guard.Auditing;
import net.sluice.rest.guard.GuardFilter;
import net.sluice.rest.guard.Needs;
import net.sluice.rest.guard.Streamed;
import net.sluice.rest.operation.AcceptedOperation;
import net.sluice.rest.operation.EndingResponse;
import net.sluice.rest.operation.Operation;
import net.sluice.rest.operation.Operations;
import net.sluice.rest.problem.Incidents;

/** {@code bulk}: many changes as newline-delimited JSON. */
@Path(BulkResource.PATH)
public final class BulkResource {
  /** Media type of both directions. */
  public static final String MEDIA_TYPE = "application/x-ndjson";

  static final String PATH = "bulk";

  private final Controller controller;
  private final Incidents incidents;
  private final BooleanSupplier needsConditions;
  private final Supplier<Operations> operations;

  /** A resource that changes what {@code controller} holds, perhaps only under conditions. */
  public BulkResource(
      Controller controller,
      Incidents incidents,
      BooleanSupplier needsConditions,
      Supplier<Operations> operations) {
    this.controller = controller;
    this.incidents = incidents;
    this.needsConditions = needsConditions;
    this.operations = operations;
  }

  /** True for a request to this resource. */
  public static boolean isBulk(HttpServletRequest request) {
    return request.getMethod().equals(HttpMethod.POST)
        && request.getRequestURI().endsWith("/" + PATH);
  }

  /**
   * Applies each line on its own, and answers each with a line while later ones still come; or all
   * of them together. A stream may take long, so it has threads of its own.
   */
  @POST
  @Needs(Role.OPERATE)
  @Streamed
  @Consumes(MEDIA_TYPE)
  @Produces(MEDIA_TYPE)
  @io.swagger.v3.oas.annotations.Operation(
      operationId = "bulk",
      summary = "Makes many changes, each line one of its own, or all of them together.")
  @Parameter(
      name = Query.DRY_RUN,
      in = ParameterIn.QUERY,
      description = "Whether the change is checked and compiled but not made.",
      schema = @Schema(type = "boolean", defaultValue = "false"))
  @Parameter(
      name = Query.ATOMIC,
      in = ParameterIn.QUERY,
      description =
          "Whether the changes are made together or not at all: each is checked against what all of"
              + " them lead to, whatever their order. If one is refused, the answer is a problem"
              + " whose errors name lines. More than 10000 lines are answered 422, more than 16777216"
              + " bytes 413.",
      schema = @Schema(type = "boolean", defaultValue = "false"))
  @Parameter(
      name = Preference.PREFER,
      in = ParameterIn.HEADER,
      description =
          "With respond-async the request is read, answered 202 and then made. With handling=strict"
              + " a line that has neither ifMatch nor ifNoneMatch is answered 428.",
      schema = @Schema(type = "string"))
  @io.swagger.v3.oas.annotations.parameters.RequestBody(
      required = true,
      description = "Lines of JSON, each a BulkChange.",
      content =
          @Content(
              mediaType = MEDIA_TYPE,
              schema = @Schema(implementation = String.class),
              extensions =
                  @Extension(
                      properties =
                          @ExtensionProperty(
                              name = "x-item-schema",
                              value = "{\"$ref\":\"#/components/schemas/BulkChange\"}",
                              parseValue = true))))
  @ApiResponse(
      responseCode = "200",
      description = "Lines of JSON, each a BulkResult, in the order of the request's.",
      content =
          @Content(
              mediaType = MEDIA_TYPE,
              schema = @Schema(implementation = String.class),
              extensions =
                  @Extension(
                      properties =
                          @ExtensionProperty(
                              name = "x-item-schema",
                              value = "{\"$ref\":\"#/components/schemas/BulkResult\"}",
                              parseValue = true))))
  @ApiResponse(
      responseCode = "404",
      description = "With atomic=true: a line deletes what is not declared.")
  @ApiResponse(
      responseCode = "412",
      description = "With atomic=true: a line's condition does not hold.")
  @ApiResponse(responseCode = "428", description = "With atomic=true: a line has no condition.")
  @ApiResponse(responseCode = "507", description = "With atomic=true: a target has no room.")
  @ApiResponse(
      responseCode = "202",
      description = "With Prefer: respond-async, the operation that the request has become.",
      content =
          @Content(
              mediaType = MediaType.APPLICATION_JSON,
              schema = @Schema(implementation = Statuses.Operation.class)),
      headers =
          @Header(
              name = HttpHeaders.LOCATION,
              description = "The URL of the operation.",
              schema = @Schema(implementation = String.class)))
  public void post(
      @Context UriInfo uri,
      @Context HttpHeaders headers,
      @Context ContainerRequestContext context,
      InputStream body,
      @Suspended AsyncResponse response)
      throws Refusal {
    Query query = new Query(uri, Query.DRY_RUN, Query.ATOMIC);
    boolean dryRun = query.flag(Query.DRY_RUN);
    boolean isAtomic = query.flag(Query.ATOMIC);
    query.refuseIfUnsound();
    RequestCondition.requireNone(headers);
    boolean isStrict = needsConditions.getAsBoolean() || Preference.isStrict(headers);
    if (!dryRun && Operations.isAsked(headers)) {
      Standing standing = GuardFilter.standing(context);
      AnswerThreads.stream(
          response,
          () -> isAtomic ? acceptSet(uri, body, isStrict) : accept(uri, body, isStrict, standing));
      return;
    }
    if (isAtomic) {
      Optional<Auditing> auditing = GuardFilter.auditing(context);
      AnswerThreads.stream(
          response,
          () -> SetExchange.read(controller, isStrict, body).make(dryRun, auditing).response());
      return;
    }
    BulkExchange exchange = new BulkExchange(controller, incidents, body, dryRun, isStrict);
    exchange.requireStanding(GuardFilter.standing(context));
    AnswerThreads.stream(response, () -> Response.ok(exchange, MEDIA_TYPE).build());
  }

  private Response acceptSet(UriInfo uri, InputStream body, boolean isStrict) throws Refusal {
    SetExchange set = SetExchange.read(controller, isStrict, body);
    Operations all = operations.get();
    return all.accept(
        HttpMethod.POST,
        uri,
        (operation, accepted) -> {
          EndingResponse ending = new EndingResponse(all.answers(operation));
          AnswerThreads.later(ending, () -> make(operation, accepted, set));
        });
  }

  private static void make(Operation operation, AcceptedOperation accepted, SetExchange set) {
    SetExchange.Answer answer = set.make(false, accepted.auditing());
    if (answer.problem().isPresent()) {
      operation.failed(answer.problem().get());
      return;
    }
    BulkSummary summary = new BulkSummary(operation::progress);
    try {
      answer.write(summary);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    operation.done(Response.Status.OK.getStatusCode(), summary::write);
  }

  private Response accept(UriInfo uri, InputStream body, boolean isStrict, Standing standing)
      throws Refusal {
    WholeBody whole = WholeBody.of(body);
    Operations all = operations.get();
    return all.accept(
        HttpMethod.POST,
        uri,
        (operation, accepted) -> {
          EndingResponse ending = new EndingResponse(all.answers(operation));
          AnswerThreads.later(ending, () -> make(operation, accepted, whole, isStrict, standing));
        });
  }

  private void make(
      Operation operation,
      AcceptedOperation accepted,
      WholeBody whole,
      boolean isStrict,
      Standing standing) {
    BulkSummary summary = new BulkSummary(operation::progress);
    try (InputStream lines = whole.open()) {
      BulkExchange exchange = new BulkExchange(controller, incidents, lines, false, isStrict);
      exchange.requireStanding(standing);
      accepted.auditing().ifPresent(exchange::audited);
      exchange.write(summary);
      operation.done(Response.Status.OK.getStatusCode(), summary::write);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
