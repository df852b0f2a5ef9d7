package net.sluice.rest.usage;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.container.AsyncResponse;
import javax.ws.rs.container.Suspended;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.UriInfo;
import net.sluice.core.Controller;
import net.sluice.core.Declared;
import net.sluice.core.Page;
import net.sluice.core.Selection;
import net.sluice.core.traffic.SubscriberCounters;
import net.sluice.intents.model.Kind;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Ids;
import net.sluice.rest.answer.AnswerWriter;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.request.AnswerThreads;
import net.sluice.rest.request.Query;

/** {@code counters}: the counters of all subscribers by id, a page at a time. */
@Path("counters")
@Produces(MediaType.APPLICATION_JSON)
public final class CounterResource {
  static final String AFTER = "after";

  private final Controller controller;

  /** A resource of the subscribers of {@code controller}. */
  public CounterResource(Controller controller) {
    this.controller = controller;
  }

  /** The id after which to begin. */
  static String after(Query query) {
    return query
        .parsed(
            AFTER,
            "the id of a subscriber, which need not be there any more",
            text -> Optional.of(text).filter(Ids::isValid))
        .orElse("");
  }

  /** Those whose ids follow, read from their switches; of one that cannot be read nothing. */
  @GET
  public void get(@Context UriInfo uri, @Suspended AsyncResponse response) throws Refusal {
    Query query = new Query(uri, AFTER, Query.LIMIT);
    String after = after(query);
    int limit = query.limit();
    query.refuseIfUnsound();
    Page page = controller.list(Kind.SUBSCRIBER, Selection.ALL, after, limit);
    Map<String, CompletableFuture<Optional<SubscriberCounters>>> asked = new LinkedHashMap<>();
    for (Declared each : page.items()) {
      String id = each.declared().id();
      asked.put(id, controller.counters(id));
    }
    AnswerThreads.whenDone(
        CompletableFuture.allOf(asked.values().toArray(new CompletableFuture<?>[0]))
            .handle((done, failure) -> List.copyOf(asked.keySet())),
        response,
        ids ->
            new JsonAnswer(
                    json -> {
                      json.writeStartObject();
                      List<String> unread = new ArrayList<>();
                      json.writeArrayFieldStart("items");
                      for (String id : ids) {
                        CompletableFuture<Optional<SubscriberCounters>> read = asked.get(id);
                        if (read.isCompletedExceptionally()) {
                          unread.add(id);
                        } else if (read.join().isPresent()) {
                          AnswerWriter.write(json, id, read.join().get());
                        }
                      }
                      json.writeEndArray();
                      if (!unread.isEmpty()) {
                        json.writeArrayFieldStart("unread");
                        for (String id : unread) {
                          json.writeString(id);
                        }
                        json.writeEndArray();
                      }
                      if (page.next().isPresent()) {
                        json.writeStringField("next", page.next().get());
                      }
                      json.writeEndObject();
                    })
                .ok());
  }
}
