package net.sluice.lab.experiment;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import net.sluice.cli.OptionException;
import net.sluice.cli.OptionValues;

/** Options of an experiment as they were given. */
public final class GivenSettings {
  private final Map<String, Setting> settings;
  private final Map<String, List<String>> values;

  /**
   * Options.
   *
   * @param settings the experiment's
   * @param values by the options' names, without those that were not given; of an option without a
   *     value the list is empty
   */
  public GivenSettings(List<Setting> settings, Map<String, List<String>> values) {
    this.settings =
        settings.stream().collect(Collectors.toMap(Setting::name, UnaryOperator.identity()));
    this.values = Map.copyOf(values);
  }

  /** Whether one of these options was given. */
  public boolean any(String... names) {
    return Arrays.stream(names).anyMatch(values::containsKey);
  }

  /** Whether a shorter run is asked for. */
  public boolean quick() {
    return any("--quick");
  }

  /** The value of an option, its usual one if none was given; null if there is neither. */
  public String text(String name) {
    return any(name) ? values.get(name).get(0) : settings.get(name).usual();
  }

  /** The value of an option, or another one if there is none. */
  public String text(String name, String otherwise) {
    String text = text(name);
    return text == null ? otherwise : text;
  }

  /** All values of an option. */
  public List<String> all(String name) {
    return values.getOrDefault(name, List.of());
  }

  /**
   * The seed.
   *
   * @param more so many seeds after it are used, too
   * @throws OptionException if it is no whole number
   */
  public long seed(int more) {
    return OptionValues.wholeNumber(
        "--seed", text("--seed"), Long.MIN_VALUE, Long.MAX_VALUE - more);
  }

  /**
   * The one of some things that an option names.
   *
   * @throws OptionException if it names none
   */
  public <T> T named(String name, T[] all, Function<T, String> nameOf) {
    String text = text(name);
    return Arrays.stream(all)
        .filter(one -> nameOf.apply(one).equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new OptionException(
                    name, text, Arrays.stream(all).map(nameOf).collect(Collectors.joining(", "))));
  }
}
