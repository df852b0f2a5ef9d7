package net.sluice.rest;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.UriInfo;
import net.sluice.core.Controller;
import net.sluice.core.Declared;
import net.sluice.core.Kind;
import net.sluice.core.Outcome;
import net.sluice.core.Page;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.plan.Change;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.answer.AnswerWriter;
import net.sluice.rest.answer.AnswerWriter.LimitInForce;
import net.sluice.rest.answer.JsonAnswer;

/** What policies, subscribers and rate limits have in common as resources. */
final class Declarations {
  static final long DEFAULT_WAIT_MILLIS = 1000;
  static final long MAX_WAIT_MILLIS = 60_000;
  static final int DEFAULT_LIMIT = 100;
  static final long MAX_OFFSET = 999_999_999_999_999_999L;

  private final Controller controller;

  Declarations(Controller controller) {
    this.controller = controller;
  }

  /** Reads a declaration; the query is checked before the body is looked at. */
  @FunctionalInterface
  interface Body {
    Change read() throws Refusal;
  }

  /** One page of a list. */
  @FunctionalInterface
  interface Lister {
    Page<?> list(long offset, int limit);
  }

  Response put(Kind kind, UriInfo uri, Body body) throws Refusal {
    Query query = new Query(uri, Query.DRY_RUN, Query.WAIT_MILLIS);
    boolean dryRun = query.flag(Query.DRY_RUN);
    long waitMillis = query.number(Query.WAIT_MILLIS, DEFAULT_WAIT_MILLIS, 0, MAX_WAIT_MILLIS);
    query.refuseIfUnsound();
    Change change = body.read();
    if (dryRun) {
      Outcome.Accepted accepted = accepted(controller.dryRun(change));
      return ok(new JsonAnswer(json -> AnswerWriter.writeDryRun(json, accepted, true)));
    }
    boolean replaces = find(kind, change.id()).isPresent();
    Outcome.Accepted accepted = accepted(controller.apply(change));
    await(kind, change.id(), waitMillis);
    Declared<?> now = find(kind, change.id()).orElseGet(() -> declared(accepted));
    // The plan also tells what happens to others, which the declaration's own notes do not.
    Set<String> notes = new LinkedHashSet<>(accepted.plan().notes());
    notes.addAll(now.notes());
    List<LimitInForce> limits = limits(now);
    return Response.status(replaces ? Response.Status.OK : Response.Status.CREATED)
        .type(MediaType.APPLICATION_JSON_TYPE)
        .entity(new JsonAnswer(json -> AnswerWriter.write(json, now, notes, limits)))
        .build();
  }

  Response delete(UriInfo uri, Change change) throws Refusal {
    Query query = new Query(uri, Query.DRY_RUN);
    boolean dryRun = query.flag(Query.DRY_RUN);
    query.refuseIfUnsound();
    if (dryRun) {
      Outcome.Accepted accepted = accepted(controller.dryRun(change));
      return ok(new JsonAnswer(json -> AnswerWriter.writeDryRun(json, accepted, false)));
    }
    accepted(controller.apply(change));
    return Response.noContent().build();
  }

  Response get(Kind kind, UriInfo uri, String id) throws Refusal {
    new Query(uri).refuseIfUnsound();
    Declared<?> found = find(kind, id).orElseThrow(() -> notFound(kind, id));
    List<LimitInForce> limits = limits(found);
    return ok(new JsonAnswer(json -> AnswerWriter.write(json, found, found.notes(), limits)));
  }

  Response list(UriInfo uri, Lister lister) throws Refusal {
    Query query = new Query(uri, Query.LIMIT, Query.OFFSET);
    int limit = (int) query.number(Query.LIMIT, DEFAULT_LIMIT, 1, Page.MAX_LIMIT);
    long offset = query.number(Query.OFFSET, 0, 0, MAX_OFFSET);
    query.refuseIfUnsound();
    Page<?> page = lister.list(offset, limit);
    return ok(new JsonAnswer(json -> AnswerWriter.write(json, page)));
  }

  static Response ok(JsonAnswer answer) {
    return Response.ok(answer, MediaType.APPLICATION_JSON_TYPE).build();
  }

  static Refusal notFound(Kind kind, String id) {
    String words = kind.text().replace('-', ' ');
    return new Refusal(
        List.of(
            new Problem(
                Problem.Code.NOT_FOUND,
                kind == Kind.RATE_LIMIT ? "rateLimit" : kind.text(),
                id,
                "the id of an existing " + words,
                "There is no " + words + " " + id + ".")));
  }

  private Optional<Declared<?>> find(Kind kind, String id) {
    switch (kind) {
      case POLICY:
        return controller.policy(id).map(found -> found);
      case SUBSCRIBER:
        return controller.subscriber(id).map(found -> found);
      case RATE_LIMIT:
        return controller.rateLimit(id).map(found -> found);
    }
    throw new IllegalArgumentException("unknown kind " + kind);
  }

  /** The limits a subscriber is under, from its own outwards; none for anything else. */
  private List<LimitInForce> limits(Declared<?> declared) {
    if (!(declared.declared() instanceof Subscriber subscriber)) {
      return List.of();
    }
    int port = subscriber.attachment().port();
    int tree = subscriber.attachment().tree();
    List<LimitInForce> limits = new ArrayList<>();
    add(limits, "subscriber", new Scope.OfSubscriber(subscriber.id()));
    add(limits, "tree", new Scope.OfTree(port, tree));
    add(limits, "port", new Scope.OfPort(port));
    return limits;
  }

  private void add(List<LimitInForce> limits, String level, Scope scope) {
    Optional<Declared<RateLimit>> limit = controller.rateLimitOf(scope);
    limit.ifPresent(inForce -> limits.add(new LimitInForce(level, inForce)));
  }

  private static Outcome.Accepted accepted(Outcome outcome) throws Refusal {
    if (outcome instanceof Outcome.Refused refused) {
      throw new Refusal(refused.problems());
    }
    return (Outcome.Accepted) outcome;
  }

  /** What was accepted, for the case that it is already deleted again. */
  private static Declared<?> declared(Outcome.Accepted accepted) {
    Change change = accepted.change();
    Object declaration;
    if (change instanceof Change.PutPolicy put) {
      declaration = put.policy();
    } else if (change instanceof Change.PutSubscriber put) {
      declaration = put.subscriber();
    } else {
      declaration = ((Change.PutRateLimit) change).rateLimit();
    }
    return new Declared<>(
        change.id(),
        declaration,
        accepted.plan().grants(),
        accepted.plan().notes(),
        accepted.targets());
  }

  private void await(Kind kind, String id, long waitMillis) {
    if (waitMillis == 0) {
      return;
    }
    try {
      boolean unused = controller.awaitInstalled(kind, id, Duration.ofMillis(waitMillis));
    } catch (InterruptedException e) {
      // The server is shutting down. The change is durable; the answer tells how far it got.
      Thread.currentThread().interrupt();
    }
  }
}
