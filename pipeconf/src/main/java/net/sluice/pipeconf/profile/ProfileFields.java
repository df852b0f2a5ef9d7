package net.sluice.pipeconf.profile;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.sluice.intents.value.InvalidValueException;

/**
 * The lines of a profile: {@code key = value}, comments behind {@code #} at a line's beginning.
 * Every access takes a field away, so that what is left in the end is nothing anybody knows.
 */
final class ProfileFields {
  private static final Pattern LINE = Pattern.compile("([a-z0-9.-]+) *= *(\\S.*)");

  private final String file;
  private final Map<String, List<Value>> fields = new LinkedHashMap<>();

  /**
   * A value and where it is.
   *
   * @param field file, line and key, for errors
   * @param text the value
   */
  record Value(String field, String text) {}

  /**
   * Reads the lines.
   *
   * @param file the file's name, for errors
   * @throws InvalidValueException naming the line that is none
   */
  ProfileFields(String file, String text) {
    this.file = file;
    int number = 0;
    for (String line : text.split("\n", -1)) {
      number++;
      String stripped = line.strip();
      if (stripped.isEmpty() || stripped.startsWith("#")) {
        continue;
      }
      Matcher matcher = LINE.matcher(stripped);
      if (!matcher.matches()) {
        throw new InvalidValueException(
            file + ":" + number, stripped, "key = value, an empty line or a comment behind #");
      }
      fields
          .computeIfAbsent(matcher.group(1), key -> new ArrayList<>())
          .add(new Value(file + ":" + number + " " + matcher.group(1), matcher.group(2)));
    }
  }

  /** All values of a key that may come any number of times. */
  List<Value> all(String key) {
    List<Value> values = fields.remove(key);
    return values == null ? List.of() : values;
  }

  /** The value of a key that comes exactly once. */
  Value one(String key) {
    List<Value> values = all(key);
    if (values.isEmpty()) {
      throw new InvalidValueException(file + " " + key, "missing", "one line " + key + " = ...");
    }
    if (values.size() > 1) {
      throw new InvalidValueException(
          values.get(1).field(), values.get(1).text(), "one line of that key");
    }
    return values.get(0);
  }

  /** True if the key is there and has not been taken. */
  boolean has(String key) {
    return fields.containsKey(key);
  }

  String text(String key) {
    return one(key).text();
  }

  int number(String key, int min, int max) {
    return number(one(key), min, max);
  }

  static int number(Value value, int min, int max) {
    String allowed = "a whole number, " + min + " to " + max;
    try {
      int number = Integer.parseInt(value.text());
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new InvalidValueException(value.field(), value.text(), allowed);
    }
    throw new InvalidValueException(value.field(), value.text(), allowed);
  }

  boolean yes(String key) {
    return choice(key, Map.of("yes", true, "no", false), "yes or no");
  }

  <T> T choice(String key, Map<String, T> choices, String allowed) {
    Value value = one(key);
    T choice = choices.get(value.text());
    if (choice == null) {
      throw new InvalidValueException(value.field(), value.text(), allowed);
    }
    return choice;
  }

  /** Refuses what nobody has taken. */
  void requireNothingLeft(String kind) {
    for (List<Value> values : fields.values()) {
      throw new InvalidValueException(
          values.get(0).field(),
          values.get(0).text(),
          "a key that a profile of a " + kind + " has");
    }
  }
}
