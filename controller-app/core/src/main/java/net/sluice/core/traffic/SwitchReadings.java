package net.sluice.core.traffic;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counters of switches, as far as they can be read.
 *
 * @param read those of the switches that have answered
 * @param unread by the names of the others, why not, for people; in the order of the switches
 * @param <T> what is counted, with its counters
 */
public record SwitchReadings<T>(List<T> read, Map<String, String> unread) {
  public SwitchReadings {
    read = List.copyOf(read);
    unread = Collections.unmodifiableMap(new LinkedHashMap<>(unread));
  }

  /** These and those of other switches. */
  public SwitchReadings<T> and(SwitchReadings<T> other) {
    List<T> all = new ArrayList<>(read);
    all.addAll(other.read);
    Map<String, String> allUnread = new LinkedHashMap<>(unread);
    allUnread.putAll(other.unread);
    return new SwitchReadings<>(all, allUnread);
  }
}
