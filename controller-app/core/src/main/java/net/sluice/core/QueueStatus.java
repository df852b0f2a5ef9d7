package net.sluice.core;

import java.util.Optional;
import net.sluice.intents.plan.SwitchEntry.QueueAqmEntry;

/**
 * A class queue whose delay is managed.
 *
 * @param switchName the switch it is at; empty if there is only one
 * @param setting the queue, and how it is managed
 * @param policy id of the policy that says so, one of several that agree; empty if the topology
 *     does
 * @param counters what has become of its packets
 */
public record QueueStatus(
    Optional<String> switchName,
    QueueAqmEntry setting,
    Optional<String> policy,
    QueueCounters counters) {
  /** The same of a switch that is one of several. */
  public QueueStatus at(String name) {
    return new QueueStatus(Optional.of(name), setting, policy, counters);
  }
}
