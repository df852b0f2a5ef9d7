package net.sluice.core.network;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Notes of one declaration at several switches: once what all say, else with the switch's name. */
final class NetworkNotes {
  private final Map<String, Set<String>> switchesByNote = new LinkedHashMap<>();
  private int switches;

  /** Adds all notes of one switch. */
  void add(String switchName, Collection<String> notes) {
    switches++;
    for (String note : notes) {
      switchesByNote.computeIfAbsent(note, unused -> new LinkedHashSet<>()).add(switchName);
    }
  }

  /** The notes of all switches, in the order in which they were first said. */
  List<String> merged() {
    List<String> merged = new ArrayList<>();
    switchesByNote.forEach(
        (note, by) -> {
          if (by.size() == switches) {
            merged.add(note);
          } else {
            by.forEach(name -> merged.add("switch " + name + ": " + note));
          }
        });
    return merged;
  }
}
