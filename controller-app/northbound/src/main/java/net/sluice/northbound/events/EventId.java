package net.sluice.northbound.events;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The id of an event: the id of its journal, and its number there.
 *
 * @param journal 8 hexadecimal digits
 */
public record EventId(String journal, long seq) {
  /** Before all events that are kept. */
  public static final EventId BEFORE_ALL = new EventId("", 0);

  private static final String ALL = "0";
  private static final Pattern FORM = Pattern.compile("([0-9a-f]{8})-([0-9]{1,18})");

  /** The id that a text is, {@code 0} for {@link #BEFORE_ALL}; empty if it is none. */
  public static Optional<EventId> parse(String text) {
    if (text.equals(ALL)) {
      return Optional.of(BEFORE_ALL);
    }
    Matcher id = FORM.matcher(text);
    return id.matches()
        ? Optional.of(new EventId(id.group(1), Long.parseLong(id.group(2))))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return equals(BEFORE_ALL) ? ALL : journal + "-" + seq;
  }
}
