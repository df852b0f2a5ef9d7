package net.sluice.rest;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import javax.ws.rs.Consumes;
import javax.ws.rs.DELETE;
import javax.ws.rs.GET;
import javax.ws.rs.HttpMethod;
import javax.ws.rs.PATCH;
import javax.ws.rs.PUT;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.container.AsyncResponse;
import javax.ws.rs.container.Suspended;
import javax.ws.rs.core.CacheControl;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.HttpHeaders;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.UriInfo;
import net.sluice.core.Controller;
import net.sluice.core.Declared;
import net.sluice.core.Outcome;
import net.sluice.core.Page;
import net.sluice.core.TargetStatus;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Precondition;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.northbound.caller.Role;
import net.sluice.northbound.json.JsonContent;
import net.sluice.rest.answer.AnswerWriter;
import net.sluice.rest.answer.AnswerWriter.LimitInForce;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.condition.RequestCondition;
import net.sluice.rest.condition.Tags;
import net.sluice.rest.form.DeclarationForm;
import net.sluice.rest.guard.Audited;
import net.sluice.rest.guard.InForce;
import net.sluice.rest.guard.Needs;
import net.sluice.rest.json.JsonTree;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.json.MergePatch;
import net.sluice.rest.operation.EndingResponse;
import net.sluice.rest.operation.Operations;

/** The list of declarations of one kind, and each of them; subclasses say which kind and where. */
@Produces(MediaType.APPLICATION_JSON)
public abstract class DeclarationResource implements Audited {
  static final long DEFAULT_WAIT_MILLIS = 1000;
  static final long MAX_WAIT_MILLIS = 60_000;

  /** So often a change is made anew because another one came before it. */
  static final int MOST_TRIES = 100;

  /** A tag does not tell how targets are, so that no cache may answer for its sake. */
  static final CacheControl NOT_STORED = new CacheControl();

  static {
    NOT_STORED.setNoStore(true);
    NOT_STORED.setNoTransform(false);
  }

  private final Controller controller;
  private final Kind kind;
  private final BooleanSupplier needsConditions;
  private final Supplier<Operations> operations;

  /** A resource of what {@code controller} holds of a kind, see {@link SluiceApplication}. */
  DeclarationResource(
      Controller controller,
      Kind kind,
      BooleanSupplier needsConditions,
      Supplier<Operations> operations) {
    this.controller = controller;
    this.kind = kind;
    this.needsConditions = needsConditions;
    this.operations = operations;
  }

  @Override
  public final void writeInForce(JsonGenerator json, String id) throws IOException {
    InForce.write(json, controller, kind, id);
  }

  /** Lists declarations by identifier. */
  @GET
  public void list(@Context UriInfo uri, @Suspended AsyncResponse response) throws Refusal {
    ListQuery query = ListQuery.of(uri, kind);
    AnswerThreads.read(
        response,
        () -> {
          Page page = controller.list(kind, query.which(), query.afterId(), query.limit());
          Optional<String> next = page.next().map(id -> Cursor.text(kind, query.filters(), id));
          return ok(
              new JsonAnswer(
                  json ->
                      AnswerWriter.write(
                          json,
                          page,
                          next,
                          item ->
                              ItemFields.only(
                                  query.fields(), out -> AnswerWriter.write(out, item)))));
        });
  }

  /** A declaration in force, or what is left of one that was deleted. */
  @GET
  @Path("{id}")
  public Response get(
      @PathParam("id") String id, @Context UriInfo uri, @Context HttpHeaders headers)
      throws Refusal {
    Query query = new Query(uri, ListQuery.FIELDS);
    Set<String> fields = ItemFields.of(query);
    query.refuseIfUnsound();
    RequestCondition condition = RequestCondition.of(headers);
    Optional<Declared> inForce = controller.find(kind, id);
    if (inForce.isEmpty()) {
      List<TargetStatus> remaining = controller.remaining(kind, id);
      if (remaining.isEmpty()) {
        throw notFound(id);
      }
      return ok(new JsonAnswer(json -> AnswerWriter.writeDeleting(json, id, remaining)));
    }
    Declared found = inForce.get();
    String tag = Tags.tag(found);
    if (condition.isUnmodified(kind.words() + " " + id, tag)) {
      return Response.notModified().tag(tag).cacheControl(NOT_STORED).build();
    }
    List<LimitInForce> limits = limits(found);
    return Response.ok(
            new JsonAnswer(
                ItemFields.only(
                    fields, json -> AnswerWriter.write(json, found, found.notes(), limits))),
            MediaType.APPLICATION_JSON_TYPE)
        .tag(tag)
        .cacheControl(NOT_STORED)
        .build();
  }

