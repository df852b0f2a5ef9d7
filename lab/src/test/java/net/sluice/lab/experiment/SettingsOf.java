package net.sluice.lab.experiment;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Options of an experiment, as a command line would give them. */
public final class SettingsOf {
  private SettingsOf() {}

  /**
   * Options.
   *
   * @param namesAndValues a name and its value, and so on; with null an option is not given
   */
  public static GivenSettings of(ExperimentKind kind, String... namesAndValues) {
    Map<String, List<String>> values = new HashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      if (namesAndValues[i + 1] != null) {
        values.put(namesAndValues[i], List.of(namesAndValues[i + 1]));
      }
    }
    return new GivenSettings(kind.settings(), values);
  }
}
