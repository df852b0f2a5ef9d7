package net.sluice.northbound.caller;

import java.util.Optional;

/** The roles of callers by now: what they have begun ends when their role for it does. */
@FunctionalInterface
public interface CallerRoles {
  /** Every caller has every role, for ever. */
  CallerRoles LASTING = (name, needed) -> Optional.empty();

  /** Why the caller of a name may not do what needs a role; empty if it may. */
  Optional<String> whyNot(String name, Role needed);
}
