package net.sluice.rest.usage;

import java.util.List;
import java.util.function.Supplier;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.container.AsyncResponse;
import javax.ws.rs.container.Suspended;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.UriInfo;
import net.sluice.core.Controller;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.northbound.Northbound;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.answer.WhyWriter;
import net.sluice.rest.request.AnswerThreads;
import net.sluice.rest.request.Query;

/** {@code switches/{id}/ports/{port}/shares}: who leaves by a switch port, and has how much. */
@Path("switches/{id}/ports/{port}/shares")
@Produces(MediaType.APPLICATION_JSON)
public final class PortSharesResource {
  /** Ports of P4Runtime have 32 bits; switches number theirs with 9. */
  private static final int MOST = 9999;

  private final Controller controller;
  private final Supplier<Northbound> northbound;

  /** A resource of the switches of {@code controller}. */
  public PortSharesResource(Controller controller, Supplier<Northbound> northbound) {
    this.controller = controller;
    this.northbound = northbound;
  }

  /** By the last sweep; the subscribers may have to be summed up first. */
  @GET
  public void get(
      @PathParam("id") String name,
      @PathParam("port") String text,
      @Context UriInfo uri,
      @Suspended AsyncResponse response)
      throws Refusal {
    new Query(uri).refuseIfUnsound();
    UsageQuery.requireSwitch(name, controller.switches());
    int port = UsageQuery.number("port", text, MOST);
    UsageQuery.requireMeasured(northbound.get().usage());
    AnswerThreads.read(
        response,
        () -> {
          var shares =
              northbound
                  .get()
                  .explanations()
                  .shares(name, port)
                  .orElseThrow(
                      () ->
                          new Refusal(
                              List.of(
                                  new Problem(
                                      Problem.Code.NOT_FOUND,
                                      "port",
                                      text,
                                      "a port of the topology",
                                      "The topology of " + name + " has no port " + text + "."))));
          return new JsonAnswer(json -> WhyWriter.write(json, name, port, shares)).ok();
        });
  }
}
