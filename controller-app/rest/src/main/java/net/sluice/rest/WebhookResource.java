package net.sluice.rest;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.ws.rs.Consumes;
import javax.ws.rs.DELETE;
import javax.ws.rs.GET;
import javax.ws.rs.POST;
import javax.ws.rs.PUT;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.UriInfo;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.northbound.Northbound;
import net.sluice.northbound.caller.Caller;
import net.sluice.northbound.caller.Role;
import net.sluice.northbound.events.EventTypes;
import net.sluice.northbound.json.JsonText;
import net.sluice.northbound.webhooks.Webhook;
import net.sluice.northbound.webhooks.Webhooks;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.form.WebhookForm;
import net.sluice.rest.guard.Audited;
import net.sluice.rest.guard.Needs;
import net.sluice.rest.json.JsonTree;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.request.Query;
import net.sluice.rest.request.RequestBody;

/** {@code webhooks}: the places that events are sent to. */
@Path("webhooks")
@Produces(MediaType.APPLICATION_JSON)
public final class WebhookResource implements Audited {
  private final Supplier<Northbound> northbound;

  /** A resource of the webhooks. */
  public WebhookResource(Supplier<Northbound> northbound) {
    this.northbound = northbound;
  }

  private Webhooks webhooks() {
    return northbound.get().webhooks();
  }

  @Override
  public void writeInForce(JsonGenerator json, String id) throws IOException {
    Optional<Webhooks.Status> found = webhooks().find(id);
    if (found.isEmpty()) {
      json.writeNull();
    } else {
      json.writeStartObject();
      WebhookForm.writeLogged(json, found.get().declared());
      json.writeEndObject();
    }
  }

  /** Only what is read as a webhook or a replay: a secret with a misspelt name is one, too. */
  @Override
  public void writeAsked(JsonGenerator json, byte[] body) throws IOException {
    try {
      JsonValue value = JsonTree.read(body, 0, body.length);
      json.writeStartObject();
      if (WebhookForm.isReplay(value)) {
        Optional<String> after = WebhookForm.readReplay(value);
        if (after.isPresent()) {
          json.writeStringField(WebhookForm.AFTER, after.get());
        }
      } else {
        WebhookForm.writeLogged(json, WebhookForm.read("asked", value));
      }
      json.writeEndObject();
    } catch (Refusal e) {
      throw new IOException("not of the form", e);
    }
  }

  /** All webhooks, to those who may declare some: a URL may be a secret. */
  @GET
  @Needs(Role.ADMIN)
  public Response list(@Context UriInfo uri) throws Refusal {
    new Query(uri).refuseIfUnsound();
    List<Webhooks.Status> all = webhooks().all();
    return new JsonAnswer(
            json -> {
              json.writeStartObject();
              json.writeArrayFieldStart("items");
              for (Webhooks.Status each : all) {
                WebhookForm.write(json, each);
              }
              json.writeEndArray();
              json.writeEndObject();
            })
        .ok();
  }

  /** A webhook. */
  @GET
  @Path("{id}")
  @Needs(Role.ADMIN)
  public Response get(@PathParam("id") String id, @Context UriInfo uri) throws Refusal {
    new Query(uri).refuseIfUnsound();
    return answer(id).ok();
  }

  private JsonAnswer answer(String id) throws Refusal {
    Webhooks.Status found = webhooks().find(id).orElseThrow(() -> notFound(id));
    return new JsonAnswer(json -> WebhookForm.write(json, found));
  }

  private static Refusal notFound(String id) {
    return new Refusal(
        List.of(
            new Problem(
                Problem.Code.NOT_FOUND,
                "webhook",
                JsonText.quoted(id),
                "a webhook that is declared",
                "There is no webhook " + id + ".")));
  }

  /** Declares a webhook. */
  @PUT
  @Path("{id}")
  @Consumes(MediaType.APPLICATION_JSON)
  public Response put(
      @PathParam("id") String id,
      @Context UriInfo uri,
      @Context ContainerRequestContext request,
      InputStream body)
      throws Refusal {
    new Query(uri).refuseIfUnsound();
    Webhook declared = WebhookForm.read(id, RequestBody.json(body));
    EventTypes.require(declared.filter().types());
    boolean created = webhooks().put(declared, by(request));
    return Response.status(created ? Response.Status.CREATED : Response.Status.OK)
        .entity(answer(id))
        .build();
  }

  private static String by(ContainerRequestContext request) {
    return request.getProperty(Caller.ATTRIBUTE) instanceof Caller caller
        ? caller.name()
        : Caller.LOCAL;
  }

  /** Forgets a webhook. */
  @DELETE
  @Path("{id}")
  public Response delete(@PathParam("id") String id, @Context UriInfo uri) throws Refusal {
    new Query(uri).refuseIfUnsound();
    if (!webhooks().delete(id)) {
      throw notFound(id);
    }
    return Response.noContent().build();
  }

  /** The events that were given up. */
  @GET
  @Path("{id}/dead-letters")
  @Needs(Role.ADMIN)
  public Response deadLetters(@PathParam("id") String id, @Context UriInfo uri) throws Refusal {
    new Query(uri).refuseIfUnsound();
    List<Webhooks.DeadLetter> all = webhooks().deadLetters(id).orElseThrow(() -> notFound(id));
    return new JsonAnswer(
            json -> {
              json.writeStartObject();
              json.writeArrayFieldStart("items");
              for (Webhooks.DeadLetter each : all) {
                json.writeStartObject();
                json.writeStringField("first", each.first());
                json.writeStringField("last", each.last());
                json.writeNumberField("events", each.events());
                json.writeStringField("at", each.at().toString());
                json.writeStringField("reason", each.reason());
                json.writeEndObject();
              }
              json.writeEndArray();
              json.writeEndObject();
            })
        .ok();
  }

  /** Sends events again. */
  @POST
  @Path("{id}/replay")
  @Consumes(MediaType.APPLICATION_JSON)
  public Response replay(@PathParam("id") String id, @Context UriInfo uri, InputStream body)
      throws Refusal {
    new Query(uri).refuseIfUnsound();
    Optional<String> after = WebhookForm.readReplay(RequestBody.json(body));
    if (!webhooks().replay(id, after)) {
      throw notFound(id);
    }
    return answer(id).ok();
  }
}
