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
import net.sluice.rest.answer.NextHopWriter;
import net.sluice.rest.request.Query;

/** {@code next-hops}: next hops that are given by their IP addresses, and whether they answer. */
@Path("next-hops")
@Produces(MediaType.APPLICATION_JSON)
public final class NextHopResource {
  private final Controller controller;

  /** A resource of the switches of {@code controller}. */
  public NextHopResource(Controller controller) {
    this.controller = controller;
  }

  /** How they are now, with what was dropped for want of them, read from the switches. */
  @GET
  public void get(@Context UriInfo uri, @Suspended AsyncResponse response) throws Refusal {
    new Query(uri).refuseIfUnsound();
    QueueResource.answer(controller.nextHops(), response, NextHopWriter::write);
  }
}
