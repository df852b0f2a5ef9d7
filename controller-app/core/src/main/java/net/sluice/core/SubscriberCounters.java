package net.sluice.core;

import java.util.Collections;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import net.sluice.intents.model.Direction;

/**
 * The counters of one subscriber since it was declared or the switch started.
 *
 * @param down towards the subscriber
 * @param up from the subscriber
 * @param aggregates the directions in which it has a contract, with what was marked
 */
public record SubscriberCounters(Traffic down, Traffic up, Map<Direction, Marked> aggregates) {
  public SubscriberCounters {
    aggregates = Collections.unmodifiableMap(new TreeMap<>(aggregates));
  }

  /** Of a subscriber without a contract. */
  public SubscriberCounters(Traffic down, Traffic up) {
    this(down, up, Map.of());
  }

  /**
   * Packets of an aggregate by their mark.
   *
   * @param packetsInProfile packets within the contract
   * @param bytesInProfile their bytes
   * @param packetsOutOfProfile packets that are not
   * @param bytesOutOfProfile their bytes
   */
  public record Marked(
      long packetsInProfile,
      long bytesInProfile,
      long packetsOutOfProfile,
      long bytesOutOfProfile) {}

  /** The same with what aggregates were marked. */
  public SubscriberCounters with(Map<Direction, Marked> marked) {
    return new SubscriberCounters(down, up, marked);
  }

  /**
   * Traffic of one direction.
   *
   * @param packetsIn packets classified as the subscriber's; empty if the switch's program does not
   *     count these
   * @param bytesIn their bytes
   * @param packetsOut packets sent on after marking, dropping and queueing
   * @param bytesOut their bytes
   * @param packetsPoliced packets that a policed rate limit dropped; empty if the switch's program
   *     polices none
   * @param bytesPoliced their bytes
   * @param packetsOverflowed packets for which a limit that the switch shapes had no room to wait;
   *     empty if the switch's program shapes none
   * @param bytesOverflowed their bytes
   */
  public record Traffic(
      OptionalLong packetsIn,
      OptionalLong bytesIn,
      long packetsOut,
      long bytesOut,
      OptionalLong packetsPoliced,
      OptionalLong bytesPoliced,
      OptionalLong packetsOverflowed,
      OptionalLong bytesOverflowed) {
    /** All of it counted, and nothing dropped by a limit. */
    public Traffic(long packetsIn, long bytesIn, long packetsOut, long bytesOut) {
      this(
          OptionalLong.of(packetsIn),
          OptionalLong.of(bytesIn),
          packetsOut,
          bytesOut,
          OptionalLong.of(0),
          OptionalLong.of(0),
          OptionalLong.of(0),
          OptionalLong.of(0));
    }

    /** Only what is sent on is counted. */
    public static Traffic sent(long packets, long bytes) {
      OptionalLong none = OptionalLong.empty();
      return new Traffic(none, none, packets, bytes, none, none, none, none);
    }
  }

  /** The traffic of {@code direction}. */
  public Traffic of(Direction direction) {
    return direction == Direction.DOWN ? down : up;
  }
}
