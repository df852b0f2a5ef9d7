package net.sluice.rest.host;

import java.util.Optional;
import javax.servlet.http.HttpServletRequest;
import net.sluice.northbound.caller.Caller;
import net.sluice.northbound.caller.CallerRoles;
import net.sluice.northbound.caller.Role;
import net.sluice.northbound.caller.Standing;
import net.sluice.rest.problem.ProblemDetail;

/** Says who sends a request, as a host makes sure of it, and for how long. Thread-safe. */
public interface Callers extends CallerRoles {
  /** Asks for no proof: everybody who can connect may do everything. */
  Callers ANYBODY =
      new Callers() {
        @Override
        public Result of(HttpServletRequest request) {
          return new Known(
              new Caller(Caller.LOCAL, Role.ADMIN, address(request)), Standing.LASTING);
        }

        @Override
        public Optional<String> whyNot(String name, Role needed) {
          return Optional.empty();
        }

        @Override
        public String challenge() {
          throw new IllegalStateException("no proof is asked for");
        }
      };

  /** Either the caller, or why the request is not served. */
  sealed interface Result {}

  /**
   * The caller of a request.
   *
   * @param standing whether that is so still, while what was begun goes on
   */
  record Known(Caller caller, Standing standing) implements Result {}

  /**
   * A request that is not served.
   *
   * @param isGuess whether it had a proof that is none, or none at all: it counts as a failure of
   *     its client
   */
  record Refused(ProblemDetail problem, boolean isGuess) implements Result {}

  /** The address that a request comes from; web servers put those of IPv6 in brackets. */
  static String address(HttpServletRequest request) {
    return request.getRemoteAddr().replaceAll("[\\[\\]]", "");
  }

  /** Says whose a request is. */
  Result of(HttpServletRequest request);

  /** The proof that is asked for, as {@code WWW-Authenticate} has it. */
  String challenge();
}
