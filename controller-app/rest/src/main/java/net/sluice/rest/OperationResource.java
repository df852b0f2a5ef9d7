package net.sluice.rest;

import java.util.List;
import java.util.function.Supplier;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.UriInfo;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.operation.Operation;
import net.sluice.rest.operation.Operations;
import net.sluice.rest.request.Query;

/** {@code operations}: the requests that were answered 202 and go on. */
@Path(Operations.PATH)
@Produces(MediaType.APPLICATION_JSON)
public final class OperationResource {
  private final Supplier<Operations> operations;

  /** A resource of operations. */
  public OperationResource(Supplier<Operations> operations) {
    this.operations = operations;
  }

  /** All that are told, the newest first. */
  @GET
  public Response list(@Context UriInfo uri) throws Refusal {
    new Query(uri).refuseIfUnsound();
    List<Operation> all = operations.get().list();
    return new JsonAnswer(
            json -> {
              json.writeStartObject();
              json.writeArrayFieldStart("operations");
              for (Operation each : all) {
                each.write(json);
              }
              json.writeEndArray();
              json.writeEndObject();
            })
        .ok();
  }

  /** How far one is. */
  @GET
  @Path("{id}")
  public Response get(@PathParam("id") String id, @Context UriInfo uri) throws Refusal {
    new Query(uri).refuseIfUnsound();
    Operation found = operations.get().find(id).orElseThrow(() -> unknown(id));
    return new JsonAnswer(found::write).ok();
  }

  private static Refusal unknown(String id) {
    return new Refusal(
        List.of(
            new Problem(
                Problem.Code.NOT_FOUND,
                "id",
                id,
                "an operation that goes on, or one of the last that ended",
                "There is no operation " + id + " any more, or yet.")));
  }
}
