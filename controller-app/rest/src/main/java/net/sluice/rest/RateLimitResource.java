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
import net.sluice.intents.plan.Change;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.json.DeclarationReader;

/** {@code rate-limits} and {@code rate-limits/{id}}: limits of subscribers, trees and ports. */
@Path("rate-limits")
@Produces(MediaType.APPLICATION_JSON)
public final class RateLimitResource {
  private final Controller controller;
  private final Declarations declarations;

  /** A resource of what {@code controller} holds. */
  public RateLimitResource(Controller controller) {
    this.controller = controller;
    this.declarations = new Declarations(controller);
  }

  /** Lists rate limits by identifier. */
  @GET
  public Response list(@Context UriInfo uri) throws Refusal {
    return declarations.list(uri, controller::rateLimits);
  }

  /** A rate limit in force. */
  @GET
  @Path("{id}")
  public Response get(@PathParam("id") String id, @Context UriInfo uri) throws Refusal {
    return declarations.get(Kind.RATE_LIMIT, uri, id);
  }

  /** Creates or replaces a rate limit. */
  @PUT
  @Path("{id}")
  @Consumes(MediaType.APPLICATION_JSON)
  public Response put(@PathParam("id") String id, @Context UriInfo uri, InputStream body)
      throws Refusal {
    return declarations.put(
        Kind.RATE_LIMIT,
        uri,
        () -> new Change.PutRateLimit(DeclarationReader.rateLimit(id, RequestBody.json(body))));
  }

  /** Deletes a rate limit. */
  @DELETE
  @Path("{id}")
  public Response delete(@PathParam("id") String id, @Context UriInfo uri) throws Refusal {
    return declarations.delete(uri, new Change.DeleteRateLimit(id));
  }
}
