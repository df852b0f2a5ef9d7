package net.sluice.lab.support;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Numbers for people, in text and on charts. */
public final class Figures {
  private static final String UNITS = "kMGT";

  private Figures() {}

  /** A rate with three or four significant digits: {@code 21.83 Mbit/s}. */
  public static String rate(double bps) {
    return scaled(bps) + "bit/s";
  }

  /** A rate as short as an axis needs it: {@code 20 Mbit/s}, {@code 2.5 Gbit/s}. */
  public static String shortRate(double bps) {
    return bps == 0 ? "0" : rate(bps).replaceFirst("\\.?0+ ", " ");
  }

  /** A power of ten: {@code 1}, {@code 10^6}. */
  public static String power(double value) {
    long exponent = Math.round(Math.log10(value));
    return exponent == 0 ? "1" : exponent == 1 ? "10" : "10^" + exponent;
  }

  /** A share in percent, as many digits as make sense near 0: {@code 58.1 %}, {@code 0.02 %}. */
  public static String percent(double share) {
    double percent = 100 * share;
    return String.format(Locale.ROOT, Math.abs(percent) < 1 ? "%.2f %%" : "%.1f %%", percent);
  }

  /** A time: {@code 830 us}, {@code 4.98 ms}. */
  public static String micros(double micros) {
    return micros < 1000
        ? String.format(Locale.ROOT, "%.0f us", micros)
        : String.format(Locale.ROOT, "%.2f ms", micros / 1000);
  }

  /** A time as short as an axis needs it: {@code 100 ns}, {@code 10 ms}. */
  public static String shortMicros(double micros) {
    return micros == 0
        ? "0"
        : micros < 0.9995
            ? String.format(Locale.ROOT, "%.0f ns", micros * 1000)
            : micros < 999_500
                ? micros(micros).replaceFirst("\\.?0+ ms", " ms")
                : shortNumber(micros / 1e6) + " s";
  }

  /** A length of time as people say it: {@code 40 s}, {@code 12 min}. */
  public static String duration(double seconds) {
    return seconds < 99.5
        ? String.format(Locale.ROOT, "%.0f s", seconds)
        : String.format(Locale.ROOT, "%.0f min", seconds / 60);
  }

  /**
   * A plain number with up to four significant digits and no exponent: {@code 14210}, {@code 3.41}.
   */
  public static String number(double value) {
    double magnitude = Math.abs(value);
    if (value == Math.rint(value) || magnitude >= 1000) {
      return String.format(Locale.ROOT, "%.0f", value);
    }
    return String.format(
        Locale.ROOT, magnitude >= 100 ? "%.1f" : magnitude >= 1 ? "%.2f" : "%.4f", value);
  }

  /** A number with up to three significant digits, for charts: {@code 21.8}, {@code 0.849}. */
  public static String shortNumber(double value) {
    BigDecimal rounded = new BigDecimal(value).round(new MathContext(3));
    return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
  }

  private static String scaled(double value) {
    int power = 0;
    double scaled = value;
    while (power < UNITS.length() && Math.abs(scaled) >= 999.95) {
      scaled /= 1000;
      power++;
    }
    String prefix = power == 0 ? "" : UNITS.substring(power - 1, power);
    String digits = Math.abs(scaled) >= 100 ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, digits, scaled) + " " + prefix;
  }
}
