package net.sluice.rest.edge;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.ws.rs.HttpMethod;
import javax.ws.rs.core.HttpHeaders;
import javax.ws.rs.core.MediaType;
import net.sluice.rest.bulk.ChangeLines;
import net.sluice.rest.host.AllowedCallers;
import net.sluice.rest.json.MergePatch;
import net.sluice.rest.problem.ProblemDetail;
import net.sluice.rest.problem.ProblemDetail.FieldError;
import net.sluice.rest.problem.ProblemType;
import net.sluice.rest.request.RequestBody;

/** Refuses requests by their head: of other web pages, for other hosts, of another form. */
final class AllowedRequests implements Step {
  private static final String TRANSFER_ENCODING = "Transfer-Encoding";
  private static final Pattern MEDIA_TYPE = Pattern.compile("[^\\s/;,\"]+/[^\\s/;,\"]+\\s*(;|$)");

  private final Supplier<AllowedCallers> allowed;

  AllowedRequests(Supplier<AllowedCallers> allowed) {
    this.allowed = allowed;
  }

  @Override
  public void take(HttpServletRequest from, HttpServletResponse to, FilterChain next)
      throws IOException, ServletException {
    Optional<ProblemDetail> refusal =
        ofFraming(from)
            .or(() -> ofRepeated(from))
            .or(
                () ->
                    allowed
                        .get()
                        .refusal(
                            from.getHeader("Host"), from.getHeader("Origin"), from.getScheme()))
            .or(() -> ofMediaType(from));
    if (refusal.isPresent()) {
      Refusals.refuse(from, to, refusal.get());
    } else {
      next.doFilter(from, to);
    }
  }

  /** Some web servers take the first of several. */
  private static Optional<ProblemDetail> ofRepeated(HttpServletRequest from) {
    return Stream.of("Host", "Origin")
        .filter(name -> Collections.list(from.getHeaders(name)).size() > 1)
        .map(
            name ->
                ProblemDetail.of(
                    ProblemType.MALFORMED,
                    name + " is there more than once; allowed: once.",
                    new FieldError(name, "more than once", "once")))
        .findFirst();
  }

  /** Web servers read a body whose last coding is chunked, also if it has others. */
  private static Optional<ProblemDetail> ofFraming(HttpServletRequest from) {
    String codings =
        Collections.list(from.getHeaders(TRANSFER_ENCODING)).stream()
            .collect(Collectors.joining(", "));
    if (codings.isEmpty()) {
      return Optional.empty();
    }
    if (from.getProtocol().equals("HTTP/1.0")) {
      // RFC 9112 section 6.1.
      return Optional.of(
          ofTransferEncoding(HttpServletResponse.SC_BAD_REQUEST, codings, "absent in HTTP/1.0"));
    }
    return codings.equalsIgnoreCase("chunked")
        ? Optional.empty()
        : Optional.of(
            ofTransferEncoding(HttpServletResponse.SC_NOT_IMPLEMENTED, codings, "chunked"));
  }

  private static ProblemDetail ofTransferEncoding(int status, String value, String allowed) {
    return new ProblemDetail(
        ProblemType.HTTP,
        status,
        TRANSFER_ENCODING + " is '" + value + "'; allowed: " + allowed + ".",
        List.of(new ProblemDetail.FieldError(TRANSFER_ENCODING, value, allowed)),
        Optional.empty());
  }

  /** JAX-RS would refuse a type without a form (RFC 9110 section 8.3.1) without saying why. */
  private static Optional<ProblemDetail> ofMediaType(HttpServletRequest from) {
    String type = from.getHeader(HttpHeaders.CONTENT_TYPE);
    if (type == null || MEDIA_TYPE.matcher(type).lookingAt()) {
      return Optional.empty();
    }
    String allowed =
        RequestBody.isBulk(from)
            ? ChangeLines.MEDIA_TYPE
            : from.getMethod().equals(HttpMethod.PATCH)
                ? MergePatch.MEDIA_TYPE
                : MediaType.APPLICATION_JSON;
    return Optional.of(ProblemDetail.ofMediaType(type, allowed));
  }
}
