package net.sluice.core.declaration;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.schedule.Span;
import net.sluice.intents.value.InvalidValueException;

/**
 * A type whose values are texts in JSON.
 *
 * @param type the type of the values
 * @param allowed the expected text in words
 * @param refused what is allowed, where a text is none of them
 * @param texts all texts, if they can be listed
 * @param parse the value of a text; empty if there is none
 * @param print the text of a value
 */
public record Scalar(
    Class<?> type,
    String allowed,
    String refused,
    List<String> texts,
    Function<String, Optional<Object>> parse,
    Function<Object, String> print) {
  /** The time of an {@code Instant}. */
  static final String INSTANT =
      "a time of RFC 3339 as 2026-12-01T20:00:00Z, of the years 1970 to 9999";

  /** The time of a {@code LocalTime}. */
  static final String TIME_OF_DAY = "a time of the day as 22:00";

  /** The zone of a {@code ZoneId}. */
  static final String ZONE = "a zone of the tz database as Europe/Berlin, or UTC";

  private static final String PREFIX = "a prefix such as \"192.0.2.0/24\" or \"2001:db8::/56\"";
  private static final Pattern CLOCK = Pattern.compile("(?:[01]\\d|2[0-3]):[0-5]\\d");

  private static final Map<Class<?>, Scalar> KNOWN =
      Map.of(
          // Refuses with words of its own.
          IpPrefix.class,
          new Scalar(
              IpPrefix.class,
              PREFIX,
              PREFIX,
              List.of(),
              text -> Optional.of(IpPrefix.parse(text)),
              String::valueOf),
          Instant.class,
          new Scalar(
              Instant.class,
              INSTANT,
              INSTANT,
              List.of(),
              text -> Rfc3339.parse(text).filter(Scalar::isAllowed).map(end -> end),
              String::valueOf),
          LocalTime.class,
          new Scalar(
              LocalTime.class,
              TIME_OF_DAY,
              TIME_OF_DAY + ", 00:00 to 23:59",
              List.of(),
              text ->
                  CLOCK.matcher(text).matches()
                      ? Optional.of(LocalTime.parse(text))
                      : Optional.empty(),
              String::valueOf),
          ZoneId.class,
          // Offsets, and GMT+1 as java.time reads it, are no names of the database.
          new Scalar(
              ZoneId.class,
              ZONE,
              ZONE,
              List.of(),
              text ->
                  ZoneId.getAvailableZoneIds().contains(text)
                      ? Optional.of(ZoneId.of(text))
                      : Optional.empty(),
              zone -> ((ZoneId) zone).getId()),
          DayOfWeek.class,
          ofEnum(
              DayOfWeek.class,
              day -> ((DayOfWeek) day).name().substring(0, 3).toLowerCase(Locale.ROOT)));

  /** The scalar of a type; empty if that is none. */
  static Optional<Scalar> of(Class<?> type) {
    Scalar known = KNOWN.get(type);
    if (known == null && type.isEnum()) {
      return Optional.of(ofEnum(type, value -> text((Enum<?>) value)));
    }
    return Optional.ofNullable(known);
  }

  private static boolean isAllowed(Instant end) {
    return !end.isBefore(Span.Until.FIRST) && end.isBefore(Span.Until.AFTER_LAST);
  }

  private static Scalar ofEnum(Class<?> type, Function<Object, String> print) {
    Map<String, Object> byText = new LinkedHashMap<>();
    for (Object value : type.getEnumConstants()) {
      byText.put(print.apply(value), value);
    }
    List<String> texts = List.copyOf(byText.keySet());
    int last = texts.size() - 1;
    String allowed =
        last == 0
            ? texts.get(0)
            : String.join(", ", texts.subList(0, last)) + " or " + texts.get(last);
    return new Scalar(
        type, allowed, allowed, texts, text -> Optional.ofNullable(byText.get(text)), print);
  }

  /** The text that an enum of the model has in the API. */
  private static String text(Enum<?> value) {
    try {
      return (String) value.getDeclaringClass().getMethod("text").invoke(value);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(value.getDeclaringClass() + " has no texts", e);
    }
  }

  /**
   * The value of a text.
   *
   * @throws InvalidValueException if it is refused with words of its own
   */
  public Optional<Object> read(String text) {
    return parse.apply(text);
  }

  /** The text of a value. */
  public String write(Object value) {
    return print.apply(value);
  }
}
