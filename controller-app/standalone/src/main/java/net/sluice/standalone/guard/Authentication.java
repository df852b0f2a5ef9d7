package net.sluice.standalone.guard;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.security.auth.x500.X500Principal;
import net.sluice.northbound.caller.Caller;
import net.sluice.northbound.caller.CallerRoles;
import net.sluice.northbound.caller.Role;
import net.sluice.rest.problem.ProblemDetail;
import net.sluice.rest.problem.ProblemDetail.FieldError;
import net.sluice.rest.problem.ProblemType;

/**
 * Says who sends a request: whoever has the token in it (RFC 6750 section 2.1), else whoever has
 * the certificate of its connection, else nobody. No text of it has any part of a token.
 */
public final class Authentication implements CallerRoles {
  private static final String ALLOWED = "Bearer with a token that 'sluice token add' has printed";
  private static final Pattern BEARER =
      Pattern.compile("[Bb][Ee][Aa][Rr][Ee][Rr] +([A-Za-z0-9._~+/-]{1,512}=*)");

  private final Optional<Tokens> tokens;

  private Authentication(Optional<Tokens> tokens) {
    this.tokens = tokens;
  }

  /** Asks for no proof: whoever can connect may do everything. */
  public static Authentication none() {
    return new Authentication(Optional.empty());
  }

  /** Asks for proof that one is among the callers of a file. */
  public static Authentication by(Tokens tokens) {
    return new Authentication(Optional.of(tokens));
  }

  /** Whether proof is asked for. */
  public boolean isRequired() {
    return tokens.isPresent();
  }

  /** Either the caller, or why the request is not served. */
  public sealed interface Result {
    /** The caller of a request. */
    record Known(Caller caller) implements Result {}

    /**
     * A request that is not served.
     *
     * @param isGuess whether it had a proof that is none, or none at all: it counts as a failure of
     *     its client
     */
    record Refused(ProblemDetail problem, boolean isGuess) implements Result {}
  }

  /**
   * Says whose a request is.
   *
   * @param authorization all its {@code Authorization} fields
   * @param certificate the subject of its connection's certificate, which has been verified
   * @param from its address
   */
  public Result of(List<String> authorization, Optional<X500Principal> certificate, String from) {
    if (tokens.isEmpty()) {
      return new Result.Known(new Caller(Caller.LOCAL, Role.ADMIN, from));
    }
    Optional<String> unusable = tokens.get().whyNone();
    if (unusable.isPresent()) {
      return new Result.Refused(
          ProblemDetail.of(
              ProblemType.UNAVAILABLE,
              "The controller's list of callers cannot be used; its log says why."),
          false);
    }
    if (authorization.isEmpty()) {
      return ofCertificate(certificate, from);
    }
    Matcher bearer = BEARER.matcher(authorization.get(0));
    if (authorization.size() > 1 || !bearer.matches()) {
      return refused("Authorization is of another form", "of another form");
    }
    return tokens
        .get()
        .withSecret(bearer.group(1))
        .map(found -> known(found, from))
        .orElseGet(() -> refused("The token in Authorization is not known", "not known"));
  }

  /**
   * Why the caller of a name may not do what needs a role; empty if it may.
   *
   * @param name as {@link Caller} has it
   */
  @Override
  public Optional<String> whyNot(String name, Role needed) {
    if (tokens.isEmpty()) {
      return Optional.empty();
    }
    Optional<String> unusable = tokens.get().whyNone();
    if (unusable.isPresent()) {
      return Optional.of("the controller's list of callers cannot be used");
    }
    Optional<Role> role = tokens.get().roleOf(name);
    if (role.isEmpty()) {
      return Optional.of(name + " is no caller any more");
    }
    return role.get().includes(needed)
        ? Optional.empty()
        : Optional.of(
            name + " has role " + role.get().text() + " by now; this needs " + needed.text());
  }

  private Result ofCertificate(Optional<X500Principal> certificate, String from) {
    if (certificate.isEmpty()) {
      return refused("Authorization is absent", "absent");
    }
    String subject = certificate.get().getName();
    return tokens
        .get()
        .withSubject(certificate.get())
        .map(found -> known(found, from))
        .orElseGet(
            () ->
                refused(
                    "Authorization is absent, and the certificate's subject "
                        + subject
                        + " has no role",
                    "absent"));
  }

  private static Result known(KnownCaller found, String from) {
    return new Result.Known(new Caller(found.name(), found.role(), from));
  }

  private static Result refused(String what, String value) {
    return new Result.Refused(
        ProblemDetail.of(
            ProblemType.UNAUTHORIZED,
            what + "; allowed: " + ALLOWED + ".",
            new FieldError("Authorization", value, ALLOWED)),
        true);
  }
}
