package net.sluice.rest.switches;

import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import javax.ws.rs.GET;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.HttpHeaders;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.UriInfo;
import net.sluice.core.Controller;
import net.sluice.core.InstallSummary;
import net.sluice.core.TargetDrift;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.answer.TargetWriter;
import net.sluice.rest.host.Closable;
import net.sluice.rest.operation.Operations;
import net.sluice.rest.operation.TargetFollower;
import net.sluice.rest.request.Query;

/**
 * {@code targets}: the switch and its FPGAs, how they differed from what is declared, and what an
 * operator can have done about it.
 */
@Path("targets")
@Produces(MediaType.APPLICATION_JSON)
public final class TargetResource {
  private final Controller controller;
  private final Supplier<Set<Closable>> closed;
  private final Supplier<Operations> operations;

  /** A resource of the targets of {@code controller}, of which some actions may be closed. */
  public TargetResource(
      Controller controller, Supplier<Set<Closable>> closed, Supplier<Operations> operations) {
    this.controller = controller;
    this.closed = closed;
    this.operations = operations;
  }

  /** How all targets are. */
  @GET
  public Response list(@Context UriInfo uri) throws Refusal {
    new Query(uri).refuseIfUnsound();
    InstallSummary summary = controller.summary();
    return new JsonAnswer(json -> TargetWriter.write(json, summary.targets())).ok();
  }

  /** How a target is. */
  @GET
  @Path("{id}")
  public Response get(@PathParam("id") String id, @Context UriInfo uri) throws Refusal {
    new Query(uri).refuseIfUnsound();
    return Response.ok(target(id), MediaType.APPLICATION_JSON_TYPE).build();
  }

  /** How a target differed when it was last compared with what is declared. */
  @GET
  @Path("{id}/drift")
  public Response drift(@PathParam("id") String id, @Context UriInfo uri) throws Refusal {
    new Query(uri).refuseIfUnsound();
    TargetDrift drift = controller.drift(id);
    return new JsonAnswer(json -> TargetWriter.write(json, drift)).ok();
  }

  /** Has a target read back and corrected; the answer does not wait for it. */
  @POST
  @Path("{id}/reconcile")
  public Response reconcile(
      @PathParam("id") String id, @Context UriInfo uri, @Context HttpHeaders headers)
      throws Refusal {
    Optional<Response> refusal = Closable.RECONCILE.refusal(closed.get());
    if (refusal.isPresent()) {
      return refusal.get();
    }
    new Query(uri).refuseIfUnsound();
    return asked(id, uri, headers, () -> controller.reconcile(id));
  }

  /** Has a target corrected whatever that deletes there; the answer does not wait for it. */
  @POST
  @Path("{id}/adopt")
  public Response adopt(
      @PathParam("id") String id, @Context UriInfo uri, @Context HttpHeaders headers)
      throws Refusal {
    Optional<Response> refusal = Closable.ADOPT.refusal(closed.get());
    if (refusal.isPresent()) {
      return refusal.get();
    }
    new Query(uri).refuseIfUnsound();
    return asked(id, uri, headers, () -> controller.adopt(id));
  }

  private Response asked(String id, UriInfo uri, HttpHeaders headers, TargetFollower.Asking asking)
      throws Refusal {
    if (!Operations.isAsked(headers)) {
      asking.ask();
      return accepted(id);
    }
    var taken = operations.get().begin("POST " + uri.getRequestUri().getRawPath());
    if (taken.isEmpty()) {
      return Operations.tooMany();
    }
    TargetFollower.follow(controller, id, taken.get(), asking);
    return Response.fromResponse(accepted(id))
        .location(Operations.location(taken.get(), uri))
        .header(Operations.APPLIED, Operations.RESPOND_ASYNC)
        .build();
  }

  private Response accepted(String id) throws Refusal {
    return Response.status(Response.Status.ACCEPTED)
        .type(MediaType.APPLICATION_JSON_TYPE)
        .entity(target(id))
        .build();
  }

  private JsonAnswer target(String id) throws Refusal {
    InstallSummary.PerTarget target = controller.target(id);
    return new JsonAnswer(json -> TargetWriter.write(json, target));
  }
}
