package net.sluice.intents.value;

/** Range checks whose failure names field, value and range. */
public final class Ranges {
  private Ranges() {}

  /** Returns {@code value} if it lies in {@code [low, high]}. */
  public static int require(String field, int value, int low, int high) {
    if (value < low || value > high) {
      throw new InvalidValueException(field, value, low + " to " + high);
    }
    return value;
  }
}
