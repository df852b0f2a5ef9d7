package net.sluice.rest.switches;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import javax.ws.rs.Consumes;
import javax.ws.rs.DELETE;
import javax.ws.rs.GET;
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
import net.sluice.core.InstallSummary;
import net.sluice.core.SwitchStatus;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Ids;
import net.sluice.northbound.json.JsonContent;
import net.sluice.northbound.json.JsonText;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.answer.SwitchWriter;
import net.sluice.rest.condition.RequestCondition;
import net.sluice.rest.condition.Tags;
import net.sluice.rest.guard.Audited;
import net.sluice.rest.host.Closable;
import net.sluice.rest.host.SwitchDeclarations;
import net.sluice.rest.json.JsonTree;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.json.MergePatch;
import net.sluice.rest.request.AnswerThreads;
import net.sluice.rest.request.Query;
import net.sluice.rest.request.RequestBody;

/**
 * {@code switches}: the switches of the network, how each is, and, where the host lets them,
 * declared.
 */
@Path("switches")
@Produces(MediaType.APPLICATION_JSON)
public final class SwitchResource implements Audited {
  private static final byte[] EMPTY = {'{', '}'};

  private final Controller controller;
  private final SwitchDeclarations declarations;
  private final Supplier<Set<Closable>> closed;
  private final BooleanSupplier needsConditions;

  /**
   * A resource of the switches of {@code controller}, whose declaration may be closed, or made only
   * under conditions.
   */
  public SwitchResource(
      Controller controller,
      SwitchDeclarations declarations,
      Supplier<Set<Closable>> closed,
      BooleanSupplier needsConditions) {
    this.controller = controller;
    this.declarations = declarations;
    this.closed = closed;
    this.needsConditions = needsConditions;
  }

  @Override
  public void writeInForce(JsonGenerator json, String id) throws IOException {
    byte[] document = declarations.documents().get(id);
    if (document == null) {
      json.writeNull();
    } else {
      JsonAnswer.copy(json, document);
    }
  }

  /** All switches. */
  @GET
  public Response list(@Context UriInfo uri) throws Refusal {
    new Query(uri).refuseIfUnsound();
    List<SwitchStatus> switches = controller.switches();
    InstallSummary summary = controller.summary();
    Map<String, byte[]> documents = declarations.documents();
    return new JsonAnswer(json -> SwitchWriter.write(json, switches, summary, documents)).ok();
  }

  /** A switch. */
  @GET
  @Path("{id}")
  public Response get(
      @PathParam("id") String id, @Context UriInfo uri, @Context HttpHeaders headers)
      throws Refusal {
    new Query(uri).refuseIfUnsound();
    RequestCondition condition = RequestCondition.of(headers);
    JsonAnswer answer = answer(id);
    Optional<String> tag = tag(id);
    if (tag.isPresent() && condition.isUnmodified(words(id), tag.get())) {
      return Response.notModified().tag(tag.get()).cacheControl(Tags.NOT_STORED).build();
    }
    return tagged(Response.ok(answer, MediaType.APPLICATION_JSON_TYPE), tag)
        .cacheControl(Tags.NOT_STORED)
        .build();
  }

  private static String words(String id) {
    return "switch " + id;
  }

  /** The tag of the document of a switch; empty if it has none. */
  private Optional<String> tag(String id) {
    return Optional.ofNullable(declarations.documents().get(id)).map(Tags::tag);
  }

  private static Response.ResponseBuilder tagged(
      Response.ResponseBuilder response, Optional<String> tag) {
    return tag.map(response::tag).orElse(response);
  }

  private JsonAnswer answer(String id) throws Refusal {
    Optional<SwitchStatus> found =
        controller.switches().stream().filter(each -> each.name().equals(id)).findFirst();
    if (found.isEmpty()) {
      throw new Refusal(
          List.of(
              new Problem(
                  Problem.Code.NOT_FOUND,
                  "switch",
                  id,
                  String.join(
                      ", ", controller.switches().stream().map(SwitchStatus::name).toList()),
                  "There is no switch " + id + ".")));
    }
    InstallSummary summary = controller.summary();
    byte[] document = declarations.documents().get(id);
    return new JsonAnswer(json -> SwitchWriter.write(json, found.get(), summary, document));
  }

