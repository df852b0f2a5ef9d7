package net.sluice.core;

import java.time.Instant;
import java.util.Optional;

/** Whether the store takes changes. What is in it can be read in either case. */
public sealed interface StoreHealth {
  /** Changes are kept as they come. */
  record Writable() implements StoreHealth {}

  /**
   * Changes are refused until the store can be written again, which is tried without being asked.
   *
   * @param reason the store's own words
   * @param since when it failed
   * @param next when it is tried again; empty while it is being tried
   */
  record Failed(String reason, Instant since, Optional<Instant> next) implements StoreHealth {}

  /** True if changes are kept as they come. */
  default boolean isWritable() {
    return this instanceof Writable;
  }
}
