package net.sluice.core;

import net.sluice.intents.model.Direction;

/**
 * What the switch has counted for one subscriber since it was declared or the switch started.
 *
 * @param down towards the subscriber
 * @param up from the subscriber
 */
public record SubscriberCounters(Traffic down, Traffic up) {
  /**
   * Traffic of one direction.
   *
   * @param packetsIn packets classified as the subscriber's
   * @param bytesIn their bytes
   * @param packetsOut packets sent on after marking, dropping and queueing
   * @param bytesOut their bytes
   */
  public record Traffic(long packetsIn, long bytesIn, long packetsOut, long bytesOut) {}

  /** The traffic of {@code direction}. */
  public Traffic of(Direction direction) {
    return direction == Direction.DOWN ? down : up;
  }
}
