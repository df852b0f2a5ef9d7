package net.sluice.northbound.caller;

import java.util.Optional;

/**
 * The right of a caller to what it has begun, which is asked for again while that goes on: a token
 * may be revoked meanwhile, a certificate's time be over.
 */
@FunctionalInterface
public interface Standing {
  /** The attribute of a request that has the standing of its caller. */
  String ATTRIBUTE = "net.sluice.standing";

  /** Of callers who need no proof. */
  Standing LASTING = needed -> Optional.empty();

  /** Why the caller may not go on with what needs that role; empty if it may. */
  Optional<String> endedFor(Role needed);
}
