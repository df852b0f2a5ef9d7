package net.sluice.core.traffic;

import java.util.Optional;
import net.sluice.intents.compile.ManagedQueue;

/**
 * A class queue whose delay is managed.
 *
 * @param switchName the switch it is at; empty if there is only one
 * @param managed the queue, how it is managed, and who says so
 * @param counters what has become of its packets
 */
public record QueueStatus(
    Optional<String> switchName, ManagedQueue managed, QueueCounters counters) {
  /** The same of a switch that is one of several. */
  public QueueStatus at(String name) {
    return new QueueStatus(Optional.of(name), managed, counters);
  }
}
