package net.sluice.rest;

import com.fasterxml.jackson.core.JsonGenerator;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.headers.Header;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
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
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Ids;
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
import net.sluice.rest.condition.Preference;
import net.sluice.rest.condition.RequestCondition;
import net.sluice.rest.condition.Tags;
import net.sluice.rest.contract.AnswerOfKind;
import net.sluice.rest.contract.Answers;
import net.sluice.rest.contract.Statuses;
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
  @Operation(operationId = "list{kinds}", summary = "Lists declarations in force, ordered by id.")
  @Parameter(
      name = Query.LIMIT,
      in = ParameterIn.QUERY,
      description = "Most items.",
      schema =
          @Schema(
              type = "integer",
              format = "int32",
              minimum = "1",
              maximum = "" + Page.MAX_LIMIT,
              defaultValue = "" + ListQuery.DEFAULT_LIMIT))
  @Parameter(
      name = "cursor",
      in = ParameterIn.QUERY,
      description = "next of the page before, of the same list.",
      schema = @Schema(type = "string"))
  @Parameter(
      name = "fields",
      in = ParameterIn.QUERY,
      description =
          "Names of the fields that are told, with commas between; id is always told. Others are"
              + " absent then, also those that are there otherwise.",
      schema = @Schema(type = "string"))
  @Parameter(
      name = "policy",
      in = ParameterIn.QUERY,
      description = "Only those that have that policy, in a direction or both.",
      schema = @Schema(type = "string", pattern = Ids.PATTERN))
  @Parameter(
      name = "switch",
      in = ParameterIn.QUERY,
      description = "Only those at that switch.",
      schema = @Schema(type = "string", pattern = Ids.PATTERN))
  @Parameter(
      name = "port",
      in = ParameterIn.QUERY,
      description = "Only those of that BNG port.",
      schema =
          @Schema(
              type = "integer",
              format = "int32",
              minimum = "0",
              maximum = "" + Attachment.MAX_PORT))
  @Parameter(
      name = "tree",
      in = ParameterIn.QUERY,
      description = "Only those of that OLT tree.",
      schema =
          @Schema(
              type = "integer",
              format = "int32",
              minimum = "0",
              maximum = "" + Attachment.MAX_TREE))
  @Parameter(
      name = "state",
      in = ParameterIn.QUERY,
      description = "Only those of which a target is in that state.",
      schema =
          @Schema(
              type = "string",
              allowableValues = {"INSTALLED", "PENDING", "FAILED"}))
  @Parameter(
      name = "address",
      in = ParameterIn.QUERY,
      description = "Only the one whose prefixes have that IPv4 or IPv6 address.",
      schema = @Schema(type = "string"))
  @Parameter(
      name = "label",
      in = ParameterIn.QUERY,
      description = "Only those with that label, as KEY:VALUE; several with commas between.",
      schema = @Schema(type = "string"))
  @ApiResponse(
      responseCode = "200",
      description = "A part of the list.",
      content = @Content(schema = @Schema(ref = "#/components/schemas/{kind}Page")))
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
  @Parameter(
      name = HttpHeaders.IF_NONE_MATCH,
      in = ParameterIn.HEADER,
      description =
          "ETags; answered 304 if what is declared has one of them, however the targets are.",
      schema = @Schema(type = "string"))
  @Parameter(
      name = "fields",
      in = ParameterIn.QUERY,
      description =
          "Names of the fields that are told, with commas between; id is always told. Others are"
              + " absent then, also those that are there otherwise.",
      schema = @Schema(type = "string"))
  @Operation(
      operationId = "get{kind}",
      summary = "Tells a declaration in force, or what is left of one that was deleted.")
  @ApiResponse(
      responseCode = "200",
      description = "The declaration, or what is left of it.",
      content = @Content(schema = @Schema(oneOf = {AnswerOfKind.class, Answers.Deleting.class})),
      headers =
          @Header(
              name = HttpHeaders.ETAG,
              description = "A tag of what is declared.",
              schema = @Schema(implementation = String.class)))
  @ApiResponse(responseCode = "304", description = "Declared is what If-None-Match names.")
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
  @Operation(operationId = "put{kind}", summary = "Creates or replaces a declaration.")
  @Parameter(
      name = Query.DRY_RUN,
      in = ParameterIn.QUERY,
      description = "Whether the change is checked and compiled but not made.",
      schema = @Schema(type = "boolean", defaultValue = "false"))
  @Parameter(
      name = Query.WAIT_MILLIS,
      in = ParameterIn.QUERY,
      description = "How long the answer waits for the targets, milliseconds.",
      schema =
          @Schema(
              type = "integer",
              format = "int64",
              minimum = "0",
              maximum = "" + DeclarationResource.MAX_WAIT_MILLIS,
              defaultValue = "" + DeclarationResource.DEFAULT_WAIT_MILLIS))
  @Parameter(
      name = HttpHeaders.IF_MATCH,
      in = ParameterIn.HEADER,
      description =
          "ETags; the change is made only if the declaration has one of them. * for any"
              + " declaration.",
      schema = @Schema(type = "string"))
  @Parameter(
      name = HttpHeaders.IF_NONE_MATCH,
      in = ParameterIn.HEADER,
      description =
          "ETags; the change is made only if the declaration has none of them. * if there is to be"
              + " none.",
      schema = @Schema(type = "string"))
  @Parameter(
      name = Preference.PREFER,
      in = ParameterIn.HEADER,
      description =
          "With handling=strict the request is answered 428 if it has neither If-Match nor"
              + " If-None-Match. With respond-async a PUT or PATCH is answered 202 before it is"
              + " made.",
      schema = @Schema(type = "string"))
  @io.swagger.v3.oas.annotations.parameters.RequestBody(
      required = true,
      content = @Content(schema = @Schema(ref = "#/components/schemas/{kind}")))
  @ApiResponse(
      responseCode = "200",
      description = "Replaced; with dryRun, the effect that the change would have.",
      content = @Content(schema = @Schema(oneOf = {AnswerOfKind.class, Answers.DryRun.class})),
      headers =
          @Header(
              name = HttpHeaders.ETAG,
              description = "A tag of what is declared.",
              schema = @Schema(implementation = String.class)))
  @ApiResponse(
      responseCode = "201",
      description = "Created.",
      content = @Content(schema = @Schema(ref = "#/components/schemas/{kind}Answer")),
      headers =
          @Header(
              name = HttpHeaders.ETAG,
              description = "A tag of what is declared.",
              schema = @Schema(implementation = String.class)))
  @ApiResponse(
      responseCode = "202",
      description = "With Prefer: respond-async, the operation that the request has become.",
      content = @Content(schema = @Schema(implementation = Statuses.Operation.class)),
      headers =
          @Header(
              name = HttpHeaders.LOCATION,
              description = "The URL of the operation.",
              schema = @Schema(implementation = String.class)))
  @ApiResponse(responseCode = "409", description = "Contradicts what is there.")
  @ApiResponse(responseCode = "412", description = "Is not what If-Match or If-None-Match says.")
  @ApiResponse(responseCode = "428", description = "Needs If-Match or If-None-Match.")
  @ApiResponse(responseCode = "422", description = "A value is not acceptable.")
  @ApiResponse(responseCode = "507", description = "A target has no room.")
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
  @Operation(operationId = "patch{kind}", summary = "Changes some fields of a declaration.")
  @Parameter(
      name = Query.DRY_RUN,
      in = ParameterIn.QUERY,
      description = "Whether the change is checked and compiled but not made.",
      schema = @Schema(type = "boolean", defaultValue = "false"))
  @Parameter(
      name = Query.WAIT_MILLIS,
      in = ParameterIn.QUERY,
      description = "How long the answer waits for the targets, milliseconds.",
      schema =
          @Schema(
              type = "integer",
              format = "int64",
              minimum = "0",
              maximum = "" + DeclarationResource.MAX_WAIT_MILLIS,
              defaultValue = "" + DeclarationResource.DEFAULT_WAIT_MILLIS))
  @Parameter(
      name = HttpHeaders.IF_MATCH,
      in = ParameterIn.HEADER,
      description =
          "ETags; the change is made only if the declaration has one of them. * for any"
              + " declaration.",
      schema = @Schema(type = "string"))
  @Parameter(
      name = Preference.PREFER,
      in = ParameterIn.HEADER,
      description =
          "With handling=strict the request is answered 428 if it has neither If-Match nor"
              + " If-None-Match. With respond-async a PUT or PATCH is answered 202 before it is"
              + " made.",
      schema = @Schema(type = "string"))
  @io.swagger.v3.oas.annotations.parameters.RequestBody(
      required = true,
      description = "A JSON merge patch (RFC 7396): fields as PUT takes them; null takes one away.",
      content = @Content(schema = @Schema(type = "object")))
  @ApiResponse(
      responseCode = "200",
      description = "Changed; with dryRun, the effect that the change would have.",
      content = @Content(schema = @Schema(oneOf = {AnswerOfKind.class, Answers.DryRun.class})),
      headers =
          @Header(
              name = HttpHeaders.ETAG,
              description = "A tag of what is declared.",
              schema = @Schema(implementation = String.class)))
  @ApiResponse(
      responseCode = "202",
      description = "With Prefer: respond-async, the operation that the request has become.",
      content = @Content(schema = @Schema(implementation = Statuses.Operation.class)),
      headers =
          @Header(
              name = HttpHeaders.LOCATION,
              description = "The URL of the operation.",
              schema = @Schema(implementation = String.class)))
  @ApiResponse(responseCode = "409", description = "Contradicts what is there.")
  @ApiResponse(responseCode = "412", description = "Is not what If-Match or If-None-Match says.")
  @ApiResponse(responseCode = "428", description = "Needs If-Match or If-None-Match.")
  @ApiResponse(responseCode = "422", description = "A value is not acceptable.")
  @ApiResponse(responseCode = "507", description = "A target has no room.")
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
  @Operation(operationId = "delete{kind}", summary = "Takes a declaration out of force.")
  @Parameter(
      name = Query.DRY_RUN,
      in = ParameterIn.QUERY,
      description = "Whether the change is checked and compiled but not made.",
      schema = @Schema(type = "boolean", defaultValue = "false"))
  @Parameter(
      name = Query.WAIT_MILLIS,
      in = ParameterIn.QUERY,
      description = "How long the answer waits for the targets, milliseconds.",
      schema =
          @Schema(
              type = "integer",
              format = "int64",
              minimum = "0",
              maximum = "" + DeclarationResource.MAX_WAIT_MILLIS,
              defaultValue = "" + DeclarationResource.DEFAULT_WAIT_MILLIS))
  @Parameter(
      name = HttpHeaders.IF_MATCH,
      in = ParameterIn.HEADER,
      description =
          "ETags; the change is made only if the declaration has one of them. * for any"
              + " declaration.",
      schema = @Schema(type = "string"))
  @Parameter(
      name = Preference.PREFER,
      in = ParameterIn.HEADER,
      description =
          "With handling=strict the request is answered 428 if it has neither If-Match nor"
              + " If-None-Match. With respond-async a PUT or PATCH is answered 202 before it is"
              + " made.",
      schema = @Schema(type = "string"))
  @ApiResponse(
      responseCode = "200",
      description = "With dryRun: the effect that the change would have.",
      content = @Content(schema = @Schema(implementation = Answers.DryRun.class)))
  @ApiResponse(
      responseCode = "202",
      description = "Out of force; some targets still hold some of it.",
      content = @Content(schema = @Schema(implementation = Answers.Deleting.class)),
      headers =
          @Header(
              name = HttpHeaders.LOCATION,
              description = "The URL of the declaration itself.",
              schema = @Schema(implementation = String.class)))
  @ApiResponse(responseCode = "204", description = "Out of force, and no target holds any of it.")
  @ApiResponse(responseCode = "409", description = "Contradicts what is there.")
  @ApiResponse(responseCode = "412", description = "Is not what If-Match or If-None-Match says.")
  @ApiResponse(responseCode = "428", description = "Needs If-Match or If-None-Match.")
  @ApiResponse(responseCode = "422", description = "A value is not acceptable.")
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
