package net.sluice.rest.form;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import net.sluice.intents.model.Schedule;
import net.sluice.intents.model.Span;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.northbound.json.JsonText;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.json.ObjectReader;

/**
 * {@code "schedule": [{"until": "2026-12-01T20:00:00Z", ..}, {"from": "22:00", "to": "06:00",
 * "zone": "Europe/Berlin", "days": ["mon", ..], ..}]}, each with what holds in that time.
 */
final class ScheduleForm {
  private static final String FIELD = "schedule";
  private static final String UNTIL = "until";
  private static final String FROM = "from";
  private static final String TO = "to";
  private static final String ZONE = "zone";
  private static final String DAYS = "days";
  private static final String INSTANT =
      "a time of RFC 3339 as 2026-12-01T20:00:00Z, of the years 1970 to 9999";
  private static final String TIME_OF_DAY = "a time of the day as 22:00";
  private static final String ZONES = "a zone of the tz database as Europe/Berlin, or UTC";
  private static final String DAY_NAMES = "some of mon, tue, wed, thu, fri, sat, sun, each once";
  private static final Pattern CLOCK = Pattern.compile("(?:[01]\\d|2[0-3]):[0-5]\\d");

  private ScheduleForm() {}

  /** Writes what holds in an entry. */
  @FunctionalInterface
  interface Holding<T> {
    void write(T holds) throws IOException;
  }

  /**
   * Reads the field, if it is there; what is wrong with it is a problem of {@code body}.
   *
   * @param holds reads what holds in an entry; empty if that has a problem
   */
  static <T> Schedule<T> read(ObjectReader body, Function<ObjectReader, Optional<T>> holds) {
    List<JsonValue> items = body.optionalArray(FIELD, "an array of times");
    List<Schedule.Entry<T>> entries = new ArrayList<>();
    for (int i = 0; i < items.size() && i < Schedule.MAX_ENTRIES; i++) {
      ObjectReader item = body.item(FIELD, i, items.get(i));
      Optional<Span> span = span(item);
      Optional<T> holding = holds.apply(item);
      item.finish();
      if (span.isPresent() && holding.isPresent()) {
        entries.add(new Schedule.Entry<>(span.get(), holding.get()));
      }
    }
    if (items.size() > Schedule.MAX_ENTRIES) {
      body.problem(
          Code.INVALID,
          FIELD,
          items.size() + " entries",
          "at most " + Schedule.MAX_ENTRIES + " entries");
    }
    return new Schedule<>(entries);
  }

  private static Optional<Span> span(ObjectReader item) {
    boolean isDaily = item.has(FROM) || item.has(TO) || item.has(ZONE) || item.has(DAYS);
    if (item.has(UNTIL) && isDaily) {
      item.know(UNTIL, FROM, TO, ZONE, DAYS);
      item.problem(
          Code.MALFORMED, UNTIL, "given with a time of the day", "either until, or from, to, zone");
      return Optional.empty();
    } else if (isDaily) {
      item.know(UNTIL);
      return daily(item);
    }
    item.know(FROM, TO, ZONE, DAYS);
    return until(item);
  }

  private static Optional<Span> until(ObjectReader item) {
    String text = item.string(UNTIL, INSTANT + ", or from, to and zone");
    if (text == null) {
      return Optional.empty();
    }
    Optional<Instant> end = Rfc3339.parse(text).filter(ScheduleForm::isAllowed);
    if (end.isEmpty()) {
      item.problem(Code.INVALID, UNTIL, JsonText.quoted(text), INSTANT);
    }
    return end.map(Span.Until::new);
  }

  private static boolean isAllowed(Instant end) {
    return !end.isBefore(Span.Until.FIRST) && end.isBefore(Span.Until.AFTER_LAST);
  }

  private static Optional<Span> daily(ObjectReader item) {
    Optional<LocalTime> from = timeOfDay(item, FROM);
    Optional<LocalTime> to = timeOfDay(item, TO);
    Optional<ZoneId> zone = zone(item);
    Set<DayOfWeek> days = days(item);
    return from.isPresent() && to.isPresent() && zone.isPresent() && !days.isEmpty()
        ? Optional.of(new Span.Daily(from.get(), to.get(), zone.get(), days))
        : Optional.empty();
  }

  private static Optional<LocalTime> timeOfDay(ObjectReader item, String name) {
    String text = item.string(name, TIME_OF_DAY);
    if (text == null) {
      return Optional.empty();
    } else if (!CLOCK.matcher(text).matches()) {
      item.problem(Code.INVALID, name, JsonText.quoted(text), TIME_OF_DAY + ", 00:00 to 23:59");
      return Optional.empty();
    }
    return Optional.of(LocalTime.parse(text));
  }

  private static Optional<ZoneId> zone(ObjectReader item) {
    String text = item.string(ZONE, ZONES);
    if (text == null) {
      return Optional.empty();
    }
    // Offsets, and GMT+1 as java.time reads it, are no names of the database.
    if (!ZoneId.getAvailableZoneIds().contains(text)) {
      item.problem(Code.INVALID, ZONE, JsonText.quoted(text), ZONES);
      return Optional.empty();
    }
    return Optional.of(ZoneId.of(text));
  }

  /** Empty if there is a problem, which the item then has. */
  private static Set<DayOfWeek> days(ObjectReader item) {
    if (item.absent(DAYS)) {
      return Span.Daily.EVERY_DAY;
    }
    List<JsonValue> items = item.optionalArray(DAYS, DAY_NAMES);
    Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
    for (JsonValue each : items) {
      Optional<DayOfWeek> day = each instanceof JsonValue.Str text ? day(text) : Optional.empty();
      if (day.isEmpty() || !days.add(day.get())) {
        item.problem(Code.INVALID, DAYS, each.shown(), DAY_NAMES);
        return Set.of();
      }
    }
    if (days.isEmpty() && item.sound()) {
      item.problem(Code.INVALID, DAYS, "[]", DAY_NAMES);
    }
    return days;
  }

  private static Optional<DayOfWeek> day(JsonValue.Str text) {
    for (DayOfWeek day : DayOfWeek.values()) {
      if (name(day).equals(text.text())) {
        return Optional.of(day);
      }
    }
    return Optional.empty();
  }

  private static String name(DayOfWeek day) {
    return day.name().substring(0, 3).toLowerCase(Locale.ROOT);
  }

  /** Writes the field, unless the schedule is empty. */
  static <T> void write(JsonGenerator json, Schedule<T> schedule, Holding<T> holding)
      throws IOException {
    if (schedule.isEmpty()) {
      return;
    }
    json.writeArrayFieldStart(FIELD);
    for (Schedule.Entry<T> entry : schedule.entries()) {
      json.writeStartObject();
      write(json, entry.span());
      holding.write(entry.holds());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void write(JsonGenerator json, Span span) throws IOException {
    if (span instanceof Span.Until until) {
      json.writeStringField(UNTIL, until.end().toString());
      return;
    }
    Span.Daily daily = (Span.Daily) span;
    json.writeStringField(FROM, daily.from().toString());
    json.writeStringField(TO, daily.to().toString());
    json.writeStringField(ZONE, daily.zone().getId());
    if (!daily.days().equals(Span.Daily.EVERY_DAY)) {
      json.writeArrayFieldStart(DAYS);
      for (DayOfWeek day : daily.days()) {
        json.writeString(name(day));
      }
      json.writeEndArray();
    }
  }
}
