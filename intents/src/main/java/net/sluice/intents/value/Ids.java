package net.sluice.intents.value;

import java.nio.charset.StandardCharsets;

/**
 * Identifiers of policies, subscribers and rate limits: {@code [A-Za-z0-9][A-Za-z0-9._-]{0,63}}.
 */
public final class Ids {
  /** Longest identifier, in characters. */
  public static final int MAX_LENGTH = 64;

  /** The form of an identifier, as a regular expression. */
  public static final String PATTERN = "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$";

  /** The allowed form of an identifier, for error texts. */
  public static final String ALLOWED =
      "1 to 64 characters of A-Z a-z 0-9 . _ - that start with a letter or digit";

  private static final boolean[] ALLOWED_CHARACTERS = new boolean[256];

  static {
    for (char c = 0; c < ALLOWED_CHARACTERS.length; c++) {
      ALLOWED_CHARACTERS[c] = isAlphanumeric(c) || c == '.' || c == '_' || c == '-';
    }
  }

  private Ids() {}

  /** True if {@code id} is a well-formed identifier. */
  public static boolean isValid(String id) {
    if (id.isEmpty() || id.length() > MAX_LENGTH) {
      return false;
    }
    // A character beyond Latin-1 becomes a question mark, which no identifier has.
    byte[] characters = id.getBytes(StandardCharsets.ISO_8859_1);
    for (byte each : characters) {
      if (!ALLOWED_CHARACTERS[each & 0xff]) {
        return false;
      }
    }
    return isAlphanumeric((char) characters[0]);
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
