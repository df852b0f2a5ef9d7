package net.sluice.onos.rest;

import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import net.sluice.northbound.caller.Caller;
import net.sluice.northbound.caller.Role;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.problem.ProblemDetail;
import net.sluice.rest.problem.ProblemDetail.FieldError;
import net.sluice.rest.problem.ProblemType;

/**
 * Says whose a request is: ONOS's web container has made sure of the user by then. Its groups give
 * the role: {@code admin} everything, {@code manager} changes of declarations, {@code viewer}
 * reading. Refuses web pages of other origins, to which a browser would add its login.
 */
public final class CallerFilter implements Filter {
  private static final String REQUEST_ID = "X-Request-Id";
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  @Override
  public void init(FilterConfig config) {}

  @Override
  public void destroy() {}

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    HttpServletRequest from = (HttpServletRequest) request;
    HttpServletResponse to = (HttpServletResponse) response;
    String given = from.getHeader(REQUEST_ID);
    String id = given != null && ID.matcher(given).matches() ? given : UUID.randomUUID().toString();
    to.setHeader(REQUEST_ID, id);
    from.setAttribute(Caller.REQUEST_ID, id);
    Optional<ProblemDetail> refused = ofOrigin(from);
    if (refused.isPresent()) {
      to.setStatus(refused.get().status());
      to.setContentType(ProblemDetail.MEDIA_TYPE.toString());
      new JsonAnswer(refused.get()::write).write(to.getOutputStream());
      return;
    }
    String user = from.getRemoteUser() == null ? "unknown" : from.getRemoteUser();
    from.setAttribute(Caller.ATTRIBUTE, new Caller(user, role(from), from.getRemoteAddr()));
    chain.doFilter(request, response);
  }

  private static Role role(HttpServletRequest from) {
    return from.isUserInRole("admin")
        ? Role.ADMIN
        : from.isUserInRole("manager") ? Role.OPERATE : Role.READ;
  }

  /** A page of the same host and port may call the API, as ONOS's own pages do. */
  private static Optional<ProblemDetail> ofOrigin(HttpServletRequest from) {
    String origin = from.getHeader("Origin");
    String host = from.getHeader("Host");
    if (origin == null || host != null && host.equalsIgnoreCase(authority(origin))) {
      return Optional.empty();
    }
    String allowed = "absent, or that of this host";
    return Optional.of(
        ProblemDetail.of(
            ProblemType.FORBIDDEN,
            "Web pages of Origin " + origin + " may not call the API; allowed: " + allowed + ".",
            new FieldError("Origin", origin, allowed)));
  }

  private static String authority(String origin) {
    try {
      return URI.create(origin).getRawAuthority();
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
