package net.sluice.intents.model;

import net.sluice.intents.value.InvalidValueException;

/** Texts of an operator's own for people, of one line in any script. */
public final class PlainText {
  /** Most characters of a name for people. */
  public static final int MAX_NAME = 120;

  private PlainText() {}

  /**
   * True if a text has 1 to {@code max} Unicode characters, and no control character or half of a
   * character.
   */
  public static boolean isValid(String text, int max) {
    int characters = text.codePointCount(0, text.length());
    return characters >= 1
        && characters <= max
        && text.codePoints()
            .noneMatch(
                each ->
                    Character.isISOControl(each) || Character.getType(each) == Character.SURROGATE);
  }

  /** The allowed texts in words. */
  public static String allowed(int max) {
    return "1 to " + max + " characters, no control characters";
  }

  /** Returns {@code text}, or throws an {@link InvalidValueException} that names {@code field}. */
  public static String require(String field, String text, int max) {
    if (!isValid(text, max)) {
      throw new InvalidValueException(field, text, allowed(max));
    }
    return text;
  }
}
