package net.sluice.core.declaration;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Moments as RFC 3339 section 5.6 writes them ({@code date-time}). */
public final class Rfc3339 {
  private static final Pattern DATE_TIME =
      Pattern.compile(
          "([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt]([0-9]{2}:[0-9]{2}):([0-9]{2})(?:\\.([0-9]+))?"
              + "(?:[Zz]|([+-])([01][0-9]|2[0-3]):([0-5][0-9]))");

  private static final int NANO_DIGITS = 9;
  private static final int LEAP_SECOND = 60;
  private static final LocalTime LAST_MINUTE = LocalTime.of(23, 59);

  private Rfc3339() {}

  /**
   * The moment; of its second's fraction nine digits count. A second 60 is the one after 23:59:59
   * UTC on the last day of a month (section 5.7), and is taken for the one that follows it.
   *
   * @return empty if {@code text} is no {@code date-time}
   */
  public static Optional<Instant> parse(String text) {
    Matcher parts = DATE_TIME.matcher(text);
    if (!parts.matches()) {
      return Optional.empty();
    }
    int second = Integer.parseInt(parts.group(3));
    if (second > LEAP_SECOND) {
      return Optional.empty();
    }
    LocalDateTime local;
    try {
      local = LocalDateTime.of(LocalDate.parse(parts.group(1)), LocalTime.parse(parts.group(2)));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
    LocalDateTime utc = local.minusMinutes(offsetMinutes(parts));
    if (second == LEAP_SECOND
        && !(utc.toLocalTime().equals(LAST_MINUTE) && utc.plusDays(1).getDayOfMonth() == 1)) {
      return Optional.empty();
    }
    int nanos = second == LEAP_SECOND ? 0 : nanos(parts.group(4));
    return Optional.of(utc.plusSeconds(second).plusNanos(nanos).toInstant(ZoneOffset.UTC));
  }

  private static int offsetMinutes(Matcher parts) {
    if (parts.group(5) == null) {
      return 0;
    }
    int minutes = 60 * Integer.parseInt(parts.group(6)) + Integer.parseInt(parts.group(7));
    return parts.group(5).equals("-") ? -minutes : minutes;
  }

  private static int nanos(String fraction) {
    return fraction == null
        ? 0
        : Integer.parseInt((fraction + "0".repeat(NANO_DIGITS)).substring(0, NANO_DIGITS));
  }
}
