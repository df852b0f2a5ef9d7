package net.sluice.rest.declaration;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
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
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.northbound.caller.Role;
import net.sluice.northbound.json.JsonContent;
import net.sluice.rest.SluiceApplication;
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
import net.sluice.rest.request.AnswerThreads;
import net.sluice.rest.request.Query;
import net.sluice.rest.request.RequestBody;

/** The list of declarations of one kind, and each of them; subclasses say which kind and where. */
@Produces(MediaType.APPLICATION_JSON)
public abstract class DeclarationResource implements Audited {
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
          return new JsonAnswer(
                  json ->
                      AnswerWriter.write(
                          json,
                          page,
                          next,
                          item ->
                              ItemFields.only(
                                  query.fields(), out -> AnswerWriter.write(out, item))))
              .ok();
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
      return new JsonAnswer(json -> AnswerWriter.writeDeleting(json, id, remaining)).ok();
    }
    Declared found = inForce.get();
    String tag = Tags.tag(found);
    if (condition.isUnmodified(words(id), tag)) {
      return Response.notModified().tag(tag).cacheControl(Tags.NOT_STORED).build();
    }
    List<LimitInForce> limits = limits(found);
    return Response.ok(
            new JsonAnswer(
                ItemFields.only(
                    fields, json -> AnswerWriter.write(json, found, found.notes(), limits))),
            MediaType.APPLICATION_JSON_TYPE)
        .tag(tag)
        .cacheControl(Tags.NOT_STORED)
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
    Asked asked = asked(id, uri, headers, Operations.isAsked(headers));
    Change.Put put = DeclarationForm.read(kind, id, RequestBody.bytes(body));
    change(HttpMethod.PUT, asked, headers, new Wanted(false, unused -> put), response);
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
    Asked asked = asked(id, uri, headers, Operations.isAsked(headers));
    JsonValue patch = RequestBody.json(body);
    Wanted wanted = new Wanted(true, found -> patched(id, found, patch));
    change(HttpMethod.PATCH, asked, headers, wanted, response);
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
    Asked asked = asked(id, uri, headers, false);
    Wanted wanted = new Wanted(false, unused -> new Change.Delete(kind, id));
    if (asked.dryRun()) {
      response.resume(dryDeletion(asked, make(asked, wanted, controller::dryRun)));
      return;
    }
    AnswerThreads.change(
        response, () -> answerDeletion(asked, make(asked, wanted, controller::apply), response));
  }

  // ---------------------------------------------------------------- the way of a change

  /**
   * A request for a change, without the change.
   *
   * @param condition what has to hold when it is made
   * @param waitMillis how long the answer may wait for the targets
   */
  private record Asked(
      String id, UriInfo uri, boolean dryRun, long waitMillis, RequestCondition condition) {}

  /** The change that is asked for, and whether it is one of what is there. */
  private record Wanted(boolean ofFound, OfFound change) {}

  private interface OfFound {
    /**
     * The change of what is found; if {@link Wanted#ofFound} is false it is the same of anything.
     *
     * @throws Refusal if there is none
     */
    Change of(Optional<Declared> found) throws Refusal;
  }

  private Asked asked(String id, UriInfo uri, HttpHeaders headers, boolean isLater) throws Refusal {
    Query query = new Query(uri, Query.DRY_RUN, Query.WAIT_MILLIS);
    boolean dryRun = query.flag(Query.DRY_RUN);
    // No client waits for an operation: it may take as long as any to see the targets have it.
    long waitMillis = query.waitMillis(isLater ? Query.MAX_WAIT_MILLIS : Query.DEFAULT_WAIT_MILLIS);
    query.refuseIfUnsound();
    RequestCondition condition =
        dryRun
            ? RequestCondition.of(headers)
            : RequestCondition.ofChange(headers, needsConditions.getAsBoolean(), words(id));
    return new Asked(id, uri, dryRun, waitMillis, condition);
  }

  /** Makes a put while the client waits, or as an operation if the request asks for one. */
  private void change(
      String method, Asked asked, HttpHeaders headers, Wanted wanted, AsyncResponse response)
      throws Refusal {
    if (asked.dryRun()) {
      Outcome.Accepted accepted = accepted(make(asked, wanted, controller::dryRun));
      response.resume(new JsonAnswer(json -> AnswerWriter.writeDryRun(json, accepted)).ok());
    } else if (!Operations.isAsked(headers)) {
      AnswerThreads.change(response, () -> answer(asked, wanted, response));
    } else {
      Operations all = operations.get();
      response.resume(
          all.accept(
              method,
              asked.uri(),
              (operation, unused) -> {
                if (kind == Kind.TARIFF) {
                  operation.progress(() -> controller.progress(asked.id()));
                }
                AsyncResponse ending = new EndingResponse(all.answers(operation));
                AnswerThreads.later(ending, () -> answer(asked, wanted, ending));
              }));
    }
  }

  private void answer(Asked asked, Wanted wanted, AsyncResponse response) throws Refusal {
    answerWhenInstalled(make(asked, wanted, controller::apply), asked.waitMillis(), response);
  }

  /**
   * Makes a change of what is found, for which the condition holds. If that is changed in between,
   * it is looked at again: each time somebody else's change has been made.
   */
  private Outcome make(Asked asked, Wanted wanted, Function<Change, Outcome> way) throws Refusal {
    if (asked.condition().isNone() && !wanted.ofFound()) {
      return way.apply(wanted.change().of(Optional.empty()));
    }
    for (int tries = 1; ; tries++) {
      Optional<Declared> found = controller.find(kind, asked.id());
      asked.condition().require(words(asked.id()), found.map(Tags::tag));
      Change change = wanted.change().of(found);
      Outcome outcome = way.apply(change.under(RequestCondition.asFound(found)));
      if (!isOvertaken(outcome) || tries == RequestCondition.MOST_TRIES) {
        return outcome;
      }
    }
  }

  /** Whether a change was not made because another one came before it. */
  static boolean isOvertaken(Outcome outcome) {
    return outcome instanceof Outcome.Refused refused
        && refused.code() == Problem.Code.PRECONDITION;
  }

  private Change.Put patched(String id, Optional<Declared> now, JsonValue patch) throws Refusal {
    Declared found = now.orElseThrow(() -> notFound(id));
    byte[] declared =
        JsonContent.bytes(
            json -> DeclarationForm.write(json, found.declared(), found.switchName()));
    return DeclarationForm.read(
        kind, id, MergePatch.apply(JsonTree.read(declared, 0, declared.length), patch));
  }

  // ---------------------------------------------------------------- answers to changes

  /** Answers a put, which may be of another kind, once it is installed or the time is over. */
  final void answerWhenInstalled(Outcome outcome, long waitMillis, AsyncResponse response)
      throws Refusal {
    Outcome.Accepted accepted = accepted(outcome);
    answerWhenInstalled(accepted, (Change.Put) accepted.change(), waitMillis, response);
  }

  /** Answers a put with another declaration, that it has made or changed. */
  final void answerWhenInstalled(
      Outcome.Accepted accepted, Change.Put put, long waitMillis, AsyncResponse response) {
    CompletableFuture<Boolean> installed =
        waitMillis == 0
            ? CompletableFuture.completedFuture(false)
            : controller.whenInstalled(put.kind(), put.id(), Duration.ofMillis(waitMillis));
    AnswerThreads.whenSettled(installed, response, () -> answer(put, accepted));
  }

  private Response answer(Change.Put put, Outcome.Accepted accepted) {
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
    Set<String> notes = new LinkedHashSet<>();
    if (accepted.change().kind() == put.kind()) {
      notes.addAll(accepted.plan().notes());
    }
    notes.addAll(now.notes());
    List<LimitInForce> limits = limits(now);
    return Response.status(accepted.replaces() ? Response.Status.OK : Response.Status.CREATED)
        .type(MediaType.APPLICATION_JSON_TYPE)
        .tag(Tags.tag(now))
        .entity(new JsonAnswer(json -> AnswerWriter.write(json, now, notes, limits)))
        .build();
  }

  private Response dryDeletion(Asked asked, Outcome outcome) throws Refusal {
    if (!isOvertaken(outcome)
        && !outcome.isAccepted()
        && !controller.remaining(kind, asked.id()).isEmpty()) {
      // The real one would be no mistake, and tell the same.
      return deleted(asked);
    }
    Outcome.Accepted accepted = accepted(outcome);
    return new JsonAnswer(json -> AnswerWriter.writeDryRun(json, accepted)).ok();
  }

  private void answerDeletion(Asked asked, Outcome outcome, AsyncResponse response) throws Refusal {
    if (isOvertaken(outcome) || controller.remaining(kind, asked.id()).isEmpty()) {
      Outcome.Accepted unused = accepted(outcome);
    }
    CompletableFuture<Boolean> gone =
        asked.waitMillis() == 0
            ? CompletableFuture.completedFuture(false)
            : controller.whenGone(kind, asked.id(), Duration.ofMillis(asked.waitMillis()));
    AnswerThreads.whenSettled(gone, response, () -> deleted(asked));
  }

  private Response deleted(Asked asked) {
    List<TargetStatus> remaining = controller.remaining(kind, asked.id());
    return remaining.isEmpty()
        ? Response.noContent().build()
        : Response.accepted(
                new JsonAnswer(json -> AnswerWriter.writeDeleting(json, asked.id(), remaining)))
            .type(MediaType.APPLICATION_JSON_TYPE)
            .location(asked.uri().getAbsolutePath())
            .build();
  }

  private String words(String id) {
    return kind.words() + " " + id;
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

  static Outcome.Accepted accepted(Outcome outcome) throws Refusal {
    if (outcome instanceof Outcome.Refused refused) {
      throw new Refusal(refused.problems());
    }
    return (Outcome.Accepted) outcome;
  }
}
