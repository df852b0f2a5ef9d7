package net.sluice.rest;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.UriInfo;
import net.sluice.core.ChangeNeeds;
import net.sluice.core.Controller;
import net.sluice.core.InstallSummary;
import net.sluice.core.SwitchStatus;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.answer.AnswerWriter;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.request.Query;

/** {@code status}: how far each target has got, and how full each switch is. */
@Path("status")
@Produces(MediaType.APPLICATION_JSON)
public final class StatusResource {
  private final Controller controller;
  private final Supplier<List<String>> notes;

  /** A resource of what {@code controller} holds, with what its host has to say beside it. */
  public StatusResource(Controller controller, Supplier<List<String>> notes) {
    this.controller = controller;
    this.notes = notes;
  }

  /** The status now. */
  @GET
  public Response get(@Context UriInfo uri) throws Refusal {
    new Query(uri).refuseIfUnsound();
    InstallSummary summary = controller.summary();
    List<ChangeNeeds.Lack> lacks = controller.needs().lacks();
    List<SwitchStatus> switches = controller.switches();
    List<String> said = Stream.concat(notes.get().stream(), controller.notes().stream()).toList();
    return new JsonAnswer(json -> AnswerWriter.write(json, summary, lacks, switches, said)).ok();
  }
}
