package net.sluice.rest;

import java.io.InputStream;
import javax.ws.rs.Consumes;
import javax.ws.rs.DELETE;
import javax.ws.rs.GET;
import javax.ws.rs.PUT;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.UriInfo;
import net.sluice.core.Controller;
import net.sluice.core.Kind;
import net.sluice.core.Page;
import net.sluice.intents.plan.Change;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.json.JsonValue;

/** A list of declarations of one kind, and each of them; subclasses say which and where. */
@Produces(MediaType.APPLICATION_JSON)
public abstract class DeclarationResource {
  private final Kind kind;
  private final Declarations declarations;

  /** A resource of what {@code controller} holds. */
  DeclarationResource(Controller controller, Kind kind) {
    this.kind = kind;
    this.declarations = new Declarations(controller);
  }

  /** A page of what is declared. */
  abstract Page<?> page(long offset, int limit);

  /** The change that declares {@code value}. */
  abstract Change declaring(String id, JsonValue value) throws Refusal;

  /** The change that takes a declaration back. */
  abstract Change deleting(String id);

  /** Lists declarations by identifier. */
  @GET
  public Response list(@Context UriInfo uri) throws Refusal {
    return declarations.list(uri, this::page);
  }

  /** A declaration in force. */
  @GET
  @Path("{id}")
  public Response get(@PathParam("id") String id, @Context UriInfo uri) throws Refusal {
    return declarations.get(kind, uri, id);
  }

  /** Creates or replaces a declaration. */
  @PUT
  @Path("{id}")
  @Consumes(MediaType.APPLICATION_JSON)
  public Response put(@PathParam("id") String id, @Context UriInfo uri, InputStream body)
      throws Refusal {
    return declarations.put(kind, uri, () -> declaring(id, RequestBody.json(body)));
  }

  /** Deletes a declaration that nothing else needs. */
  @DELETE
  @Path("{id}")
  public Response delete(@PathParam("id") String id, @Context UriInfo uri) throws Refusal {
    return declarations.delete(uri, deleting(id));
  }
}
