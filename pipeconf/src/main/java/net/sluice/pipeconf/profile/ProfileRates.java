package net.sluice.pipeconf.profile;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.sluice.intents.value.InvalidValueException;

/** Rates in profiles: a whole number, with k, M or G for powers of 1000. */
final class ProfileRates {
  private static final Pattern TEXT = Pattern.compile("([1-9][0-9]{0,11})([kMG]?)");
  private static final String UNITS = "kMG";

  private ProfileRates() {}

  static long parse(String field, String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new InvalidValueException(field, text, "a rate in bit/s, written like 10M or 100G");
    }
    long rate = Long.parseLong(matcher.group(1));
    for (int i = matcher.group(2).isEmpty() ? 0 : UNITS.indexOf(matcher.group(2)) + 1; i > 0; i--) {
      rate = Math.multiplyExact(rate, 1000L);
    }
    return rate;
  }

  static String text(long bps) {
    int unit = 0;
    long scaled = bps;
    while (unit < UNITS.length() && scaled >= 1000 && scaled % 1000 == 0) {
      scaled /= 1000;
      unit++;
    }
    return scaled + (unit == 0 ? "" : UNITS.substring(unit - 1, unit));
  }
}
