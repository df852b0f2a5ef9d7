package net.sluice.rest;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.container.AsyncResponse;
import javax.ws.rs.container.Suspended;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.UriInfo;
import net.sluice.core.Controller;
import net.sluice.core.InstallSummary;
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

  /**
   * The numbers now. What a switch cannot tell now is left out: the other numbers say what is the
   * matter with it. No thread waits for the switches.
   */
  @GET
  public void get(@Context UriInfo uri, @Suspended AsyncResponse response) throws Refusal {
    new Query(uri).refuseIfUnsound();
    AnswerThreads.whenDone(queues(), response, this::answer);
  }

  private CompletableFuture<List<QueueStatus>> queues() {
    return controller
        .queues()
        .handle(
            (report, failure) -> {
              if (failure != null) {
                LOG.debug("queues cannot be told", failure);
              }
              return failure == null ? report.queues() : List.of();
            });
  }

  private Response answer(List<QueueStatus> queues) throws Refusal {
    InstallSummary summary = controller.summary();
    List<TargetDrift> drifts = new ArrayList<>();
    for (InstallSummary.PerTarget target : summary.targets()) {
      drifts.add(controller.drift(target.target()));
    }
    String text = Metrics.text(summary, drifts, controller.switches(), queues);
    return Response.ok(text, Metrics.MEDIA_TYPE).build();
  }
}
