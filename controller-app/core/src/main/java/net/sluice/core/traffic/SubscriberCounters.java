package net.sluice.core.traffic;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.WaitRange;

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
   * Packets and their bytes.
   *
   * @param packets at least 0
   * @param bytes of these frames where they were counted, at least 0
   */
  public record Count(long packets, long bytes) {
    /** Not one. */
    public static final Count NONE = new Count(0, 0);
  }

  /**
   * Traffic of one direction; a count is empty if the switch's program does not count there.
   *
   * @param in classified as the subscriber's
   * @param out sent on after marking, dropping and queueing
   * @param policed dropped by a policed rate limit
   * @param overflowed dropped under a limit that the switch shapes, for want of room to wait or
   *     because they would have waited longer than that allows
   * @param suspended dropped while the subscriber was suspended
   * @param shaped under limits that the switch shapes
   */
  public record Traffic(
      Optional<Count> in,
      Count out,
      Optional<Count> policed,
      Optional<Count> overflowed,
      Optional<Count> suspended,
      Optional<Shaped> shaped) {
    private static final Optional<Count> NOTHING = Optional.of(Count.NONE);

    /** All of it counted, and no packet under a limit or dropped by a suspension. */
    public Traffic(long packetsIn, long bytesIn, long packetsOut, long bytesOut) {
      this(
          Optional.of(new Count(packetsIn, bytesIn)),
          new Count(packetsOut, bytesOut),
          NOTHING,
          NOTHING,
          NOTHING,
          Optional.of(Shaped.NONE));
    }

    /** Only what is sent on is counted. */
    public static Traffic sent(long packets, long bytes) {
      return new Traffic(
          Optional.empty(),
          new Count(packets, bytes),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());
    }
  }

  /**
   * Packets under limits that the switch shapes.
   *
   * @param first went before what waited: light flows, and packets of scalable senders (RFC 9331);
   *     counted in {@code waits}, too
   * @param marked marked by ECN instead of dropped; of those let in counted in {@code waits}, too
   * @param dropped dropped by CoDel
   * @param waits those let in by how long they wait; all ranges
   */
  public record Shaped(Count first, Count marked, Count dropped, Map<WaitRange, Count> waits) {
    private static final Shaped NONE = new Shaped(Count.NONE, Count.NONE, Count.NONE, Map.of());

    public Shaped {
      Map<WaitRange, Count> all = new EnumMap<>(WaitRange.class);
      for (WaitRange range : WaitRange.values()) {
        all.put(range, waits.getOrDefault(range, Count.NONE));
      }
      waits = Collections.unmodifiableMap(all);
    }
  }

  /** The traffic of {@code direction}. */
  public Traffic of(Direction direction) {
    return direction == Direction.DOWN ? down : up;
  }
}
