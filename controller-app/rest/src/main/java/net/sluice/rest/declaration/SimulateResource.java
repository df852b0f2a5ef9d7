package net.sluice.rest.declaration;

import java.io.InputStream;
import java.util.Optional;
import java.util.function.Supplier;
import javax.ws.rs.Consumes;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.container.AsyncResponse;
import javax.ws.rs.container.Suspended;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.UriInfo;
import net.sluice.core.Controller;
import net.sluice.intents.validate.Refusal;
import net.sluice.northbound.Northbound;
import net.sluice.northbound.caller.Role;
import net.sluice.northbound.simulate.ChangeSimulation;
import net.sluice.northbound.usage.Usage;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.bulk.ChangeLines;
import net.sluice.rest.bulk.SimulatedLines;
import net.sluice.rest.guard.Needs;
import net.sluice.rest.request.AnswerThreads;
import net.sluice.rest.request.Query;
import net.sluice.rest.request.RequestBody;
import net.sluice.rest.usage.UsageQuery;

/** {@code simulate}: who would get what if changes were made. */
@Path("simulate")
@Produces(MediaType.APPLICATION_JSON)
public final class SimulateResource {
  private static final String LOAD = "load";
  private static final String LOSES_PERCENT = "losesPercent";
  private static final int SOME_PERCENT = 10;
  private static final int ALL_PERCENT = 100;

  private final Controller controller;
  private final Supplier<Northbound> northbound;

  /** A resource of what {@code controller} holds. */
  public SimulateResource(Controller controller, Supplier<Northbound> northbound) {
    this.controller = controller;
    this.northbound = northbound;
  }

  /** Divides what subscribers want, before and after changes; nothing is changed. */
  @POST
  @Needs(Role.READ)
  @Consumes(ChangeLines.MEDIA_TYPE)
  public void post(@Context UriInfo uri, InputStream body, @Suspended AsyncResponse response)
      throws Refusal {
    Query query = new Query(uri, LOAD, LOSES_PERCENT, Query.LIMIT);
    boolean isMeasured =
        query
            .parsed(
                LOAD,
                "measured or given",
                text ->
                    Optional.of(text.equals("measured"))
                        .filter(measured -> measured || text.equals("given")))
            .orElse(true);
    double percent = query.number(LOSES_PERCENT, SOME_PERCENT, 0, ALL_PERCENT);
    int limit = query.limit();
    query.refuseIfUnsound();
    Usage usage = northbound.get().usage();
    if (isMeasured) {
      UsageQuery.requireMeasured(usage);
    }
    SimulatedLines lines = SimulatedLines.read(controller, RequestBody.bytes(body));
    AnswerThreads.everything(
        response,
        () -> {
          ChangeSimulation simulation = new ChangeSimulation(controller);
          lines.load(simulation);
          if (isMeasured) {
            simulation.wantAsMeasured(usage);
          }
          return new JsonAnswer(lines.simulated(simulation, percent, limit)).ok();
        });
  }
}
