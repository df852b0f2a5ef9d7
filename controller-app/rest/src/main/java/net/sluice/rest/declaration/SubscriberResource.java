package net.sluice.rest.declaration;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import javax.ws.rs.Consumes;
import javax.ws.rs.GET;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.container.AsyncResponse;
import javax.ws.rs.container.Suspended;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.UriInfo;
import net.sluice.core.Controller;
import net.sluice.core.Declared;
import net.sluice.core.Outcome;
import net.sluice.core.UnavailableException;
import net.sluice.core.declaration.Rfc3339;
import net.sluice.core.traffic.SubscriberCounters;
import net.sluice.intents.model.Gate;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.Tariff;
import net.sluice.intents.model.TariffUse;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Precondition;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.northbound.Northbound;
import net.sluice.northbound.caller.Role;
import net.sluice.northbound.explain.Chain;
import net.sluice.northbound.explain.Explanation;
import net.sluice.rest.answer.AnswerWriter;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.answer.WhyWriter;
import net.sluice.rest.condition.RequestCondition;
import net.sluice.rest.form.DeclarationForm;
import net.sluice.rest.guard.InForce;
import net.sluice.rest.guard.Needs;
import net.sluice.rest.operation.Operations;
import net.sluice.rest.request.AnswerThreads;
import net.sluice.rest.request.Query;
import net.sluice.rest.request.RequestBody;

/** {@code subscribers}, {@code subscribers/{id}} and what a subscriber has below that. */
@Path("subscribers")
public final class SubscriberResource extends DeclarationResource {
  /** The action by which a gate is closed or opened. */
  public static final String GATE = "gate";

  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  private static final String AT = "at";
  private static final String AT_FORM = "a time of RFC 3339 as 2026-12-01T20:00:00Z";

  private final Controller controller;
  private final Supplier<Northbound> northbound;

  /** A resource of what {@code controller} holds, perhaps changed only under conditions. */
  public SubscriberResource(
      Controller controller,
      BooleanSupplier needsConditions,
      Supplier<Operations> operations,
      Supplier<Northbound> northbound) {
    super(controller, Kind.SUBSCRIBER, needsConditions, operations);
    this.controller = controller;
    this.northbound = northbound;
  }

  /**
   * The switch's counters of a subscriber: traffic offered and traffic passed on. No thread waits
   * for the switch.
   */
  @GET
  @Path("{id}/counters")
  public void counters(
      @PathParam("id") String id, @Context UriInfo uri, @Suspended AsyncResponse response)
      throws Refusal {
    new Query(uri).refuseIfUnsound();
    AnswerThreads.whenDone(
        controller.counters(id),
        response,
        read -> {
          SubscriberCounters counters = read.orElseThrow(() -> notFound(id));
          return new JsonAnswer(json -> AnswerWriter.write(json, id, counters)).ok();
        });
  }

  /** Tells what limits a subscriber, now or at a moment in the past. */
  @GET
  @Path("{id}/explain")
  public void explain(
      @PathParam("id") String id, @Context UriInfo uri, @Suspended AsyncResponse response)
      throws Refusal {
    Query query = new Query(uri, AT);
    Optional<Instant> at = query.parsed(AT, AT_FORM, Rfc3339::parse);
    query.refuseIfUnsound();
    AnswerThreads.read(
        response,
        () -> {
          Explanation explanation =
              northbound.get().explanations().explain(id, at).orElseThrow(() -> notFound(id));
          return new JsonAnswer(json -> WhyWriter.write(json, explanation)).ok();
        });
  }

  /** The places that a subscriber's packets pass, with the rates, limits and drops of each. */
  @GET
  @Path("{id}/chain")
  public void chain(
      @PathParam("id") String id, @Context UriInfo uri, @Suspended AsyncResponse response)
      throws Refusal {
    new Query(uri).refuseIfUnsound();
    AnswerThreads.read(
        response,
        () -> {
          Chain chain = northbound.get().explanations().chain(id).orElseThrow(() -> notFound(id));
          return new JsonAnswer(json -> WhyWriter.write(json, chain)).ok();
        });
  }

