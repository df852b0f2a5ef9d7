package net.sluice.rest.request;

import java.util.List;
import javax.ws.rs.HttpMethod;
import javax.ws.rs.NotSupportedException;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.container.ContainerRequestFilter;
import javax.ws.rs.core.HttpHeaders;

/**
 * Refuses bodies that do not say what they are, which JAX-RS would take for what the resource
 * reads. A web page may send those, and some others, without asking the server first.
 */
public final class NamedMediaType implements ContainerRequestFilter {
  /** Commands to a target or the store, or about a conflict, have no body. */
  private static final List<String> COMMANDS = List.of("targets/", "conflicts/", "backup");

  @Override
  public void filter(ContainerRequestContext request) {
    boolean hasBody =
        request.getMethod().equals(HttpMethod.PUT)
            || request.getMethod().equals(HttpMethod.PATCH)
            || (request.getMethod().equals(HttpMethod.POST)
                && (COMMANDS.stream().noneMatch(request.getUriInfo().getPath()::startsWith)
                    || RequestForm.announcesBody(request)));
    if (hasBody && request.getHeaderString(HttpHeaders.CONTENT_TYPE) == null) {
      throw new NotSupportedException();
    }
  }
}
