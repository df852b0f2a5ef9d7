package net.sluice.intents.model.policy;

import java.util.List;
import java.util.OptionalInt;
import net.sluice.intents.field.Field;
import net.sluice.intents.field.Form;
import net.sluice.intents.value.Ids;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.intents.value.Ranges;

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
@Form(
    says =
        "A class of a subscriber's traffic, with a priority or a share. Classes with priorities go"
            + " before all others; shares divide what they leave.")
public record TrafficClass(
    @Field(number = 1, says = "Its name: " + Ids.ALLOWED + ".", id = true) String name,
    @Field(
            number = 2,
            says = "Codepoints of its packets; absent of the class of all others.",
            min = "0",
            max = "" + TrafficClass.MAX_DSCP,
            items = "codepoints",
            minItems = 1,
            maxItems = TrafficClass.MAX_DSCP + 1)
        List<Integer> dscp,
    @Field(
            number = 3,
            says = "Which it is of those that go first, 1 before 2.",
            min = "1",
            max = "" + TrafficClass.MAX_PRIORITY)
        OptionalInt priority,
    @Field(
            number = 4,
            says = "Its share, against those of the other classes.",
            min = "1",
            max = "" + TrafficClass.MAX_SHARE)
        OptionalInt share) {
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
