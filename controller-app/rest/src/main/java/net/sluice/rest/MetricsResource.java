package net.sluice.rest;

import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
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
import net.sluice.core.traffic.NextHopStatus;
import net.sluice.core.traffic.QueueStatus;
import net.sluice.core.traffic.SubscriberCounters;
import net.sluice.core.traffic.SwitchReadings;
import net.sluice.core.traffic.WireStatus;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Ids;
import net.sluice.rest.answer.Metrics;
import net.sluice.rest.problem.ProblemDetail;
import net.sluice.rest.request.AnswerThreads;
import net.sluice.rest.request.Query;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code metrics}: what {@code status} and {@code targets} tell, and some counters. */
@Path("metrics")
@Produces({"text/plain", MetricsResource.OPEN_METRICS, ProblemDetail.JSON})
public final class MetricsResource {
  static final String OPEN_METRICS = "application/openmetrics-text";

  /** The query parameter that asks for subscribers. */
  static final String SUBSCRIBERS = "subscribers";

  /** Each is read from its switch anew. */
  private static final int MOST_SUBSCRIBERS = 100;

  private static final String ALLOWED_SUBSCRIBERS =
      "1 to " + MOST_SUBSCRIBERS + " ids with commas between them";

  private static final Logger LOG = LoggerFactory.getLogger(MetricsResource.class);
  private static final ExpositionFormats FORMATS = ExpositionFormats.init();
  private static final List<Variant> VARIANTS =
      Variant.mediaTypes(MediaType.TEXT_PLAIN_TYPE, MediaType.valueOf(OPEN_METRICS)).build();

  private final Controller controller;
  private final Supplier<MetricSnapshots> requests;
  private final Supplier<List<MetricSnapshot>> usage;
  private final Supplier<MetricSnapshots> process;

  /**
   * A resource of the targets of {@code controller}, of requests, of how usage is measured and of
   * the host's process.
   */
  public MetricsResource(
      Controller controller,
      Supplier<MetricSnapshots> requests,
      Supplier<List<MetricSnapshot>> usage,
      Supplier<MetricSnapshots> process) {
    this.controller = controller;
    this.requests = requests;
    this.usage = usage;
    this.process = process;
  }

  /**
   * The numbers now. What a switch cannot tell now is left out: the other numbers say what is the
   * matter with it. Subscribers are told only where they are asked for, so that a million make no
   * million series; one that is not there is left out, too. No thread waits for the switches.
   */
  @GET
  public void get(@Context UriInfo uri, @Context Request request, @Suspended AsyncResponse response)
      throws Refusal {
    Query query = new Query(uri, SUBSCRIBERS);
    List<String> subscribers =
        query.parsed(SUBSCRIBERS, ALLOWED_SUBSCRIBERS, MetricsResource::ids).orElse(List.of());
    query.refuseIfUnsound();
    Variant variant = request.selectVariant(VARIANTS);
    boolean isOpen = variant != null && variant.getMediaType().toString().equals(OPEN_METRICS);
    ExpositionFormatWriter writer =
        isOpen ? FORMATS.getOpenMetricsTextFormatWriter() : FORMATS.getPrometheusTextFormatWriter();
    AnswerThreads.whenDone(
        told(controller.queues())
            .thenCombine(told(controller.drops()), Counted::new)
            .thenCombine(told(controller.wires()), Counted::with)
            .thenCombine(told(controller.nextHops()), Counted::withHops)
            .thenCombine(counters(subscribers), Counted::with),
        response,
        counted -> answer(counted, writer));
  }

  /** The counters of switches that have answered. */
  private record Counted(
      List<QueueStatus> queues,
      List<DropStatus> drops,
      List<WireStatus> wires,
      List<NextHopStatus> hops,
      Map<String, SubscriberCounters> subscribers) {
    Counted(List<QueueStatus> queues, List<DropStatus> drops) {
      this(queues, drops, List.of(), List.of(), Map.of());
    }

    Counted with(List<WireStatus> read) {
      return new Counted(queues, drops, read, hops, subscribers);
    }

    Counted withHops(List<NextHopStatus> read) {
      return new Counted(queues, drops, wires, read, subscribers);
    }

    Counted with(Map<String, SubscriberCounters> read) {
      return new Counted(queues, drops, wires, hops, read);
    }
  }

  private static Optional<List<String>> ids(String text) {
    List<String> ids = List.of(text.split(",", -1));
    return ids.size() <= MOST_SUBSCRIBERS && ids.stream().allMatch(Ids::isValid)
        ? Optional.of(ids)
        : Optional.empty();
  }

  private CompletableFuture<Map<String, SubscriberCounters>> counters(List<String> subscribers) {
    Map<String, CompletableFuture<Optional<SubscriberCounters>>> asked = new TreeMap<>();
    for (String id : subscribers) {
      asked.computeIfAbsent(
          id,
          each ->
              controller
                  .counters(each)
                  .exceptionally(
                      failure -> {
                        LOG.debug("counters of {} cannot be told", each, failure);
                        return Optional.empty();
                      }));
    }
    return CompletableFuture.allOf(asked.values().toArray(new CompletableFuture<?>[0]))
        .thenApply(
            done -> {
              Map<String, SubscriberCounters> read = new TreeMap<>();
              asked.forEach(
                  (id, counters) -> counters.join().ifPresent(known -> read.put(id, known)));
              return read;
            });
  }

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
                counted.drops(),
                counted.wires(),
                counted.hops(),
                counted.subscribers()));
    all.addAll(usage.get());
    requests.get().forEach(all::add);
    process.get().forEach(all::add);
    StreamingOutput text = out -> writer.write(out, new MetricSnapshots(all));
    return Response.ok(text, writer.getContentType()).build();
  }
}