  /**
   * Creates or replaces a declaration. The query is checked before the body is looked at. Only a
   * few of the server's threads wait for a change, and none at all for the install.
   */
  @PUT
  @Needs(Role.OPERATE)
  @Path("{id}")
  @Consumes(MediaType.APPLICATION_JSON)
  public void put(
      @PathParam("id") String id,
      @Context UriInfo uri,
      @Context HttpHeaders headers,
      InputStream body,
      @Suspended AsyncResponse response)
      throws Refusal {
    Query query = new Query(uri, Query.DRY_RUN, Query.WAIT_MILLIS);
    boolean dryRun = query.flag(Query.DRY_RUN);
    long waitMillis = waitMillis(query, headers);
    query.refuseIfUnsound();
    RequestCondition condition = condition(headers, id, dryRun);
    Change.Put put = DeclarationForm.read(kind, id, RequestBody.bytes(body));
    if (dryRun) {
      when(condition, id, expected -> dryRun(put.under(expected), response));
      return;
    }
    change(
        HttpMethod.PUT,
        uri,
        headers,
        response,
        answer -> when(condition, id, expected -> apply(put.under(expected), waitMillis, answer)));
  }

  /**
   * Changes some fields of a declaration, whatever others do to it meanwhile: it is read and
   * changed again if it is not what was read any more.
   */
  @PATCH
  @Needs(Role.OPERATE)
  @Path("{id}")
  @Consumes(MergePatch.MEDIA_TYPE)
  public void patch(
      @PathParam("id") String id,
      @Context UriInfo uri,
      @Context HttpHeaders headers,
      InputStream body,
      @Suspended AsyncResponse response)
      throws Refusal {
    Query query = new Query(uri, Query.DRY_RUN, Query.WAIT_MILLIS);
    boolean dryRun = query.flag(Query.DRY_RUN);
    long waitMillis = waitMillis(query, headers);
    query.refuseIfUnsound();
    RequestCondition condition = condition(headers, id, dryRun);
    JsonValue patch = RequestBody.json(body);
    if (dryRun) {
      whenFound(
          condition,
          id,
          (expected, now) -> dryRun(patched(id, now, patch).under(expected), response));
      return;
    }
    change(
        HttpMethod.PATCH,
        uri,
        headers,
        response,
        answer ->
            whenFound(
                condition,
                id,
                (expected, now) ->
                    apply(patched(id, now, patch).under(expected), waitMillis, answer)));
  }

  /** A change that is answered. */
  private interface Answered {
    /**
     * Makes it and sees to the answer.
     *
     * @throws Refusal if it is refused
     */
    void change(AsyncResponse answer) throws Refusal;
  }

  /** Makes a change while the client waits, or after it has been told where it is told of it. */
  private void change(
      String method, UriInfo uri, HttpHeaders headers, AsyncResponse response, Answered making) {
    if (!Operations.isAsked(headers)) {
      AnswerThreads.change(response, () -> making.change(response));
      return;
    }
    Operations all = operations.get();
    response.resume(
        all.accept(
            method,
            uri,
            (operation, unused) -> {
              AsyncResponse ending = new EndingResponse(all.answers(operation));
              AnswerThreads.later(ending, () -> making.change(ending));
            }));
  }

  private void dryRun(Change.Put put, AsyncResponse response) throws Refusal {
    Outcome.Accepted accepted = accepted(controller.dryRun(put));
    response.resume(ok(new JsonAnswer(json -> AnswerWriter.writeDryRun(json, accepted))));
  }

  private Change.Put patched(String id, Optional<Declared> now, JsonValue patch) throws Refusal {
    Declared found = now.orElseThrow(() -> notFound(id));
    byte[] declared =
        JsonContent.bytes(
            json -> DeclarationForm.write(json, found.declared(), found.switchName()));
    return DeclarationForm.read(
        kind, id, MergePatch.apply(JsonTree.read(declared, 0, declared.length), patch));
  }

