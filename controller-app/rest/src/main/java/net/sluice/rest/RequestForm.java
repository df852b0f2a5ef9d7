package net.sluice.rest;

import java.util.List;
import java.util.Set;
import javax.ws.rs.HttpMethod;
import javax.ws.rs.NotAcceptableException;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.container.ContainerRequestFilter;
import javax.ws.rs.container.PreMatching;
import javax.ws.rs.core.HttpHeaders;
import javax.ws.rs.core.MediaType;
import net.sluice.intents.validate.Problem;
import net.sluice.rest.json.ObjectReader;
import net.sluice.rest.problem.ProblemDetail;

/** Refuses requests that JAX-RS would take for others than they are, or refuse without a word. */
@PreMatching
final class RequestForm implements ContainerRequestFilter {
  private static final Set<String> WITH_BODY =
      Set.of(HttpMethod.PUT, HttpMethod.PATCH, HttpMethod.POST);

  @Override
  public void filter(ContainerRequestContext request) {
    refusePathParameters(request);
    try {
      List<MediaType> unused = request.getAcceptableMediaTypes();
    } catch (RuntimeException e) {
      throw new NotAcceptableException(e);
    }
    refuseBody(request);
  }

  /**
   * Path parameters ({@code ;name=value}, RFC 3986 section 3.3) would be dropped: a request for
   * {@code a;x=1} must not change {@code a}.
   */
  private static void refusePathParameters(ContainerRequestContext request) {
    String path = request.getUriInfo().getRequestUri().getRawPath();
    if (path.contains(";")) {
      refuse(
          request,
          Problem.of(Problem.Code.MALFORMED, "path", path, "a path without parameters (;)"));
    }
  }

  /** A body that would mean nothing (RFC 9110 section 9.3.1) was meant to mean something. */
  private static void refuseBody(ContainerRequestContext request) {
    if (!WITH_BODY.contains(request.getMethod()) && announcesBody(request)) {
      refuse(
          request,
          Problem.of(
              Problem.Code.MALFORMED,
              ObjectReader.DOCUMENT,
              "present",
              "none with " + request.getMethod()));
    }
  }

  /**
   * True if the header says that a body follows (RFC 9112 section 6.3). Asking JAX-RS whether there
   * is one would wait for its first byte, and so for the client.
   */
  static boolean announcesBody(ContainerRequestContext request) {
    String length = request.getHeaderString(HttpHeaders.CONTENT_LENGTH);
    return request.getHeaderString("Transfer-Encoding") != null
        || (length != null && !length.equals("0"));
  }

  private static void refuse(ContainerRequestContext request, Problem problem) {
    request.abortWith(ProblemDetail.of(List.of(problem)).response());
  }
}
