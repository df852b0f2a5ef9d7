package net.sluice.rest;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.UriInfo;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.guard.Open;
import net.sluice.rest.request.Query;

/** {@code openapi.json}: the API as an OpenAPI 3.1 document, for whoever makes a client. */
@Path(ContractResource.PATH)
@Produces(MediaType.APPLICATION_JSON)
public final class ContractResource {
  /** Path of the document. */
  public static final String PATH = "openapi.json";

  private final String document;

  /** A resource of the document that the build has made. */
  public ContractResource() {
    try (InputStream built = ContractResource.class.getResourceAsStream(PATH)) {
      document = new String(built.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The document, with the path that the API has at this host. */
  @GET
  @Open
  public Response get(@Context UriInfo uri) throws Refusal {
    new Query(uri).refuseIfUnsound();
    String base = uri.getBaseUri().getPath().replaceFirst("/$", "");
    return Response.ok(
            document.replace('"' + SluiceApplication.BASE_PATH + '"', '"' + base + '"'),
            MediaType.APPLICATION_JSON_TYPE)
        .build();
  }
}
