package net.sluice.gnmi;

import java.util.Map;
import java.util.TreeMap;
import net.sluice.gnmi.wire.Path;
import net.sluice.gnmi.wire.PathElem;

/**
 * Paths as text and back, by the conventions of the gNMI path specification: elements behind
 * slashes, keys in brackets, {@code /interfaces/interface[name=1/1]/state}. A backslash takes the
 * meaning from the character behind it. {@code *} stands for one name or one key value, {@code ...}
 * for any number of elements. {@code origin:} may stand in front. The root is {@code /}.
 */
public final class GnmiPaths {

  /** One element of any name, or any value of a key. */
  public static final String ANY = "*";

  /** Any number of elements, none included. */
  public static final String ANY_DEPTH = "...";

  private GnmiPaths() {}

  /**
   * The path a text names.
   *
   * @throws IllegalArgumentException if it is malformed, with the place
   */
  public static Path parse(String text) {
    return new Parser(text).path();
  }

  /** The path as text; {@link #parse} gives it back, target and order of keys aside. */
  public static String print(Path path) {
    StringBuilder text = new StringBuilder();
    if (!path.getOrigin().isEmpty()) {
      text.append(path.getOrigin()).append(':');
    }
    if (path.getElemCount() == 0) {
      return text.append('/').toString();
    }
    for (PathElem elem : path.getElemList()) {
      text.append('/').append(escape(elem.getName(), "/[\\"));
      for (Map.Entry<String, String> key : new TreeMap<>(elem.getKeyMap()).entrySet()) {
        text.append('[')
            .append(escape(key.getKey(), "=]\\"))
            .append('=')
            .append(escape(key.getValue(), "]\\"))
            .append(']');
      }
    }
    return text.toString();
  }

  /**
   * The path below a prefix. The origin is that of the path, or else that of the prefix; the target
   * is the prefix's.
   */
  @SuppressWarnings("deprecation")
  public static Path join(Path prefix, Path path) {
    return Path.newBuilder()
        .setOrigin(path.getOrigin().isEmpty() ? prefix.getOrigin() : path.getOrigin())
        .setTarget(prefix.getTarget())
        // Kept so that whoever reads the path can refuse it.
        .addAllElement(prefix.getElementList())
        .addAllElement(path.getElementList())
        .addAllElem(prefix.getElemList())
        .addAllElem(path.getElemList())
        .build();
  }

  /** Whether a path leaves something open: a {@code *} or a {@code ...}. */
  public static boolean hasWildcard(Path path) {
    return path.getElemList().stream()
        .anyMatch(
            elem ->
                elem.getName().equals(ANY)
                    || elem.getName().equals(ANY_DEPTH)
                    || elem.getKeyMap().containsValue(ANY));
  }

  private static String escape(String text, String special) {
    StringBuilder escaped = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      if (special.indexOf(text.charAt(i)) >= 0) {
        escaped.append('\\');
      }
      escaped.append(text.charAt(i));
    }
    return escaped.toString();
  }

  private static final class Parser {
    private final String text;
    private int at;

    Parser(String text) {
      this.text = text;
    }

    Path path() {
      Path.Builder path = Path.newBuilder();
      int colon = text.indexOf(':');
      int slash = text.indexOf('/');
      int bracket = text.indexOf('[');
      if (colon > 0 && (slash < 0 || colon < slash) && (bracket < 0 || colon < bracket)) {
        path.setOrigin(text.substring(0, colon));
        at = colon + 1;
      }
      if (at < text.length() && text.charAt(at) == '/') {
        at++;
      }
      while (at < text.length()) {
        path.addElem(elem());
      }
      return path.build();
    }

    private PathElem elem() {
      PathElem.Builder elem = PathElem.newBuilder();
      String name = until("/[");
      if (name.isEmpty()) {
        throw malformed("an element without a name");
      }
      elem.setName(name);
      while (at < text.length() && text.charAt(at) == '[') {
        at++;
        String key = until("=]");
        if (key.isEmpty() || at == text.length() || text.charAt(at) != '=') {
          throw malformed("a key must be [name=value]");
        }
        at++;
        String value = until("]");
        if (at == text.length()) {
          throw malformed("a bracket that is not closed");
        }
        at++;
        if (elem.containsKey(key)) {
          throw malformed("key '" + key + "' twice");
        }
        elem.putKey(key, value);
      }
      if (at < text.length()) {
        if (text.charAt(at) != '/') {
          throw malformed("a slash must follow a key");
        }
        at++;
      }
      return elem.build();
    }

    private String until(String ends) {
      StringBuilder read = new StringBuilder();
      while (at < text.length() && ends.indexOf(text.charAt(at)) < 0) {
        if (text.charAt(at) == '\\') {
          at++;
          if (at == text.length()) {
            throw malformed("a backslash with nothing behind it");
          }
        }
        read.append(text.charAt(at++));
      }
      return read.toString();
    }

    private IllegalArgumentException malformed(String what) {
      return new IllegalArgumentException(
          "path '" + text + "', character " + (at + 1) + ": " + what);
    }
  }
}
