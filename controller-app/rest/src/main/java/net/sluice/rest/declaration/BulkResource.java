package net.sluice.rest.declaration;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
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
import net.sluice.rest.bulk.ChangeLines;
import net.sluice.rest.bulk.SetExchange;
import net.sluice.rest.bulk.WholeBody;
import net.sluice.rest.condition.Preference;
import net.sluice.rest.condition.RequestCondition;
import net.sluice.rest.guard.Auditing;
import net.sluice.rest.guard.GuardFilter;
import net.sluice.rest.guard.Needs;
import net.sluice.rest.guard.Streamed;
import net.sluice.rest.operation.AcceptedOperation;
import net.sluice.rest.operation.EndingResponse;
import net.sluice.rest.operation.Operation;
import net.sluice.rest.operation.Operations;
import net.sluice.rest.problem.Incidents;
import net.sluice.rest.problem.ProblemDetail;
import net.sluice.rest.request.AnswerThreads;
import net.sluice.rest.request.Query;
import net.sluice.rest.request.RequestBody;

/** {@code bulk}: many changes as newline-delimited JSON. */
@Path(RequestBody.BULK)
public final class BulkResource {
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

  /**
   * Applies each line on its own, and answers each with a line while later ones still come; or all
   * of them together. A stream may take long, so it has threads of its own.
   */
  @POST
  @Needs(Role.OPERATE)
  @Streamed
  @Consumes(ChangeLines.MEDIA_TYPE)
  @Produces({ChangeLines.MEDIA_TYPE, MediaType.APPLICATION_JSON, ProblemDetail.JSON})
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
    AnswerThreads.stream(response, () -> Response.ok(exchange, ChangeLines.MEDIA_TYPE).build());
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
