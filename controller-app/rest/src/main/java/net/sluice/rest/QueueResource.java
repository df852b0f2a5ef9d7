package net.sluice.rest;

import java.util.List;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.UriInfo;
import net.sluice.core.Controller;
import net.sluice.core.QueueStatus;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.answer.QueueWriter;

/** {@code queues}: the class queues whose delay is managed, and what became of their packets. */
@Path("queues")
@Produces(MediaType.APPLICATION_JSON)
public final class QueueResource {
  private final Controller controller;

  /** A resource of the switch of {@code controller}. */
  public QueueResource(Controller controller) {
    this.controller = controller;
  }

  /** The queues now, with counters read from the switch. */
  @GET
  public Response get(@Context UriInfo uri) throws Refusal {
    new Query(uri).refuseIfUnsound();
    List<QueueStatus> queues = controller.queues();
    return DeclarationResource.ok(new JsonAnswer(json -> QueueWriter.write(json, queues)));
  }
}
