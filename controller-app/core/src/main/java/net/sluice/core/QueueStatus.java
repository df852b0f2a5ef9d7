package net.sluice.core;

import java.util.Optional;
import net.sluice.intents.plan.SwitchEntry.QueueAqmEntry;

/**
 * A class queue whose delay is managed.
 *
 * @param setting the queue, and how it is managed
 * @param policy id of the policy that says so, one of several that agree; empty if the topology
 *     does
 * @param counters what has become of its packets
 */
public record QueueStatus(QueueAqmEntry setting, Optional<String> policy, QueueCounters counters) {}
