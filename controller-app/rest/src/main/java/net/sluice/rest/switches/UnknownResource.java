package net.sluice.rest.switches;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.container.AsyncResponse;
import javax.ws.rs.container.Suspended;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.UriInfo;
import net.sluice.core.Controller;
import net.sluice.core.traffic.SwitchReadings;
import net.sluice.core.traffic.UnknownStatus;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Ids;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.answer.UnknownWriter;
import net.sluice.rest.request.AnswerThreads;
import net.sluice.rest.request.Query;

/** {@code unknown}: traffic of addresses that no subscriber has, by port. */
@Path("unknown")
@Produces(MediaType.APPLICATION_JSON)
public final class UnknownResource {
  private static final String SWITCH = "switch";
  private static final String PORT = "port";

  private final Controller controller;

  /** A resource of the switches of {@code controller}. */
  public UnknownResource(Controller controller) {
    this.controller = controller;
  }

  /**
   * The ports at which such packets entered lately, with the addresses that had most of them. A
   * switch whose program tells none is not to be asked again: it is no error.
   */
  @GET
  public void get(@Context UriInfo uri, @Suspended AsyncResponse response) throws Refusal {
    Query query = new Query(uri, SWITCH, PORT, Query.LIMIT);
    Optional<String> name =
        query.parsed(
            SWITCH, "an id: " + Ids.ALLOWED, text -> Optional.of(text).filter(Ids::isValid));
    OptionalInt port = query.optional(PORT, 0, Topology.MAX_PORT);
    int limit = query.limit();
    query.refuseIfUnsound();
    AnswerThreads.whenDone(
        controller.unknown(),
        response,
        all ->
            new JsonAnswer(json -> UnknownWriter.write(json, among(all, name, port), limit)).ok());
  }

  /** Of a network of one switch that has no name, any name is of none. */
  private static SwitchReadings<UnknownStatus> among(
      SwitchReadings<UnknownStatus> all, Optional<String> name, OptionalInt port) {
    List<UnknownStatus> read =
        all.read().stream()
            .filter(each -> name.isEmpty() || name.equals(each.switchName()))
            .filter(each -> port.isEmpty() || port.getAsInt() == each.port())
            .toList();
    Map<String, String> unread = new LinkedHashMap<>(all.unread());
    unread.keySet().removeIf(each -> name.isPresent() && !name.get().equals(each));
    return new SwitchReadings<>(read, unread);
  }
}
