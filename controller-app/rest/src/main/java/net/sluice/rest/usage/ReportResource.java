package net.sluice.rest.usage;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.container.AsyncResponse;
import javax.ws.rs.container.Suspended;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.Link;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Request;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.StreamingOutput;
import javax.ws.rs.core.UriInfo;
import javax.ws.rs.core.Variant;
import net.sluice.core.Controller;
import net.sluice.core.Page;
import net.sluice.core.Selection;
import net.sluice.intents.model.Kind;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.northbound.Northbound;
import net.sluice.northbound.explain.SlaReports;
import net.sluice.northbound.usage.Usage;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.problem.ProblemDetail;
import net.sluice.rest.request.AnswerThreads;
import net.sluice.rest.request.Query;

/** Reports of what subscribers got of what they were entitled to, below their paths. */
public abstract class ReportResource {
  private static final String CSV = "text/csv";
  private static final String FORMAT = "format";
  private static final Duration BY_DEFAULT = Duration.ofDays(1);
  private static final List<Variant> VARIANTS =
      Variant.mediaTypes(MediaType.APPLICATION_JSON_TYPE, MediaType.valueOf(CSV)).build();

  private final Controller controller;
  private final Supplier<Northbound> northbound;

  private ReportResource(Controller controller, Supplier<Northbound> northbound) {
    this.controller = controller;
    this.northbound = northbound;
  }

  /** The resources. */
  public static Set<Object> all(Controller controller, Supplier<Northbound> northbound) {
    return Set.of(new OfSubscriber(controller, northbound), new OfAll(controller, northbound));
  }

  final Controller controller() {
    return controller;
  }

  final Usage usage() {
    return northbound.get().usage();
  }

  final SlaReports reports(List<String> ids, Usage.Window window) {
    return SlaReports.of(usage(), ids, window.from(), window.to());
  }

  /** Whether the answer is to be CSV: as the query says, or else as its header does. */
  static boolean isCsv(Query query, Request request) {
    Optional<Boolean> asked =
        query.parsed(
            FORMAT,
            "json or csv",
            text -> Optional.of(text.equals("csv")).filter(csv -> csv || text.equals("json")));
    Variant variant = request.selectVariant(VARIANTS);
    return asked.orElse(variant != null && variant.getMediaType().toString().equals(CSV));
  }

  static Response.ResponseBuilder csv(SlaReports reports) {
    StreamingOutput lines = out -> ReportWriter.csv(out, reports);
    return Response.ok(lines, CSV + ";charset=utf-8");
  }

  /** {@code subscribers/{id}/report}. */
  @Path("subscribers/{id}/report")
  @Produces({MediaType.APPLICATION_JSON, CSV, ProblemDetail.JSON})
  public static final class OfSubscriber extends ReportResource {
    /** A resource of the subscribers of {@code controller}. */
    public OfSubscriber(Controller controller, Supplier<Northbound> northbound) {
      super(controller, northbound);
    }

    /** Answers with the report of a subscriber. */
    @GET
    public void get(
        @PathParam("id") String id,
        @Context UriInfo uri,
        @Context Request request,
        @Suspended AsyncResponse response)
        throws Refusal {
      Query query = new Query(uri, UsageQuery.FROM, UsageQuery.TO, FORMAT);
      boolean isCsv = isCsv(query, request);
      Usage.Window window = UsageQuery.window(query, usage(), BY_DEFAULT);
      if (controller().find(Kind.SUBSCRIBER, id).isEmpty()) {
        throw new Refusal(List.of(Problem.notFound(Kind.SUBSCRIBER, id)));
      }
      AnswerThreads.read(
          response,
          () -> {
            SlaReports reports = reports(List.of(id), window);
            return isCsv
                ? csv(reports).build()
                : new JsonAnswer(json -> ReportWriter.one(json, reports)).ok();
          });
    }
  }

  /** {@code report}. */
  @Path("report")
  @Produces({MediaType.APPLICATION_JSON, CSV, ProblemDetail.JSON})
  public static final class OfAll extends ReportResource {
    /** A resource of the subscribers of {@code controller}. */
    public OfAll(Controller controller, Supplier<Northbound> northbound) {
      super(controller, northbound);
    }

    /** Answers with the reports of those whose ids follow. */
    @GET
    public void get(
        @Context UriInfo uri, @Context Request request, @Suspended AsyncResponse response)
        throws Refusal {
      Query query =
          new Query(
              uri, UsageQuery.FROM, UsageQuery.TO, FORMAT, CounterResource.AFTER, Query.LIMIT);
      boolean isCsv = isCsv(query, request);
      String after = CounterResource.after(query);
      int limit = query.limit();
      Usage.Window window = UsageQuery.window(query, usage(), BY_DEFAULT);
      AnswerThreads.read(
          response,
          () -> {
            Page page = controller().list(Kind.SUBSCRIBER, Selection.ALL, after, limit);
            List<String> ids = page.items().stream().map(each -> each.declared().id()).toList();
            SlaReports reports = reports(ids, window);
            Response.ResponseBuilder answer =
                isCsv
                    ? csv(reports)
                    : Response.ok(
                        new JsonAnswer(json -> ReportWriter.all(json, reports, page.next())),
                        MediaType.APPLICATION_JSON_TYPE);
            page.next().ifPresent(next -> answer.links(next(uri, next)));
            return answer.build();
          });
    }

    private static Link next(UriInfo uri, String after) {
      URI next = uri.getRequestUriBuilder().replaceQueryParam(CounterResource.AFTER, after).build();
      // Relative: the client keeps the name by which it reaches this host.
      return Link.fromUri("?" + next.getRawQuery()).rel("next").build();
    }
  }
}
