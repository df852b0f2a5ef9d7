package net.sluice.core.declaration;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class Rfc3339Test {
  @Test
  void takesEveryFormOfTheGrammar() {
    assertThat(Rfc3339.parse("2026-12-31T23:59:60Z")).contains(at("2027-01-01T00:00:00Z"));
    assertThat(Rfc3339.parse("2027-01-01T09:29:60.5+09:30")).contains(at("2027-01-01T00:00:00Z"));
    assertThat(Rfc3339.parse("2026-12-01T20:00:00.1234567899Z"))
        .contains(at("2026-12-01T20:00:00.123456789Z"));
    assertThat(Rfc3339.parse("2026-12-01T20:00:00+23:59")).contains(at("2026-11-30T20:01:00Z"));
    assertThat(Rfc3339.parse("2026-12-01t20:00:00-23:59")).contains(at("2026-12-02T19:59:00Z"));
    assertThat(Rfc3339.parse("2026-12-01T20:00:00-00:00")).contains(at("2026-12-01T20:00:00Z"));
  }

  @Test
  void takesNothingElse() {
    assertThat(
            new String[] {
              "2027-01-01T00:00Z",
              "2026-12-01T20:00:60Z",
              "2026-12-30T23:59:60Z",
              "2026-12-31T23:59:60+01:00",
              "2026-02-29T00:00:00Z",
              "2026-12-01T24:00:00Z",
              "2026-12-01T20:00:00",
              "2026-12-01T20:00:00.Z",
              "2026-12-01T20:00:00+24:00",
              "2026-12-01T20:00:00+0100",
              "2026-12-01T20:00:00+01:00:00",
              "2026-12-01 20:00:00Z",
              "+12026-12-01T20:00:00Z",
              "2026-12-01T20:00:00Z\n",
              "٢٠٢٦-12-01T20:00:00Z"
            })
        .allSatisfy(text -> assertThat(Rfc3339.parse(text)).as(text).isEmpty());
  }

  private static Instant at(String text) {
    return Instant.parse(text);
  }

  @Property(tries = 20_000)
  void agreesWithTheGrammarReadLetterByLetter(@ForAll("nearlyTimes") String text) {
    assertThat(Rfc3339.parse(text)).isEqualTo(new Grammar(text).dateTime());
  }

  /** Times of which most parts are right, some of them with a letter more, less or changed. */
  @Provide
  Arbitrary<String> nearlyTimes() {
    Arbitrary<String> seconds =
        Arbitraries.oneOf(Arbitraries.of("59", "60", "61"), number(0, 59, 2));
    Arbitrary<String> time =
        Combinators.combine(
                Arbitraries.oneOf(Arbitraries.of("23:59"), clock(0, 25)), seconds, fractions())
            .as((clock, second, fraction) -> clock + ":" + second + fraction);
    Arbitrary<String> offset =
        Arbitraries.oneOf(
            Arbitraries.of("Z", "z", "+00:00", "-00:00", ""),
            Combinators.combine(Arbitraries.of("+", "-"), clock(0, 25)).as(String::concat));
    Arbitrary<String> texts =
        Combinators.combine(days(), Arbitraries.of("T", "T", "T", "t", " "), time, offset)
            .as((day, t, clock, zone) -> day + t + clock + zone);
    return Combinators.combine(
            texts,
            Arbitraries.integers().between(0, 5),
            Arbitraries.integers().between(0, 40),
            Arbitraries.of("0", "9", ":", "-", "+", ".", "Z", "T", " ", "١"))
        .as(Rfc3339Test::spoiled);
  }

  private static String spoiled(String text, int how, int where, String letter) {
    if (where >= text.length()) {
      return text;
    }
    return switch (how) {
      case 0 -> text.substring(0, where) + letter + text.substring(where);
      case 1 -> text.substring(0, where) + text.substring(where + 1);
      case 2 -> text.substring(0, where) + letter + text.substring(where + 1);
      default -> text;
    };
  }

  private static Arbitrary<String> days() {
    return Arbitraries.oneOf(
        Arbitraries.of("2026-12-31", "2028-02-29", "2026-02-29", "2000-02-29", "2100-02-29"),
        Combinators.combine(number(0, 9999, 4), number(0, 13, 2), number(0, 32, 2))
            .as((year, month, day) -> year + "-" + month + "-" + day));
  }

  private static Arbitrary<String> fractions() {
    return Arbitraries.oneOf(
        Arbitraries.of("", "."), Arbitraries.strings().numeric().ofMaxLength(12).map("."::concat));
  }

  private static Arbitrary<String> clock(int least, int most) {
    return Combinators.combine(number(least, most, 2), number(0, 61, 2))
        .as((hour, minute) -> hour + ":" + minute);
  }

  private static Arbitrary<String> number(int least, int most, int digits) {
    return Arbitraries.integers().between(least, most).map(n -> ("%0" + digits + "d").formatted(n));
  }

  /** Section 5.6's grammar with the days of section 5.7, without java.time. */
  private static final class Grammar {
    private static final int[] DAYS = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

    private final String text;
    private int at;

    Grammar(String text) {
      this.text = text;
    }

    Optional<Instant> dateTime() {
      try {
        return Optional.of(read());
      } catch (IllegalArgumentException e) {
        return Optional.empty();
      }
    }

    private Instant read() {
      int year = digits(4);
      letter("-");
      int month = digits(2, 1, 12);
      letter("-");
      int day = digits(2, 1, daysOf(year, month));
      letter("Tt");
      int hour = digits(2, 0, 23);
      letter(":");
      int minute = digits(2, 0, 59);
      letter(":");
      int second = digits(2, 0, 60);
      long nanos = 0;
      if (at < text.length() && text.charAt(at) == '.') {
        at++;
        int from = at;
        for (long unit = 100_000_000; at < text.length() && isDigit(); unit /= 10) {
          nanos += unit * digits(1);
        }
        require(at > from);
      }
      int offset = 0;
      if (letter("Zz+-") != 'Z' && text.charAt(at - 1) != 'z') {
        int sign = text.charAt(at - 1) == '-' ? -1 : 1;
        offset = 60 * digits(2, 0, 23);
        letter(":");
        offset = sign * (offset + digits(2, 0, 59));
      }
      require(at == text.length());
      long minutes = (daysSince1970(year, month, day) * 24 + hour) * 60 + minute - offset;
      if (second == 60) {
        require(Math.floorMod(minutes, 24 * 60) == 24 * 60 - 1);
        require(beginsMonth((minutes + 1) / (24 * 60)));
        nanos = 0;
      }
      return Instant.ofEpochSecond(minutes * 60 + second, nanos);
    }

    private static boolean isLeap(int year) {
      return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    }

    private static int daysOf(int year, int month) {
      return month == 2 && isLeap(year) ? 29 : DAYS[month - 1];
    }

    private static long daysSince1970(int year, int month, int day) {
      long days = day - 1;
      for (int m = 1; m < month; m++) {
        days += daysOf(year, m);
      }
      for (int y = 1970; y < year; y++) {
        days += isLeap(y) ? 366 : 365;
      }
      for (int y = year; y < 1970; y++) {
        days -= isLeap(y) ? 366 : 365;
      }
      return days;
    }

    private static boolean beginsMonth(long day) {
      for (int year = -1; year <= 10_000; year++) {
        long january = daysSince1970(year, 1, 1);
        if (day >= january && day < january + 366) {
          for (int month = 1; month <= 12; month++) {
            if (daysSince1970(year, month, 1) == day) {
              return true;
            }
          }
        }
      }
      return false;
    }

    private boolean isDigit() {
      return text.charAt(at) >= '0' && text.charAt(at) <= '9';
    }

    private int digits(int count) {
      int number = 0;
      for (int i = 0; i < count; i++) {
        require(at < text.length() && isDigit());
        number = 10 * number + text.charAt(at++) - '0';
      }
      return number;
    }

    private int digits(int count, int least, int most) {
      int number = digits(count);
      require(number >= least && number <= most);
      return number;
    }

    private char letter(String allowed) {
      require(at < text.length() && allowed.indexOf(text.charAt(at)) >= 0);
      return text.charAt(at++);
    }

    private static void require(boolean holds) {
      if (!holds) {
        throw new IllegalArgumentException();
      }
    }
  }
}
