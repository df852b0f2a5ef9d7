package net.sluice.rest;

import java.util.ArrayList;
import java.util.List;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.UriInfo;
import net.sluice.core.Controller;
import net.sluice.core.InstallSummary;
import net.sluice.core.TargetDrift;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.answer.Metrics;

/** {@code metrics}: what {@code status} and {@code targets} tell, for monitoring. */
@Path("metrics")
@Produces("text/plain")
public final class MetricsResource {
  private final Controller controller;

  /** A resource of the targets of {@code controller}. */
  public MetricsResource(Controller controller) {
    this.controller = controller;
  }

  /** The numbers now. */
  @GET
  public Response get(@Context UriInfo uri) throws Refusal {
    new Query(uri).refuseIfUnsound();
    InstallSummary summary = controller.summary();
    List<TargetDrift> drifts = new ArrayList<>();
    for (InstallSummary.PerTarget target : summary.targets()) {
      drifts.add(controller.drift(target.target()));
    }
    return Response.ok(Metrics.text(summary, drifts, controller.switches()), Metrics.MEDIA_TYPE)
        .build();
  }
}
