package net.sluice.rest.testing;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.servlet.http.HttpServletRequest;
import net.sluice.northbound.caller.Caller;
import net.sluice.northbound.caller.Role;
import net.sluice.northbound.caller.Standing;
import net.sluice.rest.host.Callers;
import net.sluice.rest.problem.ProblemDetail;
import net.sluice.rest.problem.ProblemType;
import net.sluice.testing.Http;

/** The users of {@link TestEdge}, each with the role of its place. */
final class TestCallers implements Callers {
  @Override
  public Result of(HttpServletRequest request) {
    String given = request.getHeader("Authorization");
    List<String> users = TestEdge.USERS;
    return Stream.of(Role.values())
        .filter(role -> Http.basic(users.get(role.ordinal())).equals(given))
        .findFirst()
        .<Result>map(
            role ->
                new Known(
                    new Caller(
                        users.get(role.ordinal()).replaceFirst(":.*", ""),
                        role,
                        request.getRemoteAddr()),
                    Standing.LASTING))
        .orElseGet(
            () ->
                new Refused(
                    ProblemDetail.of(
                        ProblemType.UNAUTHORIZED,
                        given == null
                            ? "Authorization is absent."
                            : "The login in Authorization is not known."),
                    true));
  }

  @Override
  public String challenge() {
    return "Basic realm=\"test\"";
  }

  @Override
  public Optional<String> whyNot(String name, Role needed) {
    return Optional.empty();
  }
}
