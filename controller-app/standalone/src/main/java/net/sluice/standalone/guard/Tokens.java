package net.sluice.standalone.guard;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import javax.security.auth.x500.X500Principal;
import net.sluice.endpoints.FileStamp;
import net.sluice.northbound.caller.Role;
import net.sluice.standalone.guard.Credential.HashedSecret;
import net.sluice.standalone.guard.Credential.Subject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The callers that a file names. It is looked at with each request, so that whoever is revoked is
 * refused from the next one on. While it cannot be used nobody is known.
 */
public final class Tokens {
  private static final Logger LOG = LoggerFactory.getLogger(Tokens.class);

  private final TokenFile file;
  private Optional<FileStamp> stamp;
  private List<KnownCaller> callers;
  private Optional<String> whyNone = Optional.empty();

  /**
   * Reads the file.
   *
   * @throws TokenFile.Unusable if it cannot be used
   */
  public Tokens(TokenFile file) throws TokenFile.Unusable {
    this.file = file;
    stamp = stamp();
    callers = file.read();
  }

  /** The caller with a secret. */
  Optional<KnownCaller> withSecret(String secret) {
    HashedSecret given = HashedSecret.of(secret);
    Optional<KnownCaller> found = Optional.empty();
    // All of them, so that the time says nothing of where it is.
    for (KnownCaller each : callers()) {
      if (each.credential() instanceof HashedSecret known && known.matches(given)) {
        found = Optional.of(each);
      }
    }
    return found;
  }

  /** The caller with a certificate of that subject. */
  Optional<KnownCaller> withSubject(X500Principal subject) {
    return callers().stream()
        .filter(each -> each.credential().equals(new Subject(subject)))
        .findFirst();
  }

  /** The role of the caller of a name. */
  Optional<Role> roleOf(String name) {
    return callers().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .map(KnownCaller::role);
  }

  /** Why no caller is known at all; empty if the file can be used. */
  synchronized Optional<String> whyNone() {
    List<KnownCaller> unused = callers();
    return whyNone;
  }

  private synchronized List<KnownCaller> callers() {
    Optional<FileStamp> now = stamp();
    if (!now.equals(stamp)) {
      stamp = now;
      try {
        callers = file.read();
        whyNone = Optional.empty();
        LOG.info("{} was read anew: {} callers", file.path(), callers.size());
      } catch (TokenFile.Unusable e) {
        callers = List.of();
        whyNone = Optional.of(e.getMessage());
        LOG.error("nobody may call the API: {}", e.getMessage());
      }
    }
    return callers;
  }

  private Optional<FileStamp> stamp() {
    try {
      return Optional.of(FileStamp.of(file.path()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
