package net.sluice.rest.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads usual JSON straight from bytes: well-formed, plain ASCII without escapes, whole numbers. It
 * leaves anything else by {@link Unusual}, and says nothing about it. One stream, one cursor; not
 * thread-safe.
 */
public final class JsonCursor {
  /** Stands for a number that was not given; {@link #integer} never returns it. */
  public static final int ABSENT = Integer.MIN_VALUE;

  private static final int MAX_DIGITS = 18;

  /** There is something unusual; carries nothing. */
  public static final class Unusual extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private Unusual() {
      super(null, null, false, false);
    }
  }

  private static final Unusual UNUSUAL = new Unusual();

  private byte[] bytes;
  private int at;
  private int end;

  // The string last read, without its quotes.
  private int from;
  private int to;

  // Most lines name the same policy as the one before.
  private String repeated = "";

  /** To be thrown by whoever meets something unusual. */
  public static Unusual unusual() {
    return UNUSUAL;
  }

  /** Begins to read {@code text[textFrom, textTo)}. */
  public void begin(byte[] text, int textFrom, int textTo) {
    bytes = text;
    at = textFrom;
    end = textTo;
  }

  /** True if nothing but space is left. */
  public boolean atEnd() {
    skipSpace();
    return at == end;
  }

  /** Reads {@code opening}; false if {@code closing} follows at once, which is then read too. */
  public boolean open(char opening, char closing) {
    expect(opening);
    skipSpace();
    if (at < end && bytes[at] == closing) {
      at++;
      return false;
    }
    return true;
  }

  /** After a member: true if a comma follows, false if {@code closing} does. */
  public boolean next(char closing) {
    skipSpace();
    if (at < end && bytes[at] == ',') {
      at++;
      return true;
    }
    expect(closing);
    return false;
  }

  /** Reads a member's name and the colon behind it. */
  public void name() {
    string();
    expect(':');
  }

  /** Reads a string, for {@link #is} and {@link #text}. */
  public void string() {
    expect('"');
    from = at;
    while (at < end && bytes[at] != '"') {
      byte b = bytes[at];
      // Negative bytes are not ASCII.
      if (b < 0x20 || b == '\\') {
        throw UNUSUAL;
      }
      at++;
    }
    to = at;
    expect('"');
  }

  /** True if this is what was last read as a string. */
  public boolean is(String text) {
    if (to - from != text.length()) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (bytes[from + i] != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** The string last read, as one object for equal ones that follow each other. */
  public String repeatedText() {
    if (!is(repeated)) {
      repeated = text();
    }
    return repeated;
  }

  /** The string last read. */
  public String text() {
    return new String(Arrays.copyOfRange(bytes, from, to), StandardCharsets.ISO_8859_1);
  }

  /** Reads a whole number of 32 bits. */
  public int integer() {
    long number = whole();
    if (number != (int) number || number == ABSENT) {
      throw UNUSUAL;
    }
    return (int) number;
  }

  /** Reads a whole number of at most 18 digits. */
  public long whole() {
    skipSpace();
    boolean negative = at < end && bytes[at] == '-';
    if (negative) {
      at++;
    }
    int first = at;
    long number = 0;
    while (at < end && bytes[at] >= '0' && bytes[at] <= '9') {
      number = number * 10 + (bytes[at] - '0');
      at++;
      if (at - first > MAX_DIGITS) {
        throw UNUSUAL;
      }
    }
    boolean leadingZero = at - first > 1 && bytes[first] == '0';
    if (at == first || leadingZero) {
      throw UNUSUAL;
    }
    return negative ? -number : number;
  }

  private void expect(char c) {
    skipSpace();
    if (at >= end || bytes[at] != c) {
      throw UNUSUAL;
    }
    at++;
  }

  private void skipSpace() {
    while (at < end && (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\r')) {
      at++;
    }
  }

  /** For where a value is expected; always throws {@link Unusual}. */
  public static <T> T failed() {
    throw UNUSUAL;
  }
}