  /**
   * Takes a switch in, or drives the one of that name otherwise; the answer does not wait for it.
   */
  @PUT
  @Path("{id}")
  @Consumes(MediaType.APPLICATION_JSON)
  public void put(
      @PathParam("id") String id,
      @Context UriInfo uri,
      @Context HttpHeaders headers,
      InputStream body,
      @Suspended AsyncResponse response)
      throws Refusal {
    if (isClosed(uri, response)) {
      return;
    }
    RequestCondition condition =
        RequestCondition.ofChange(headers, needsConditions.getAsBoolean(), words(id));
    byte[] document = RequestBody.bytes(body);
    if (!Ids.isValid(id)) {
      throw new Refusal(
          List.of(Problem.of(Problem.Code.INVALID, "id", JsonText.quoted(id), Ids.ALLOWED)));
    }
    JsonValue declared = JsonTree.read(document, 0, document.length);
    AnswerThreads.change(
        response,
        () -> {
          boolean created = declarations.put(id, declared, document, requiring(condition, id));
          Response.Status status = created ? Response.Status.CREATED : Response.Status.OK;
          response.resume(
              tagged(Response.status(status), tag(id))
                  .type(MediaType.APPLICATION_JSON_TYPE)
                  .entity(answer(id))
                  .build());
        });
  }

  /** Changes some fields of a switch, whatever others do to it meanwhile. */
  @PATCH
  @Path("{id}")
  @Consumes(MergePatch.MEDIA_TYPE)
  public void patch(
      @PathParam("id") String id,
      @Context UriInfo uri,
      @Context HttpHeaders headers,
      InputStream body,
      @Suspended AsyncResponse response)
      throws Refusal {
    if (isClosed(uri, response)) {
      return;
    }
    RequestCondition condition =
        RequestCondition.ofChange(headers, needsConditions.getAsBoolean(), words(id));
    JsonValue patch = RequestBody.json(body);
    AnswerThreads.change(
        response,
        () -> {
          patch(id, patch, condition);
          response.resume(
              tagged(Response.ok(answer(id), MediaType.APPLICATION_JSON_TYPE), tag(id)).build());
        });
  }

  /** Changes what is found; if that is changed in between, it is looked at again. */
  private void patch(String id, JsonValue patch, RequestCondition condition) throws Refusal {
    JsonAnswer unused = answer(id);
    for (int tries = 1; ; tries++) {
      Optional<byte[]> found = Optional.ofNullable(declarations.documents().get(id));
      condition.require(words(id), found.map(Tags::tag));
      byte[] old = found.orElse(EMPTY);
      JsonValue changed = MergePatch.apply(JsonTree.read(old, 0, old.length), patch);
      try {
        boolean alsoUnused =
            declarations.put(
                id,
                changed,
                JsonContent.bytes(changed::write),
                now ->
                    found
                        .map(document -> RequestCondition.tagged(Tags.tag(document)))
                        .orElse(RequestCondition.ABSENT)
                        .require(words(id), now.map(Tags::tag)));
        return;
      } catch (Refusal e) {
        if (e.code() != Problem.Code.PRECONDITION || tries == RequestCondition.MOST_TRIES) {
          throw e;
        }
      }
    }
  }

  private static SwitchDeclarations.Requirement requiring(RequestCondition condition, String id) {
    return document -> condition.require(words(id), document.map(Tags::tag));
  }

  /** Leaves a switch out that nothing is declared for; what is installed there stays. */
  @DELETE
  @Path("{id}")
  public void delete(
      @PathParam("id") String id,
      @Context UriInfo uri,
      @Context HttpHeaders headers,
      @Suspended AsyncResponse response)
      throws Refusal {
    if (isClosed(uri, response)) {
      return;
    }
    RequestCondition condition =
        RequestCondition.ofChange(headers, needsConditions.getAsBoolean(), words(id));
    AnswerThreads.change(
        response,
        () -> {
          declarations.delete(id, requiring(condition, id));
          response.resume(Response.noContent().build());
        });
  }

  /** Refuses what the host has closed. */
  private boolean isClosed(UriInfo uri, AsyncResponse response) throws Refusal {
    Optional<Response> refusal = Closable.SWITCHES.refusal(closed.get());
    if (refusal.isEmpty()) {
      new Query(uri).refuseIfUnsound();
    }
    refusal.ifPresent(response::resume);
    return refusal.isPresent();
  }
}
