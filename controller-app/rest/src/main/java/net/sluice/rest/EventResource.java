package net.sluice.rest;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.ws.rs.GET;
import javax.ws.rs.HeaderParam;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.HttpHeaders;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.UriInfo;
import net.sluice.intents.validate.Refusal;
import net.sluice.northbound.Northbound;
import net.sluice.northbound.events.ControllerEvents;
import net.sluice.northbound.events.Endless;
import net.sluice.northbound.events.EventFilter;
import net.sluice.rest.guard.GuardFilter;
import net.sluice.rest.problem.ProblemDetail;
import net.sluice.rest.problem.ProblemType;
import net.sluice.rest.request.Query;

/** {@code events}: what happens, as server-sent events (WHATWG HTML section 9.2). */
@Path("events")
public final class EventResource {
  private static final String TYPE = "type";
  private static final String SUBJECT = "subject";
  private static final String LAST = "last";
  private static final int MOST_LAST = 1000;
  private static final int RETRY_MILLIS = 2000;

  private final Supplier<Northbound> northbound;

  /** A resource of the events. */
  public EventResource(Supplier<Northbound> northbound) {
    this.northbound = northbound;
  }

  /** The events from now on, some before them, or those after the one that the client saw last. */
  @GET
  @Produces({MediaType.SERVER_SENT_EVENTS, ProblemDetail.JSON})
  public Response follow(
      @Context UriInfo uri,
      @Context ContainerRequestContext context,
      @HeaderParam(HttpHeaders.LAST_EVENT_ID_HEADER) String seen)
      throws Refusal {
    Query query = new Query(uri, TYPE, SUBJECT, LAST);
    String types = query.text(TYPE);
    String subject = query.text(SUBJECT);
    int last = (int) query.number(LAST, 0, 0, MOST_LAST);
    query.refuseIfUnsound();
    ControllerEvents all = northbound.get().events();
    Optional<Endless> events =
        all.stream(
            seen == null && last > 0
                ? Optional.of(all.beforeNewest(last).toString())
                : Optional.ofNullable(seen),
            new EventFilter(
                types == null ? List.of() : List.of(types.split(",", -1)),
                subject == null ? "" : subject),
            GuardFilter.standing(context));
    if (events.isEmpty()) {
      return ProblemDetail.of(
              ProblemType.UNAVAILABLE, "As many clients follow the events as may at a time.")
          .builder()
          .header(HttpHeaders.RETRY_AFTER, RETRY_MILLIS / 1000)
          .build();
    }
    context.setProperty(Endless.ATTRIBUTE, events.get());
    return Response.ok("retry: " + RETRY_MILLIS + "\n\n", MediaType.SERVER_SENT_EVENTS)
        .header(HttpHeaders.CACHE_CONTROL, "no-store")
        .build();
  }
}
