package net.sluice.core;

/**
 * The counters of one class queue whose delay is managed, since the program was loaded.
 *
 * @param droppedPackets packets dropped to keep the delay down
 * @param droppedBytes their bytes
 * @param markedPackets packets marked (ECN) instead
 * @param markedBytes their bytes
 * @param cycles congestion cycles: how often the delay has reached the target
 * @param mirroredPackets packets that carried state from one copy of it to the other
 */
public record QueueCounters(
    long droppedPackets,
    long droppedBytes,
    long markedPackets,
    long markedBytes,
    long cycles,
    long mirroredPackets) {}
