package net.sluice.northbound.caller;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The parts of the API that a caller may use; each has those before it. */
public enum Role {
  /** All that is asked for and changes nothing, except the audit log. */
  READ,
  /** Changes of policies, subscribers and rate limits. */
  OPERATE,
  /** Everything: switches, reconcile, adopt, conflicts, the audit log. */
  ADMIN;

  /** As command lines and files have it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The role of that name. */
  public static Optional<Role> of(String text) {
    return Stream.of(values()).filter(role -> role.text().equals(text)).findAny();
  }

  /** Whether whoever has this role may do what another one is needed for. */
  public boolean includes(Role other) {
    return compareTo(other) >= 0;
  }
}
