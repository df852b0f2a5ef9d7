package net.sluice.intents.model;

import java.util.List;
import java.util.OptionalInt;

/**
 * A class of a subscriber's traffic, and how it comes by its part of the subscriber's rate limit:
 * by a priority before all classes with shares, or by a share of what these leave.
 *
 * @param name for people, see {@link Ids}
 * @param dscp codepoints of its packets, 0 to {@value #MAX_DSCP}; none for the class of all packets
 *     that no other class of the policy names
 * @param priority 1 to {@value #MAX_PRIORITY}, 1 first; empty with a share
 * @param share 1 to {@value #MAX_SHARE}, against the shares of the other classes
 */
public record TrafficClass(
    String name, List<Integer> dscp, OptionalInt priority, OptionalInt share) {
  /** Highest codepoint. */
  public static final int MAX_DSCP = 63;

  /** Last priority. */
  public static final int MAX_PRIORITY = 8;

  /** Largest share. */
  public static final int MAX_SHARE = 14;

  public TrafficClass {
    Ids.require("name", name);
    dscp = dscp.stream().sorted().toList();
    dscp.forEach(codepoint -> Ranges.require("dscp", codepoint, 0, MAX_DSCP));
    if (priority.isPresent() == share.isPresent()) {
      throw new InvalidValueException(
          "share", priority.isPresent() ? "given beside priority" : "absent", "priority or share");
    }
    priority.ifPresent(value -> Ranges.require("priority", value, 1, MAX_PRIORITY));
    share.ifPresent(value -> Ranges.require("share", value, 1, MAX_SHARE));
  }

  /** True for the class of all packets that no other class names. */
  public boolean isOfOthers() {
    return dscp.isEmpty();
  }
}
