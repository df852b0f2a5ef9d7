package net.sluice.core.target;

import java.util.concurrent.CompletableFuture;
import net.sluice.core.SubscriberCounters;

/** A switch whose subscriber counters can be read. */
public interface CounterSource {
  /**
   * Reads a subscriber's counters.
   *
   * @param subscriberIndex 1 or more
   * @return completed exceptionally if the switch cannot be read
   */
  CompletableFuture<SubscriberCounters> readCounters(int subscriberIndex);
}
