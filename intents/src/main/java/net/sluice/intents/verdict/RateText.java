package net.sluice.intents.verdict;

import java.util.Locale;

/** Rates as people write them: {@code 25 Mbit/s}, {@code 1.25 Gbit/s}, {@code 0 bit/s}. */
public final class RateText {
  private static final String[] UNITS = {"bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"};

  private RateText() {}

  /** The text of a rate with three digits at most. */
  public static String of(double bps) {
    double scaled = bps;
    int unit = 0;
    while (unit < UNITS.length - 1 && Math.round(scaled) >= 1000) {
      scaled /= 1000;
      unit++;
    }
    int decimals = unit == 0 || scaled >= 99.95 ? 0 : scaled >= 9.995 ? 1 : 2;
    String digits = String.format(Locale.ROOT, "%." + decimals + "f", scaled);
    if (decimals > 0) {
      digits = digits.replaceAll("\\.?0+$", "");
    }
    return digits + " " + UNITS[unit];
  }
}
