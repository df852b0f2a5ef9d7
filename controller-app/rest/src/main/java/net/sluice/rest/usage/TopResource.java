package net.sluice.rest.usage;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.container.AsyncResponse;
import javax.ws.rs.container.Suspended;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.UriInfo;
import net.sluice.core.Page;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;
import net.sluice.northbound.Northbound;
import net.sluice.northbound.usage.Usage;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.request.AnswerThreads;
import net.sluice.rest.request.Query;

/** {@code top}: the subscribers that have most of something. */
@Path("top")
@Produces(MediaType.APPLICATION_JSON)
public final class TopResource {
  private static final String BY = "by";
  private static final String DIRECTION = "direction";
  private static final int SOME = 20;

  private final Supplier<Northbound> northbound;

  /** A resource of what is measured. */
  public TopResource(Supplier<Northbound> northbound) {
    this.northbound = northbound;
  }

  /** By the last sweep. */
  @GET
  public void get(@Context UriInfo uri, @Suspended AsyncResponse response) throws Refusal {
    Query query = new Query(uri, BY, DIRECTION, Query.LIMIT);
    Usage.Order by =
        query
            .parsed(
                BY,
                "rate, drops or delay",
                text ->
                    Arrays.stream(Usage.Order.values())
                        .filter(each -> text(each).equals(text))
                        .findAny())
            .orElse(Usage.Order.RATE);
    Direction direction =
        query.parsed(DIRECTION, "down or up", TopResource::direction).orElse(Direction.DOWN);
    int limit = (int) query.number(Query.LIMIT, SOME, 1, Page.MAX_LIMIT);
    query.refuseIfUnsound();
    Usage usage = northbound.get().usage();
    UsageQuery.requireMeasured(usage);
    AnswerThreads.read(
        response,
        () -> {
          Usage.Top top = usage.top(by, direction, limit);
          return new JsonAnswer(json -> UsageWriter.write(json, text(by), direction, top)).ok();
        });
  }

  private static String text(Usage.Order by) {
    return by.name().toLowerCase(Locale.ROOT);
  }

  private static Optional<Direction> direction(String text) {
    return Arrays.stream(Direction.values()).filter(each -> each.text().equals(text)).findAny();
  }
}
