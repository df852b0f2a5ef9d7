package net.sluice.onos.rest;

import java.util.Optional;
import javax.servlet.http.HttpServletRequest;
import net.sluice.northbound.caller.Caller;
import net.sluice.northbound.caller.Role;
import net.sluice.northbound.caller.Standing;
import net.sluice.rest.host.Callers;
import net.sluice.rest.problem.ProblemDetail;
import net.sluice.rest.problem.ProblemDetail.FieldError;
import net.sluice.rest.problem.ProblemType;

/**
 * ONOS's users, whose logins its web server looks up when it is asked for the user of a request.
 * Their groups give the role: {@code admin} everything, {@code manager} changes of declarations,
 * {@code viewer} reading.
 */
final class OnosCallers implements Callers {
  private static final String ALLOWED = "Basic with name and password of a user of ONOS";
  private static final String GROUPS = "admin, manager or viewer";

  @Override
  public Result of(HttpServletRequest request) {
    String user = request.getRemoteUser();
    if (user == null) {
      boolean isAbsent = request.getHeader("Authorization") == null;
      return new Refused(
          ProblemDetail.of(
              ProblemType.UNAUTHORIZED,
              (isAbsent ? "Authorization is absent" : "The login in Authorization is not known")
                  + "; allowed: "
                  + ALLOWED
                  + ".",
              new FieldError("Authorization", isAbsent ? "absent" : "not known", ALLOWED)),
          true);
    }
    return role(request)
        .<Result>map(
            role -> new Known(new Caller(user, role, Callers.address(request)), Standing.LASTING))
        .orElseGet(
            () ->
                new Refused(
                    ProblemDetail.of(
                        ProblemType.FORBIDDEN,
                        user + " is in no group of Sluice's; allowed: " + GROUPS + ".",
                        new FieldError("group", "another one", GROUPS)),
                    false));
  }

  private static Optional<Role> role(HttpServletRequest request) {
    if (request.isUserInRole("admin")) {
      return Optional.of(Role.ADMIN);
    }
    if (request.isUserInRole("manager")) {
      return Optional.of(Role.OPERATE);
    }
    return request.isUserInRole("viewer") ? Optional.of(Role.READ) : Optional.empty();
  }

  @Override
  public String challenge() {
    return "Basic realm=\"karaf\"";
  }

  /** ONOS has no say about users but the one who has logged in. */
  @Override
  public Optional<String> whyNot(String name, Role needed) {
    return Optional.empty();
  }
}
