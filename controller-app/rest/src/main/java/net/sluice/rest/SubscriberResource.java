package net.sluice.rest;

import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.container.AsyncResponse;
import javax.ws.rs.container.Suspended;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.UriInfo;
import net.sluice.core.Controller;
import net.sluice.core.SubscriberCounters;
import net.sluice.intents.model.Kind;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.answer.AnswerWriter;
import net.sluice.rest.answer.JsonAnswer;

/** {@code subscribers}, {@code subscribers/{id}} and {@code subscribers/{id}/counters}. */
@Path("subscribers")
public final class SubscriberResource extends DeclarationResource {
  private final Controller controller;

  /** A resource of what {@code controller} holds. */
  public SubscriberResource(Controller controller) {
    super(controller, Kind.SUBSCRIBER);
    this.controller = controller;
  }

  /**
   * The switch's counters of a subscriber: traffic offered and traffic passed on. No thread waits
   * for the switch.
   */
  @GET
  @Path("{id}/counters")
  public void counters(
      @PathParam("id") String id, @Context UriInfo uri, @Suspended AsyncResponse response)
      throws Refusal {
    new Query(uri).refuseIfUnsound();
    AnswerThreads.whenDone(
        controller.counters(id),
        response,
        read -> {
          SubscriberCounters counters = read.orElseThrow(() -> notFound(id));
          return ok(new JsonAnswer(json -> AnswerWriter.write(json, id, counters)));
        });
  }
}