  /** A change under the precondition that it is given. */
  private interface Conditional {
    /**
     * Makes it.
     *
     * @throws Refusal if it is refused
     */
    void change(Precondition expected) throws Refusal;
  }

  /** A change of what was found, under the precondition that it still is that. */
  private interface OfFound {
    /**
     * Makes it.
     *
     * @throws Refusal if it is refused
     */
    void change(Precondition expected, Optional<Declared> found) throws Refusal;
  }

  /** The condition of a change; a dry run does without. */
  private RequestCondition condition(HttpHeaders headers, String id, boolean dryRun)
      throws Refusal {
    return dryRun
        ? RequestCondition.of(headers)
        : RequestCondition.ofChange(
            headers, needsConditions.getAsBoolean(), kind.words() + " " + id);
  }

  /** Has a change made if its condition holds then. */
  private void when(RequestCondition condition, String id, Conditional making) throws Refusal {
    if (condition.isNone()) {
      making.change(Precondition.NONE);
    } else {
      whenFound(condition, id, (expected, unused) -> making.change(expected));
    }
  }

  /**
   * Has a change made of what is found, which the condition holds for. If that is changed in
   * between, it is looked at again: each time somebody else's change has been made.
   */
  private void whenFound(RequestCondition condition, String id, OfFound making) throws Refusal {
    for (int tries = 1; ; tries++) {
      Optional<Declared> now = controller.find(kind, id);
      condition.require(kind.words() + " " + id, now.map(Tags::tag));
      try {
        making.change(RequestCondition.asFound(now), now);
        return;
      } catch (Refusal e) {
        if (e.code() != Problem.Code.PRECONDITION || tries == MOST_TRIES) {
          throw e;
        }
      }
    }
  }

  /** Makes a change and answers it; what is put may be of another kind. */
  final void apply(Change.Put put, long waitMillis, AsyncResponse response) throws Refusal {
    Kind kind = put.kind();
    // At its new switch what moves is new. A limit moves to where the subscriber is that it names.
    boolean mayMove = put.switchName().isPresent() || kind == Kind.RATE_LIMIT;
    boolean moves = mayMove && controller.find(kind, put.id()).isPresent();
    Outcome.Accepted accepted = accepted(controller.apply(put));
    CompletableFuture<Boolean> installed =
        waitMillis == 0
            ? CompletableFuture.completedFuture(false)
            : controller.whenInstalled(kind, put.id(), Duration.ofMillis(waitMillis));
    AnswerThreads.whenSettled(installed, response, () -> answer(put, accepted, moves));
  }

  private Response answer(Change.Put put, Outcome.Accepted accepted, boolean moves) {
    // It may be deleted again already.
    Declared now =
        controller
            .find(put.kind(), put.id())
            .orElseGet(
                () ->
                    new Declared(
                        put.declaration(),
                        accepted.plan().grants(),
                        accepted.plan().notes(),
                        accepted.targets(),
                        put.switchName(),
                        List.of()));
    // The plan also tells what happens to others, which the declaration's own notes do not.
    Set<String> notes = new LinkedHashSet<>(accepted.plan().notes());
    notes.addAll(now.notes());
    List<LimitInForce> limits = limits(now);
    boolean replaces = moves || accepted.plan().delta().replaces();
    return Response.status(replaces ? Response.Status.OK : Response.Status.CREATED)
        .type(MediaType.APPLICATION_JSON_TYPE)
        .tag(Tags.tag(now))
        .entity(new JsonAnswer(json -> AnswerWriter.write(json, now, notes, limits)))
        .build();
  }

  /**
   * Deletes a declaration that nothing else needs; asked again, tells how far the deletion is. No
   * thread waits for the targets.
   */
  @DELETE
  @Needs(Role.OPERATE)
  @Path("{id}")
  public void delete(
      @PathParam("id") String id,
      @Context UriInfo uri,
      @Context HttpHeaders headers,
      @Suspended AsyncResponse response)
      throws Refusal {
    Query query = new Query(uri, Query.DRY_RUN, Query.WAIT_MILLIS);
    boolean dryRun = query.flag(Query.DRY_RUN);
    long waitMillis = waitMillis(query);
    query.refuseIfUnsound();
    RequestCondition condition = condition(headers, id, dryRun);
    if (dryRun) {
      when(condition, id, expected -> dryRun(new Change.Delete(kind, id, expected), uri, response));
      return;
    }
    AnswerThreads.change(
        response,
        () ->
            when(
                condition,
                id,
                expected ->
                    apply(
                        new Change.Delete(kind, id, expected),
                        waitMillis,
                        uri.getAbsolutePath(),
                        response)));
  }

