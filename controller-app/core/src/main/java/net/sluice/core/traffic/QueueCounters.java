package net.sluice.core.traffic;

import java.util.Optional;

/**
 * The counters of one class queue whose delay is managed, since the program was loaded.
 *
 * @param droppedPackets packets dropped to keep the delay down
 * @param droppedBytes their bytes
 * @param markedPackets packets marked (ECN) instead
 * @param markedBytes their bytes
 * @param cycles congestion cycles: how often the delay has reached the target
 * @param mirroredPackets packets that carried state from one copy of it to the other
 * @param rio where the switch has RIO, what that did before the queue; what it dropped is dropped
 *     above too
 */
public record QueueCounters(
    long droppedPackets,
    long droppedBytes,
    long markedPackets,
    long markedBytes,
    long cycles,
    long mirroredPackets,
    Optional<Rio> rio) {
  /** Of a switch without RIO. */
  public QueueCounters(
      long droppedPackets,
      long droppedBytes,
      long markedPackets,
      long markedBytes,
      long cycles,
      long mirroredPackets) {
    this(
        droppedPackets,
        droppedBytes,
        markedPackets,
        markedBytes,
        cycles,
        mirroredPackets,
        Optional.empty());
  }

  /**
   * Packets that RIO let into the queue, and packets that it dropped.
   *
   * @param passedIn within their contract, let in
   * @param droppedIn within their contract, dropped
   * @param passedOut of all others, let in
   * @param droppedOut of all others, dropped
   */
  public record Rio(long passedIn, long droppedIn, long passedOut, long droppedOut) {}
}
