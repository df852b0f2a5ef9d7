package net.sluice.rest.switches;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.container.AsyncResponse;
import javax.ws.rs.container.Suspended;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.UriInfo;
import net.sluice.core.Controller;
import net.sluice.core.ControllerException;
import net.sluice.core.traffic.SwitchReadings;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.answer.QueueWriter;
import net.sluice.rest.request.AnswerThreads;
import net.sluice.rest.request.Query;

/** {@code queues}: the class queues whose delay is managed, and what became of their packets. */
@Path("queues")
@Produces(MediaType.APPLICATION_JSON)
public final class QueueResource {
  private final Controller controller;

  /** A resource of the switch of {@code controller}. */
  public QueueResource(Controller controller) {
    this.controller = controller;
  }

  /**
   * The queues now, with counters read from the switches; no thread waits for them. A switch that
   * cannot be read keeps nothing of the others from being told.
   */
  @GET
  public void get(@Context UriInfo uri, @Suspended AsyncResponse response) throws Refusal {
    new Query(uri).refuseIfUnsound();
    answer(controller.queues(), response, QueueWriter::write);
  }

  /** Writes readings. */
  @FunctionalInterface
  interface Writer<T> {
    void write(JsonGenerator json, SwitchReadings<T> readings) throws IOException;
  }

  /** Answers with readings, or with 503 if no switch can be read. */
  static <T> void answer(
      CompletableFuture<SwitchReadings<T>> readings, AsyncResponse response, Writer<T> writer) {
    AnswerThreads.whenDone(
        readings,
        response,
        report -> {
          if (report.read().isEmpty() && !report.unread().isEmpty()) {
            throw new ControllerException(
                report.unread().entrySet().stream()
                    .map(each -> each.getKey() + ": " + each.getValue())
                    .collect(Collectors.joining("; ")));
          }
          return new JsonAnswer(json -> writer.write(json, report)).ok();
        });
  }
}