  private void dryRun(Change delete, UriInfo uri, AsyncResponse response) throws Refusal {
    Outcome outcome = controller.dryRun(delete);
    refuseIfOvertaken(outcome);
    if (!outcome.isAccepted() && !controller.remaining(kind, delete.id()).isEmpty()) {
      // The real one would be no mistake, and tell the same.
      response.resume(deleted(delete.id(), uri.getAbsolutePath()));
      return;
    }
    Outcome.Accepted accepted = accepted(outcome);
    response.resume(ok(new JsonAnswer(json -> AnswerWriter.writeDryRun(json, accepted))));
  }

  private void apply(Change delete, long waitMillis, URI path, AsyncResponse response)
      throws Refusal {
    String id = delete.id();
    Outcome outcome = controller.apply(delete);
    refuseIfOvertaken(outcome);
    if (controller.remaining(kind, id).isEmpty()) {
      Outcome.Accepted unused = accepted(outcome);
    }
    CompletableFuture<Boolean> gone =
        waitMillis == 0
            ? CompletableFuture.completedFuture(false)
            : controller.whenGone(kind, id, Duration.ofMillis(waitMillis));
    AnswerThreads.whenSettled(gone, response, () -> deleted(id, path));
  }

  private static void refuseIfOvertaken(Outcome outcome) throws Refusal {
    if (outcome instanceof Outcome.Refused refused && refused.code() == Problem.Code.PRECONDITION) {
      throw new Refusal(refused.problems());
    }
  }

  private Response deleted(String id, URI path) {
    List<TargetStatus> remaining = controller.remaining(kind, id);
    return remaining.isEmpty()
        ? Response.noContent().build()
        : Response.accepted(new JsonAnswer(json -> AnswerWriter.writeDeleting(json, id, remaining)))
            .type(MediaType.APPLICATION_JSON_TYPE)
            .location(path)
            .build();
  }

  /** Nobody waits for an operation, so that it ends when the targets are there if it can. */
  private static long waitMillis(Query query, HttpHeaders headers) {
    boolean isLater = Operations.isAsked(headers);
    return query.number(
        Query.WAIT_MILLIS, isLater ? MAX_WAIT_MILLIS : DEFAULT_WAIT_MILLIS, 0, MAX_WAIT_MILLIS);
  }

  static long waitMillis(Query query) {
    return query.number(Query.WAIT_MILLIS, DEFAULT_WAIT_MILLIS, 0, MAX_WAIT_MILLIS);
  }

  static Response ok(JsonAnswer answer) {
    return Response.ok(answer, MediaType.APPLICATION_JSON_TYPE).build();
  }

  final Refusal notFound(String id) {
    return new Refusal(List.of(Problem.notFound(kind, id)));
  }

  /** The limits a subscriber is under, from its own outwards; none for anything else. */
  private List<LimitInForce> limits(Declared declared) {
    if (!(declared.declared() instanceof Subscriber subscriber)) {
      return List.of();
    }
    int port = subscriber.attachment().port();
    int tree = subscriber.attachment().tree();
    List<LimitInForce> limits = new ArrayList<>();
    Optional<String> at = declared.switchName();
    add(limits, "subscriber", new Scope.OfSubscriber(subscriber.id()), at);
    add(limits, "tree", new Scope.OfTree(port, tree), at);
    add(limits, "port", new Scope.OfPort(port), at);
    return limits;
  }

  private void add(List<LimitInForce> limits, String level, Scope scope, Optional<String> at) {
    controller
        .rateLimitOf(scope, at)
        .ifPresent(limit -> limits.add(new LimitInForce(level, limit)));
  }

  private static Outcome.Accepted accepted(Outcome outcome) throws Refusal {
    if (outcome instanceof Outcome.Refused refused) {
      throw new Refusal(refused.problems());
    }
    return (Outcome.Accepted) outcome;
  }
}
