package net.sluice.rest;

import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.container.AsyncResponse;
import javax.ws.rs.container.Suspended;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Request;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.StreamingOutput;
import javax.ws.rs.core.UriInfo;
import javax.ws.rs.core.Variant;
import net.sluice.core.Controller;
import net.sluice.core.InstallSummary;
import net.sluice.core.TargetDrift;
import net.sluice.core.traffic.DropStatus;
import net.sluice.core.traffic.QueueStatus;
import net.sluice.core.traffic.SwitchReadings;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.answer.Metrics;
import net.sluice.rest.problem.ProblemDetail;
import net.sluice.rest.request.AnswerThreads;
import net.sluice.rest.request.Query;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code metrics}: what {@code status} and {@code targets} tell, for monitoring. */
@Path("metrics")
@Produces({"text/plain", MetricsResource.OPEN_METRICS, ProblemDetail.JSON})
public final class MetricsResource {
  static final String OPEN_METRICS = "application/openmetrics-text";

  private static final Logger LOG = LoggerFactory.getLogger(MetricsResource.class);
  private static final ExpositionFormats FORMATS = ExpositionFormats.init();
  private static final List<Variant> VARIANTS =
      Variant.mediaTypes(MediaType.TEXT_PLAIN_TYPE, MediaType.valueOf(OPEN_METRICS)).build();

  private final Controller controller;
  private final Supplier<MetricSnapshots> requests;
  private final Supplier<MetricSnapshots> process;

  /** A resource of the targets of {@code controller}, of requests and of the host's process. */
  public MetricsResource(
      Controller controller,
      Supplier<MetricSnapshots> requests,
      Supplier<MetricSnapshots> process) {
    this.controller = controller;
    this.requests = requests;
    this.process = process;
  }

  /**
   * The numbers now. What a switch cannot tell now is left out: the other numbers say what is the
   * matter with it. No thread waits for the switches.
   */
  @GET
  public void get(@Context UriInfo uri, @Context Request request, @Suspended AsyncResponse response)
      throws Refusal {
    new Query(uri).refuseIfUnsound();
    Variant variant = request.selectVariant(VARIANTS);
    boolean isOpen = variant != null && variant.getMediaType().toString().equals(OPEN_METRICS);
    ExpositionFormatWriter writer =
        isOpen ? FORMATS.getOpenMetricsTextFormatWriter() : FORMATS.getPrometheusTextFormatWriter();
    AnswerThreads.whenDone(
        told(controller.queues()).thenCombine(told(controller.drops()), Counted::new),
        response,
        counted -> answer(counted, writer));
  }

  /** The counters of switches that have answered. */
  private record Counted(List<QueueStatus> queues, List<DropStatus> drops) {}

  private static <T> CompletableFuture<List<T>> told(
      CompletableFuture<SwitchReadings<T>> readings) {
    return readings.handle(
        (report, failure) -> {
          if (failure != null) {
            LOG.debug("counters cannot be told", failure);
          }
          return failure == null ? report.read() : List.of();
        });
  }

  private Response answer(Counted counted, ExpositionFormatWriter writer) throws Refusal {
    InstallSummary summary = controller.summary();
    List<TargetDrift> drifts = new ArrayList<>();
    for (InstallSummary.PerTarget target : summary.targets()) {
      drifts.add(controller.drift(target.target()));
    }
    List<MetricSnapshot> all =
        new ArrayList<>(
            Metrics.of(
                summary,
                controller.needs().all(),
                drifts,
                controller.switches(),
                counted.queues(),
                counted.drops()));
    requests.get().forEach(all::add);
    process.get().forEach(all::add);
    StreamingOutput text = out -> writer.write(out, new MetricSnapshots(all));
    return Response.ok(text, writer.getContentType()).build();
  }
}
