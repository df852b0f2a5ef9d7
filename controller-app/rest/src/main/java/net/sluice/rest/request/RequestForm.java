package net.sluice.rest.request;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
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
import net.sluice.rest.problem.ProblemDetail.FieldError;
import net.sluice.rest.problem.ProblemType;

/** Refuses requests that JAX-RS would take for others than they are, or refuse without a word. */
@PreMatching
public final class RequestForm implements ContainerRequestFilter {
  private static final String IDENTITY = "identity";
  private static final Pattern ENCODED = Pattern.compile("%([0-7]\\p{XDigit})");
  private static final Pattern UNRESERVED = Pattern.compile("[A-Za-z0-9._~-]");
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
    refuseCodings(request);
    refuseBody(request);
    normalise(request);
  }

  /**
   * Takes away the percent-encoding of characters that need none: it changes nothing of what a URI
   * means (RFC 3986 section 6.2.2.2), and resources are found by their plain paths.
   */
  private static void normalise(ContainerRequestContext request) {
    String path = request.getUriInfo().getRequestUri().getRawPath();
    String plain =
        ENCODED
            .matcher(path)
            .replaceAll(
                octet -> {
                  String decoded = Character.toString(Integer.parseInt(octet.group(1), 16));
                  return UNRESERVED.matcher(decoded).matches() ? decoded : octet.group();
                });
    if (!plain.equals(path)) {
      request.setRequestUri(
          request.getUriInfo().getBaseUri(),
          request.getUriInfo().getRequestUriBuilder().replacePath(plain).build());
    }
  }

  /** A body in a coding would be read as what it is not (RFC 9110 section 15.5.16). */
  private static void refuseCodings(ContainerRequestContext request) {
    String codings = request.getHeaderString(HttpHeaders.CONTENT_ENCODING);
    if (codings != null && !codings.equalsIgnoreCase(IDENTITY)) {
      request.abortWith(
          ProblemDetail.of(
                  ProblemType.UNSUPPORTED_MEDIA_TYPE,
                  "Content-Encoding is '" + codings + "'; allowed: a body without a coding.",
                  new FieldError(HttpHeaders.CONTENT_ENCODING, codings, "absent"))
              .builder()
              .header(HttpHeaders.ACCEPT_ENCODING, IDENTITY)
              .build());
    }
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
