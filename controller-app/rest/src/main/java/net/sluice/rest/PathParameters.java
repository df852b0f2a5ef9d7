package net.sluice.rest;

import java.util.List;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.container.ContainerRequestFilter;
import javax.ws.rs.container.PreMatching;
import net.sluice.intents.validate.Problem;
import net.sluice.rest.problem.ProblemDetail;

/**
 * Refuses path parameters ({@code ;name=value}, RFC 3986 section 3.3), which JAX-RS would drop: a
 * request for {@code a;x=1} must not change {@code a}.
 */
@PreMatching
final class PathParameters implements ContainerRequestFilter {
  @Override
  public void filter(ContainerRequestContext request) {
    String path = request.getUriInfo().getRequestUri().getRawPath();
    if (path.contains(";")) {
      request.abortWith(
          ProblemDetail.of(
                  List.of(
                      Problem.of(
                          Problem.Code.MALFORMED, "path", path, "a path without parameters (;)")))
              .response());
    }
  }
}
