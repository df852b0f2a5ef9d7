package net.sluice.standalone.guard;

import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.security.auth.x500.X500Principal;
import javax.servlet.http.HttpServletRequest;
import net.sluice.northbound.caller.Caller;
import net.sluice.northbound.caller.Role;
import net.sluice.rest.host.Callers;
import net.sluice.rest.problem.ProblemDetail;
import net.sluice.rest.problem.ProblemDetail.FieldError;
import net.sluice.rest.problem.ProblemType;

/**
 * Says who sends a request: the caller with the token in it (RFC 6750 section 2.1), else the one
 * with the certificate of its connection. No text of it has any part of a token.
 */
public final class Authentication implements Callers {
  private static final String ALLOWED = "Bearer with a token that 'sluice token add' has printed";
  private static final String CERTIFICATE = "javax.servlet.request.X509Certificate";
  private static final Pattern BEARER =
      Pattern.compile("[Bb][Ee][Aa][Rr][Ee][Rr] +([A-Za-z0-9._~+/-]{1,512}=*)");

  private final Tokens tokens;

  /** Asks for proof that one is among the callers of a file. */
  public Authentication(Tokens tokens) {
    this.tokens = tokens;
  }

  /** The proof that a request came with: all its {@code Authorization}, and its certificate. */
  private record Proof(List<String> authorization, Optional<X509Certificate> certificate) {
    static Proof of(HttpServletRequest request) {
      // The connection has verified it.
      X509Certificate[] chain = (X509Certificate[]) request.getAttribute(CERTIFICATE);
      return new Proof(
          Collections.list(request.getHeaders("Authorization")),
          chain == null || chain.length == 0 ? Optional.empty() : Optional.of(chain[0]));
    }
  }

  @Override
  public String challenge() {
    return "Bearer realm=\"sluice\"";
  }

  @Override
  public Result of(HttpServletRequest request) {
    return of(Proof.of(request), Callers.address(request));
  }

  private Result of(Proof proof, String from) {
    Optional<String> unusable = tokens.whyNone();
    if (unusable.isPresent()) {
      return new Refused(
          ProblemDetail.of(
              ProblemType.UNAVAILABLE,
              "The controller's list of callers cannot be used; its log says why."),
          false);
    }
    if (proof.authorization().isEmpty()) {
      return ofCertificate(proof, from);
    }
    Matcher bearer = BEARER.matcher(proof.authorization().get(0));
    if (proof.authorization().size() > 1 || !bearer.matches()) {
      return refused("Authorization is of another form", "of another form");
    }
    return tokens
        .withSecret(bearer.group(1))
        .map(found -> known(found, proof, from))
        .orElseGet(() -> refused("The token in Authorization is not known", "not known"));
  }

  private Result ofCertificate(Proof proof, String from) {
    if (proof.certificate().isEmpty()) {
      return refused("Authorization is absent", "absent");
    }
    X500Principal subject = proof.certificate().get().getSubjectX500Principal();
    return tokens
        .withSubject(subject)
        .map(found -> known(found, proof, from))
        .orElseGet(
            () ->
                refused(
                    "Authorization is absent, and the certificate's subject "
                        + subject.getName()
                        + " has no role",
                    "absent"));
  }

  private Result known(KnownCaller found, Proof proof, String from) {
    Caller caller = new Caller(found.name(), found.role(), from);
    return new Known(caller, needed -> ended(proof, caller, needed));
  }

  /** Why what proved who the caller is proves it no more, or that role is not its; else empty. */
  private Optional<String> ended(Proof proof, Caller caller, Role needed) {
    if (proof.certificate().filter(each -> each.getNotAfter().before(new Date())).isPresent()) {
      return Optional.of("the certificate of this connection has expired");
    }
    return of(proof, caller.from()) instanceof Known
        ? whyNot(caller.name(), needed)
        : Optional.of("the proof of who asks, " + caller.name() + ", holds no more");
  }

  /**
   * Why the caller of a name may not do what needs a role; empty if it may.
   *
   * @param name as {@link Caller} has it
   */
  @Override
  public Optional<String> whyNot(String name, Role needed) {
    Optional<String> unusable = tokens.whyNone();
    if (unusable.isPresent()) {
      return Optional.of("the controller's list of callers cannot be used");
    }
    Optional<Role> role = tokens.roleOf(name);
    if (role.isEmpty()) {
      return Optional.of(name + " is no caller any more");
    }
    return role.get().includes(needed)
        ? Optional.empty()
        : Optional.of(
            name + " has role " + role.get().text() + " by now; this needs " + needed.text());
  }

  private static Result refused(String what, String value) {
    return new Refused(
        ProblemDetail.of(
            ProblemType.UNAUTHORIZED,
            what + "; allowed: " + ALLOWED + ".",
            new FieldError("Authorization", value, ALLOWED)),
        true);
  }
}
