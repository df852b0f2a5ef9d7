package net.sluice.cli;

import java.math.BigDecimal;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Times as people write them: {@code 10ms}, {@code 2.5ms}, {@code 800us}, {@code 1s}, {@code 15m},
 * {@code 2h}, {@code 0}.
 */
public final class Durations {
  private static final Pattern TEXT = Pattern.compile("(\\d{1,12}(?:\\.\\d{1,9})?)(us|ms|s|m|h)|0");
  private static final Map<String, Long> NANOS =
      Map.of(
          "us", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "h", 3_600_000_000_000L);

  private Durations() {}

  /** Nanoseconds, rounded down; empty if {@code text} is not a time. */
  public static OptionalLong nanos(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      return OptionalLong.empty();
    }
    if (matcher.group(1) == null) {
      return OptionalLong.of(0);
    }
    BigDecimal nanos =
        new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(NANOS.get(matcher.group(2))));
    return nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0
        ? OptionalLong.empty()
        : OptionalLong.of(nanos.longValue());
  }
}
