package net.sluice.rest;

import com.fasterxml.jackson.core.JsonGenerator;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.ws.rs.Consumes;
import javax.ws.rs.DELETE;
import javax.ws.rs.GET;
import javax.ws.rs.PUT;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.container.AsyncResponse;
import javax.ws.rs.container.Suspended;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.UriInfo;
import net.sluice.core.Controller;
import net.sluice.core.InstallSummary;
import net.sluice.core.SwitchStatus;
import net.sluice.intents.model.Ids;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.answer.SwitchWriter;
import net.sluice.rest.contract.Switches;
import net.sluice.rest.guard.Audited;
import net.sluice.rest.json.JsonText;
import net.sluice.rest.json.JsonTree;
import net.sluice.rest.json.JsonValue;

/**
 * {@code switches}: the switches of the network, how each is, and, where the host lets them,
 * declared.
 */
@Path("switches")
@Produces(MediaType.APPLICATION_JSON)
public final class SwitchResource implements Audited {
  private final Controller controller;
  private final SwitchDeclarations declarations;
  private final Set<Closable> closed;

  /** A resource of the switches of {@code controller}, whose declaration may be closed. */
  public SwitchResource(
      Controller controller, SwitchDeclarations declarations, Set<Closable> closed) {
    this.controller = controller;
    this.declarations = declarations;
    this.closed = Set.copyOf(closed);
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
  @Operation(operationId = "listSwitches", summary = "Tells all switches.")
  @ApiResponse(
      responseCode = "200",
      description = "The switches.",
      content = @Content(schema = @Schema(implementation = Switches.SwitchList.class)))
  public Response list(@Context UriInfo uri) throws Refusal {
    new Query(uri).refuseIfUnsound();
    List<SwitchStatus> switches = controller.switches();
    InstallSummary summary = controller.summary();
    Map<String, byte[]> documents = declarations.documents();
    return DeclarationResource.ok(
        new JsonAnswer(json -> SwitchWriter.write(json, switches, summary, documents)));
  }

  /** A switch. */
  @GET
  @Path("{id}")
  @Operation(operationId = "getSwitch", summary = "Tells a switch.")
  @ApiResponse(
      responseCode = "200",
      description = "The switch.",
      content = @Content(schema = @Schema(implementation = Switches.SwitchAnswer.class)))
  public Response get(@PathParam("id") String id, @Context UriInfo uri) throws Refusal {
    new Query(uri).refuseIfUnsound();
    return Response.ok(answer(id), MediaType.APPLICATION_JSON_TYPE).build();
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
  @Operation(
      operationId = "putSwitch",
      summary = "Takes a switch in, or drives the one of that id otherwise; does not wait for it.")
  @io.swagger.v3.oas.annotations.parameters.RequestBody(
      required = true,
      content = @Content(schema = @Schema(implementation = Switches.SwitchDeclaration.class)))
  @ApiResponse(
      responseCode = "200",
      description = "Driven otherwise.",
      content = @Content(schema = @Schema(implementation = Switches.SwitchAnswer.class)))
  @ApiResponse(
      responseCode = "201",
      description = "Taken in.",
      content = @Content(schema = @Schema(implementation = Switches.SwitchAnswer.class)))
  @ApiResponse(responseCode = "409", description = "Contradicts what is there.")
  @ApiResponse(responseCode = "422", description = "A value is not acceptable.")
  @ApiResponse(responseCode = "507", description = "A target has no room.")
  public void put(
      @PathParam("id") String id,
      @Context UriInfo uri,
      InputStream body,
      @Suspended AsyncResponse response)
      throws Refusal {
    if (isClosed(uri, response)) {
      return;
    }
    byte[] document = RequestBody.bytes(body);
    if (!Ids.isValid(id)) {
      throw new Refusal(
          List.of(Problem.of(Problem.Code.INVALID, "id", JsonText.quoted(id), Ids.ALLOWED)));
    }
    JsonValue declared = JsonTree.read(document, 0, document.length);
    AnswerThreads.change(
        response,
        () -> {
          boolean created = declarations.put(id, declared, document);
          response.resume(
              Response.status(created ? Response.Status.CREATED : Response.Status.OK)
                  .type(MediaType.APPLICATION_JSON_TYPE)
                  .entity(answer(id))
                  .build());
        });
  }

  /** Leaves a switch out that nothing is declared for; what is installed there stays. */
  @DELETE
  @Path("{id}")
  @Operation(
      operationId = "deleteSwitch",
      summary = "Leaves a switch out that nothing is declared for.")
  @ApiResponse(responseCode = "204", description = "It is left out.")
  @ApiResponse(responseCode = "409", description = "Contradicts what is there.")
  public void delete(
      @PathParam("id") String id, @Context UriInfo uri, @Suspended AsyncResponse response)
      throws Refusal {
    if (isClosed(uri, response)) {
      return;
    }
    AnswerThreads.change(
        response,
        () -> {
          declarations.delete(id);
          response.resume(Response.noContent().build());
        });
  }

  /** Refuses what the host has closed. */
  private boolean isClosed(UriInfo uri, AsyncResponse response) throws Refusal {
    Optional<Response> refusal = Closable.SWITCHES.refusal(closed);
    if (refusal.isEmpty()) {
      new Query(uri).refuseIfUnsound();
    }
    refusal.ifPresent(response::resume);
    return refusal.isPresent();
  }
}
