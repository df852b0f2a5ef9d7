package net.sluice.northbound.json;

/** Writing strings as JSON where no generator is at hand. */
public final class JsonText {
  private static final String HEX = "0123456789abcdef";

  private JsonText() {}

  /** Appends {@code value} in quotes, escaped as RFC 8259 section 7 demands. */
  public static void appendQuoted(StringBuilder out, String value) {
    out.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < 0x20 || c == 0x7f || Character.isSurrogate(c)) {
        // Surrogates are escaped because a lone one has no UTF-8 form.
        out.append("\\u").append(HEX.charAt(c >> 12)).append(HEX.charAt(c >> 8 & 15));
        out.append(HEX.charAt(c >> 4 & 15)).append(HEX.charAt(c & 15));
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }

  /** {@code value} in quotes. */
  public static String quoted(String value) {
    StringBuilder out = new StringBuilder(value.length() + 2);
    appendQuoted(out, value);
    return out.toString();
  }
}
