package net.sluice.rest.host;

import java.util.Optional;
import java.util.function.Function;

/** A service that a host has, or does not have for a reason that clients are told. */
public sealed interface Capability<T> {
  /** The host has it. */
  record Present<T>(T service) implements Capability<T> {}

  /**
   * The host does not have it.
   *
   * @param reason for people, a clause that says what serves instead
   */
  record Absent<T>(String reason) implements Capability<T> {}

  /** Why the host does not have it; empty if it does. */
  default Optional<String> whyAbsent() {
    return this instanceof Absent<T> absent ? Optional.of(absent.reason()) : Optional.empty();
  }

  /** The service, or what stands for one that is absent. */
  default T orElse(Function<String, T> standIn) {
    return this instanceof Present<T> present
        ? present.service()
        : standIn.apply(whyAbsent().orElseThrow());
  }
}
