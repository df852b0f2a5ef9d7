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
import net.sluice.core.ControllerException;
import net.sluice.core.InstallSummary;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.QueueStatus;
import net.sluice.core.TargetDrift;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.answer.Metrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code metrics}: what {@code status} and {@code targets} tell, for monitoring. */
@Path("metrics")
@Produces("text/plain")
public final class MetricsResource {
  private static final Logger LOG = LoggerFactory.getLogger(MetricsResource.class);

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
    String text = Metrics.text(summary, drifts, controller.switches(), queues(summary));
    return Response.ok(text, Metrics.MEDIA_TYPE).build();
  }

  /** What the switch cannot tell now is left out: the other numbers say what is the matter. */
  private List<QueueStatus> queues(InstallSummary summary) {
    boolean ready =
        controller.switches().stream()
            .map(each -> summary.target(each.targets().get(0)))
            .allMatch(of -> of.filter(t -> t.session() == SessionState.READY).isPresent());
    try {
      return ready ? controller.queues() : List.of();
    } catch (ControllerException e) {
      LOG.debug("queues cannot be told", e);
      return List.of();
    }
  }
}