  /**
   * Closes or opens the gate of a subscriber's own rate limit, as for a handover; answers with that
   * limit, as a PUT of it does.
   */
  @POST
  @Needs(Role.OPERATE)
  @Path("{id}/" + GATE)
  @Consumes(MediaType.APPLICATION_JSON)
  public void gate(
      @PathParam("id") String id,
      @Context UriInfo uri,
      InputStream body,
      @Suspended AsyncResponse response)
      throws Refusal {
    Query query = new Query(uri, Query.WAIT_MILLIS);
    long waitMillis = query.waitMillis(Query.DEFAULT_WAIT_MILLIS);
    query.refuseIfUnsound();
    Gate gate = DeclarationForm.readGate(RequestBody.bytes(body));
    AnswerThreads.change(response, () -> set(gate, id, waitMillis, response));
  }

  /** A gate is a field of the subscriber's own limit, so that is what such a request changes. */
  @Override
  public void writeInForce(JsonGenerator json, String id, String action) throws IOException {
    if (action.equals(GATE)) {
      InForce.writeLimitOf(json, controller, id);
    } else {
      writeInForce(json, id);
    }
  }

  /** Changes the gate alone, whatever else of the limit is changed meanwhile. */
  private void set(Gate gate, String id, long waitMillis, AsyncResponse response) throws Refusal {
    for (int tries = 0; tries < RequestCondition.MOST_TRIES; tries++) {
      RateLimit limit = ownLimit(id).orElseThrow(() -> withoutGate(id));
      Outcome outcome = controller.apply(with(gate, limit, id));
      if (!isOvertaken(outcome)) {
        answerWhenInstalled(accepted(outcome), new Change.Put(limit), waitMillis, response);
        return;
      }
    }
    throw new UnavailableException(
        "the gate of subscriber %s is not %s: others changed its rate limit %d times meanwhile"
            .formatted(id, gate.text(), RequestCondition.MOST_TRIES),
        RETRY_AFTER);
  }

  /** Of a limit that its tariff makes, it is the subscriber that overrides the gate. */
  private Change.Put with(Gate gate, RateLimit limit, String id) throws Refusal {
    if (Tariff.subscriberOf(limit.id()).isEmpty()) {
      return new Change.Put(
          limit.withGate(gate),
          Optional.empty(),
          new Precondition.InForce(limit, Optional.empty()));
    }
    Declared found = controller.find(Kind.SUBSCRIBER, id).orElseThrow(() -> notFound(id));
    Subscriber subscriber = (Subscriber) found.declared();
    Optional<TariffUse> use =
        subscriber.parts().tariff().map(of -> of.withOverrides(of.overrides().withGate(gate)));
    return new Change.Put(
        subscriber.asDeclared().withParts(subscriber.asDeclared().parts().withTariff(use)),
        found.switchName(),
        RequestCondition.asFound(Optional.of(found)));
  }

  /** Where the subscriber is: on its way to another switch it has one at both. */
  private Optional<RateLimit> ownLimit(String id) throws Refusal {
    Declared subscriber = controller.find(Kind.SUBSCRIBER, id).orElseThrow(() -> notFound(id));
    return controller
        .rateLimitOf(new Scope.OfSubscriber(id), subscriber.switchName())
        .map(declared -> (RateLimit) declared.declared());
  }

  private static Refusal withoutGate(String id) {
    return new Refusal(
        List.of(
            new Problem(
                Problem.Code.CONFLICT,
                "subscriber",
                id,
                "a subscriber with a rate limit of its own",
                "Subscriber "
                    + id
                    + " has no rate limit of its own, which a gate belongs to, whatever limits its"
                    + " tree or port has; declare one.")));
  }
}
