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

/** {@code policies} and {@code policies/{id}}: SLA classes. */
@Path("policies")
@Produces(MediaType.APPLICATION_JSON)
public final class PolicyResource {
  private final Controller controller;
  private final Declarations declarations;

  /** A resource of what {@code controller} holds. */
  public PolicyResource(Controller controller) {
    this.controller = controller;
    this.declarations = new Declarations(controller);
  }

  /** Lists policies by identifier. */
  @GET
  public Response list(@Context UriInfo uri) throws Refusal {
    return declarations.list(uri, controller::policies);
  }

  /** A policy in force. */
  @GET
  @Path("{id}")
  public Response get(@PathParam("id") String id, @Context UriInfo uri) throws Refusal {
    return declarations.get(Kind.POLICY, uri, id);
  }

  /** Creates or replaces a policy. */
  @PUT
  @Path("{id}")
  @Consumes(MediaType.APPLICATION_JSON)
  public Response put(@PathParam("id") String id, @Context UriInfo uri, InputStream body)
      throws Refusal {
    return declarations.put(
        Kind.POLICY,
        uri,
        () -> new Change.PutPolicy(DeclarationReader.policy(id, RequestBody.json(body))));
  }

  /** Deletes a policy that no subscriber has. */
  @DELETE
  @Path("{id}")
  public Response delete(@PathParam("id") String id, @Context UriInfo uri) throws Refusal {
    return declarations.delete(uri, new Change.DeletePolicy(id));
  }
}
