package net.sluice.rest;

import java.io.InputStream;
import javax.ws.rs.Consumes;
import javax.ws.rs.DELETE;
import javax.ws.rs.GET;
import javax.ws.rs.PUT;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.UriInfo;
import net.sluice.core.Controller;
import net.sluice.core.Kind;
import net.sluice.core.SubscriberCounters;
import net.sluice.intents.plan.Change;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.answer.AnswerWriter;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.json.DeclarationReader;

/** {@code subscribers}, {@code subscribers/{id}} and {@code subscribers/{id}/counters}. */
@Path("subscribers")
@Produces(MediaType.APPLICATION_JSON)
public final class SubscriberResource {
  private final Controller controller;
  private final Declarations declarations;

  /** A resource of what {@code controller} holds. */
  public SubscriberResource(Controller controller) {
    this.controller = controller;
    this.declarations = new Declarations(controller);
  }

  /** Lists subscribers by identifier. */
  @GET
  public Response list(@Context UriInfo uri) throws Refusal {
    return declarations.list(uri, controller::subscribers);
  }

  /** A subscriber in force, with the rate limits it is under. */
  @GET
  @Path("{id}")
  public Response get(@PathParam("id") String id, @Context UriInfo uri) throws Refusal {
    return declarations.get(Kind.SUBSCRIBER, uri, id);
  }

  /** Creates or replaces a subscriber. */
  @PUT
  @Path("{id}")
  @Consumes(MediaType.APPLICATION_JSON)
  public Response put(@PathParam("id") String id, @Context UriInfo uri, InputStream body)
      throws Refusal {
    return declarations.put(
        Kind.SUBSCRIBER,
        uri,
        () -> new Change.PutSubscriber(DeclarationReader.subscriber(id, RequestBody.json(body))));
  }

  /** Deletes a subscriber that has no rate limit of its own. */
  @DELETE
  @Path("{id}")
  public Response delete(@PathParam("id") String id, @Context UriInfo uri) throws Refusal {
    return declarations.delete(uri, new Change.DeleteSubscriber(id));
  }

  /** What the switch has counted for a subscriber: what it offered and what it really got. */
  @GET
  @Path("{id}/counters")
  public Response counters(@PathParam("id") String id, @Context UriInfo uri) throws Refusal {
    new Query(uri).refuseIfUnsound();
    SubscriberCounters counters =
        controller.counters(id).orElseThrow(() -> Declarations.notFound(Kind.SUBSCRIBER, id));
    return Declarations.ok(new JsonAnswer(json -> AnswerWriter.write(json, id, counters)));
  }
}
