package net.sluice.intents.model;

/**
 * Identifiers of policies, subscribers and rate limits: {@code [A-Za-z0-9][A-Za-z0-9._-]{0,63}}.
 */
public final class Ids {
  /** Longest identifier, in characters. */
  public static final int MAX_LENGTH = 64;

  /** The allowed form of an identifier, for error texts. */
  public static final String ALLOWED =
      "1 to 64 characters of A-Z a-z 0-9 . _ - that start with a letter or digit";

  private Ids() {}

  /** True if {@code id} is a well-formed identifier. */
  public static boolean isValid(String id) {
    int length = id.length();
    if (length == 0 || length > MAX_LENGTH || !isAlphanumeric(id.charAt(0))) {
      return false;
    }
    for (int i = 1; i < length; i++) {
      char c = id.charAt(i);
      if (!isAlphanumeric(c) && c != '.' && c != '_' && c != '-') {
        return false;
      }
    }
    return true;
  }

  /** Returns {@code id}, or throws an {@link InvalidValueException} that names {@code field}. */
  public static String require(String field, String id) {
    if (id == null || !isValid(id)) {
      throw new InvalidValueException(field, id, ALLOWED);
    }
    return id;
  }

  private static boolean isAlphanumeric(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }
}
