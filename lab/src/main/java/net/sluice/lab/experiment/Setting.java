package net.sluice.lab.experiment;

/**
 * An option of an experiment.
 *
 * @param name on the command line, with its dashes
 * @param label of its value; empty for an option without a value
 * @param usual its value where none is given; null for none
 * @param repeated whether it may be given several times
 * @param description for people
 */
public record Setting(
    String name, String label, String usual, boolean repeated, String description) {
  /** One that may be left out. */
  public static Setting of(String name, String label, String description) {
    return new Setting(name, label, null, false, description);
  }

  /** The same with a value for when it is left out. */
  public Setting usually(String value) {
    return new Setting(name, label, value, repeated, description + " Default: " + value + ".");
  }

  /** The same, to be given any number of times. */
  public Setting repeatable() {
    return new Setting(name, label, usual, true, description);
  }

  /** The seed, 1 unless another is given. */
  public static Setting seed(String description) {
    return of("--seed", "N", description).usually("1");
  }

  /** The wish for a shorter run. */
  public static Setting quick(String description) {
    return of("--quick", "", description);
  }
}
