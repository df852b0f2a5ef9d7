package net.sluice.standalone.http;

import java.io.InputStream;
import java.util.Map;
import java.util.Set;
import javax.ws.rs.GET;
import javax.ws.rs.NotFoundException;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.core.Response;
import net.sluice.rest.guard.Open;

/**
 * {@code docs}: a page that shows the OpenAPI document, by Swagger UI. Its files come with the
 * controller, and the browser is told to take nothing from anywhere else.
 */
@Path("docs")
public final class DocsResource {
  private static final String PAGE = "index.html";
  private static final String SWAGGER_UI = "/META-INF/resources/webjars/swagger-ui/5.34.1/";
  private static final Map<String, String> TYPES =
      Map.of(
          PAGE,
          "text/html;charset=utf-8",
          "page.js",
          "text/javascript;charset=utf-8",
          "swagger-ui.css",
          "text/css;charset=utf-8",
          "swagger-ui-bundle.js",
          "text/javascript;charset=utf-8");

  /** Paths of the page and of its files. */
  static final Set<String> PATHS =
      Set.of("docs", "docs/page.js", "docs/swagger-ui.css", "docs/swagger-ui-bundle.js");

  private static final String POLICY =
      "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self' data:;"
          + " style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'none';"
          + " frame-ancestors 'none'";

  /** The page. */
  @GET
  @Open
  public Response get() {
    return file(PAGE);
  }

  /** A file of it. */
  @GET
  @Open
  @Path("{file}")
  public Response get(@PathParam("file") String name) {
    if (!PATHS.contains("docs/" + name)) {
      throw new NotFoundException();
    }
    return file(name);
  }

  private static Response file(String name) {
    String at = name.startsWith("swagger-ui") ? SWAGGER_UI + name : "docs/" + name;
    InputStream content = DocsResource.class.getResourceAsStream(at);
    return Response.ok(content, TYPES.get(name))
        .header("Content-Security-Policy", POLICY)
        .header("X-Content-Type-Options", "nosniff")
        .build();
  }
}
