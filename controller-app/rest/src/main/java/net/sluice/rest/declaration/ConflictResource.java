package net.sluice.rest.declaration;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.ws.rs.DELETE;
import javax.ws.rs.GET;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.UriInfo;
import net.sluice.core.Conflict;
import net.sluice.core.Controller;
import net.sluice.core.Outcome;
import net.sluice.intents.model.Kind;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.answer.AnswerWriter;
import net.sluice.rest.answer.ConflictWriter;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.request.Query;

/**
 * {@code conflicts}: what is stored for a switch and not in force there, because another switch has
 * its names, and what an operator can have done about it.
 */
@Path("conflicts")
@Produces(MediaType.APPLICATION_JSON)
public final class ConflictResource {
  private final Controller controller;

  /** A resource of the network of {@code controller}. */
  public ConflictResource(Controller controller) {
    this.controller = controller;
  }

  /** The first conflicts, their number, and the switches that could not be taken in. */
  @GET
  public Response list(@Context UriInfo uri) throws Refusal {
    Query query = new Query(uri, Query.LIMIT);
    int limit = query.limit();
    query.refuseIfUnsound();
    long total = controller.conflicts();
    List<Conflict> first = controller.conflicts(limit);
    Map<String, String> leftOut = controller.leftOut();
    return new JsonAnswer(json -> ConflictWriter.write(json, total, first, leftOut)).ok();
  }

  /** Declares it at its switch, as a PUT would; then the conflict is over. */
  @POST
  @Path("{switch}/{kind}/{id}/declare")
  public Response declare(
      @PathParam("switch") String switchName,
      @PathParam("kind") String kind,
      @PathParam("id") String id,
      @Context UriInfo uri)
      throws Refusal {
    new Query(uri).refuseIfUnsound();
    Outcome outcome = controller.declareConflict(switchName, kind(kind), id);
    if (outcome instanceof Outcome.Refused refused) {
      throw new Refusal(refused.problems());
    }
    return controller
        .find(kind(kind), id)
        .map(found -> new JsonAnswer(json -> AnswerWriter.write(json, found)).ok())
        .orElseGet(() -> Response.noContent().build());
  }

  /** Forgets it; what is in force stays. */
  @DELETE
  @Path("{switch}/{kind}/{id}")
  public Response forget(
      @PathParam("switch") String switchName,
      @PathParam("kind") String kind,
      @PathParam("id") String id,
      @Context UriInfo uri)
      throws Refusal {
    new Query(uri).refuseIfUnsound();
    controller.forgetConflict(switchName, kind(kind), id);
    return Response.noContent().build();
  }

  private static Kind kind(String path) throws Refusal {
    Optional<Kind> kind =
        Stream.of(Kind.values()).filter(each -> each.path().equals(path)).findAny();
    if (kind.isEmpty()) {
      throw new Refusal(
          List.of(
              Problem.of(
                  Problem.Code.NOT_FOUND,
                  "kind",
                  path,
                  Stream.of(Kind.values()).map(Kind::path).collect(Collectors.joining(", ")))));
    }
    return kind.get();
  }
}
