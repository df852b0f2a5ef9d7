package net.sluice.cli;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;

/**
 * Rates as people write them: {@code 15M}, {@code 400k}, {@code 1G}, {@code 2.5M}, {@code 9600}.
 */
public final class WrittenRates {
  private static final Pattern TEXT = Pattern.compile("(\\d{1,15}(?:\\.\\d{1,12})?)([kKmMgGtT]?)");
  private static final String UNITS = "kMGT";

  private WrittenRates() {}

  /** Reads options that are rates; {@link Range} has their bounds. */
  public static final class Converter implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      return parse(text).orElseThrow(() -> new NumberFormatException(text));
    }
  }

  /**
   * The rate in bit/s, rounded down to a whole number; empty if {@code text} is not a rate. A
   * decimal point, and one of the letters k, M, G, T for powers of 1000.
   */
  public static OptionalLong parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      return OptionalLong.empty();
    }
    int power = 0;
    if (!matcher.group(2).isEmpty()) {
      power = 1 + UNITS.toLowerCase(Locale.ROOT).indexOf(matcher.group(2).toLowerCase(Locale.ROOT));
    }
    BigDecimal bps = new BigDecimal(matcher.group(1)).scaleByPowerOfTen(3 * power);
    bps = bps.setScale(0, RoundingMode.DOWN);
    return bps.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0
        ? OptionalLong.empty()
        : OptionalLong.of(bps.longValueExact());
  }

  /** The shortest exact text of a rate that {@link #parse} reads, e.g. {@code 1.5M}. */
  public static String text(long bps) {
    int power = 0;
    BigDecimal scaled = BigDecimal.valueOf(bps);
    while (power < UNITS.length() && Math.abs(scaled.doubleValue()) >= 1000) {
      scaled = scaled.movePointLeft(3);
      power++;
    }
    String unit = power == 0 ? "" : UNITS.substring(power - 1, power);
    return scaled.signum() == 0 ? "0" : scaled.stripTrailingZeros().toPlainString() + unit;
  }
}
