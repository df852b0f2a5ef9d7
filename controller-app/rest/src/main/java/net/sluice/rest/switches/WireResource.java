package net.sluice.rest.switches;

import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.container.AsyncResponse;
import javax.ws.rs.container.Suspended;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.UriInfo;
import net.sluice.core.Controller;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.answer.WireWriter;
import net.sluice.rest.request.Query;

/** {@code wires}: the ends of wires, with what passes there and belongs to no subscriber. */
@Path("wires")
@Produces(MediaType.APPLICATION_JSON)
public final class WireResource {
  private final Controller controller;

  /** A resource of the switches of {@code controller}. */
  public WireResource(Controller controller) {
    this.controller = controller;
  }

  /**
   * The counters now, read from the switches; no thread waits for them. A switch that cannot be
   * read keeps nothing of the others from being told.
   */
  @GET
  public void get(@Context UriInfo uri, @Suspended AsyncResponse response) throws Refusal {
    new Query(uri).refuseIfUnsound();
    QueueResource.answer(controller.wires(), response, WireWriter::write);
  }
}
