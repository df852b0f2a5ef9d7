package net.sluice.intents.model;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import net.sluice.intents.value.Ids;
import net.sluice.intents.value.InvalidValueException;

/**
 * Words of an operator's own about a declaration, by key. Nothing on a target depends on them.
 *
 * @param byKey keys and values as {@link Ids}; at most {@link #MAX_LABELS}
 */
public record Labels(SortedMap<String, String> byKey) {
  /** Most labels that one declaration may have. */
  public static final int MAX_LABELS = 16;

  /** No label. */
  public static final Labels NONE = new Labels(new TreeMap<>());

  private static final String FIELD = "labels";

  public Labels {
    byKey = Collections.unmodifiableSortedMap(new TreeMap<>(byKey));
    if (byKey.size() > MAX_LABELS) {
      throw new InvalidValueException(
          FIELD, byKey.size() + " labels", "at most " + MAX_LABELS + " labels");
    }
    for (Map.Entry<String, String> label : byKey.entrySet()) {
      if (!Ids.isValid(label.getKey())) {
        throw new InvalidValueException(FIELD, label.getKey(), "keys of " + Ids.ALLOWED);
      }
      Ids.require(FIELD + "." + label.getKey(), label.getValue());
    }
  }

  /** True if there is no label. */
  public boolean isEmpty() {
    return byKey.isEmpty();
  }
}
