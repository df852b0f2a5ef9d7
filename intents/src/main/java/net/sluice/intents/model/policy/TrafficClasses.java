package net.sluice.intents.model.policy;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.sluice.intents.value.InvalidValueException;

/**
 * The classes of a policy's subscribers, as declared; none where all traffic is one class. Of
 * several exactly one takes the packets that no other names.
 */
public record TrafficClasses(List<TrafficClass> all) {
  /** Most classes of a policy. */
  public static final int MAX = 8;

  /** Of a policy without classes. */
  public static final TrafficClasses NONE = new TrafficClasses(List.of());

  private static final String FIELD = "classes";

  public TrafficClasses {
    all = List.copyOf(all);
    if (all.size() > MAX) {
      throw new InvalidValueException(FIELD, all.size() + " classes", "at most " + MAX);
    }
    long ofOthers = all.stream().filter(TrafficClass::isOfOthers).count();
    if (!all.isEmpty() && ofOthers != 1) {
      throw new InvalidValueException(
          FIELD,
          ofOthers + " classes without dscp",
          "exactly one, which takes the packets that no other class names");
    }
    requireUnique(all);
  }

  private static void requireUnique(List<TrafficClass> all) {
    Set<String> names = new HashSet<>();
    Set<Integer> codepoints = new HashSet<>();
    Set<Integer> priorities = new HashSet<>();
    for (int i = 0; i < all.size(); i++) {
      TrafficClass each = all.get(i);
      String before = FIELD + "[" + i + "].";
      if (!names.add(each.name())) {
        throw new InvalidValueException(
            before + "name", each.name(), "a name that no other class of the policy has");
      }
      for (int codepoint : each.dscp()) {
        if (!codepoints.add(codepoint)) {
          throw new InvalidValueException(
              before + "dscp", codepoint, "codepoints named once, by one class of the policy");
        }
      }
      if (each.priority().isPresent() && !priorities.add(each.priority().getAsInt())) {
        throw new InvalidValueException(
            before + "priority",
            each.priority().getAsInt(),
            "a priority that no other class of the policy has");
      }
    }
  }

  /** True if there are classes. */
  public boolean any() {
    return !all.isEmpty();
  }

  /** Their number, for people: {@code 3 classes}. */
  public String text() {
    return all.size() + (all.size() == 1 ? " class" : " classes");
  }
}
