package net.sluice.intents.model.schedule;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import net.sluice.intents.value.InvalidValueException;

/** A time, once or again and again. */
public sealed interface Span {
  /** True if a moment is in it. */
  boolean covers(Instant moment);

  /** The first moment after {@code moment} at which it begins or ends; empty if there is none. */
  Optional<Instant> nextChange(Instant moment);

  /**
   * The time up to a moment.
   *
   * @param end the first moment after it, to the millisecond, of the years 1970 to 9999
   */
  record Until(Instant end) implements Span {
    /** The earliest end. */
    public static final Instant FIRST = Instant.EPOCH;

    /** The first moment after all ends that are allowed. */
    public static final Instant AFTER_LAST = Instant.parse("+10000-01-01T00:00:00Z");

    public Until {
      end = end.truncatedTo(ChronoUnit.MILLIS);
      if (end.isBefore(FIRST) || !end.isBefore(AFTER_LAST)) {
        throw new InvalidValueException("until", end, "a time of the years 1970 to 9999");
      }
    }

    @Override
    public boolean covers(Instant moment) {
      return moment.isBefore(end);
    }

    @Override
    public Optional<Instant> nextChange(Instant moment) {
      return covers(moment) ? Optional.of(end) : Optional.empty();
    }
  }

  /**
   * A time of the day on some days of the week, by the clocks of a zone. It begins on one of the
   * days; if it ends no later than it begins, it ends on the day after. Where clocks are put
   * forward over its begin or end, this is as much later (java.time's rule for gaps); where they
   * are put back, the first of the two is meant.
   *
   * @param from its begin, to the minute
   * @param to its end, to the minute; the same as {@code from} for 24 hours
   * @param zone the zone
   * @param days the days on which it begins, at least one
   */
  record Daily(LocalTime from, LocalTime to, ZoneId zone, Set<DayOfWeek> days) implements Span {
    /** All days of the week. */
    public static final Set<DayOfWeek> EVERY_DAY =
        Collections.unmodifiableSet(EnumSet.allOf(DayOfWeek.class));

    /** Days to look ahead: a week, and another one if the day of the first has no such time. */
    private static final int DAYS_AHEAD = 15;

    public Daily {
      Objects.requireNonNull(zone, "zone");
      from = from.truncatedTo(ChronoUnit.MINUTES);
      to = to.truncatedTo(ChronoUnit.MINUTES);
      if (days.isEmpty()) {
        throw new InvalidValueException("days", "[]", "at least one day");
      }
      days = Collections.unmodifiableSet(EnumSet.copyOf(days));
    }

    private Instant begin(LocalDate day) {
      return ZonedDateTime.of(day, from, zone).toInstant();
    }

    private Instant end(LocalDate day) {
      return ZonedDateTime.of(to.isAfter(from) ? day : day.plusDays(1), to, zone).toInstant();
    }

    private LocalDate dayBefore(Instant moment) {
      return moment.atZone(zone).toLocalDate().minusDays(1);
    }

    @Override
    public boolean covers(Instant moment) {
      LocalDate day = dayBefore(moment);
      for (int i = 0; i < 2; i++, day = day.plusDays(1)) {
        if (days.contains(day.getDayOfWeek())
            && !moment.isBefore(begin(day))
            && moment.isBefore(end(day))) {
          return true;
        }
      }
      return false;
    }

    @Override
    public Optional<Instant> nextChange(Instant moment) {
      LocalDate day = dayBefore(moment);
      for (int i = 0; i < DAYS_AHEAD; i++, day = day.plusDays(1)) {
        if (!days.contains(day.getDayOfWeek())) {
          continue;
        }
        Instant begin = begin(day);
        Instant end = end(day);
        if (begin.isBefore(end) && end.isAfter(moment)) {
          return Optional.of(begin.isAfter(moment) ? begin : end);
        }
      }
      return Optional.empty();
    }
  }
}
