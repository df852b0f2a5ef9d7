package net.sluice.standalone;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Rates on the command line: a number with an optional fraction and one of the suffixes {@code k},
 * {@code M}, {@code G}, {@code T} (powers of ten), in bit/s, e.g. {@code 100G}, {@code 1.5M},
 * {@code 488k}, {@code 64000}.
 */
public final class RateText implements ITypeConverter<Long> {
  /** What a rate may be, for error texts. */
  public static final String ALLOWED =
      "a rate of 1 bit/s to 10 Tbit/s such as 488k, 1.5M, 100G or 64000";

  private static final Pattern FORM = Pattern.compile("(\\d{1,18}(?:\\.\\d{1,12})?)([kMGT]?)");
  private static final BigDecimal MAX_BPS = new BigDecimal("1e13");
  private static final String SUFFIXES = "kMGT";

  @Override
  public Long convert(String text) {
    try {
      return parseBps(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }

  /**
   * The rate in bit/s, 1 to 10^13.
   *
   * @throws IllegalArgumentException naming the text and what is allowed
   */
  public static long parseBps(String text) {
    Matcher matcher = FORM.matcher(text);
    if (matcher.matches()) {
      int thousands = matcher.group(2).isEmpty() ? 0 : SUFFIXES.indexOf(matcher.group(2)) + 1;
      BigDecimal bps = new BigDecimal(matcher.group(1)).scaleByPowerOfTen(3 * thousands);
      boolean whole = bps.stripTrailingZeros().scale() <= 0;
      if (whole && bps.signum() > 0 && bps.compareTo(MAX_BPS) <= 0) {
        return bps.longValueExact();
      }
    }
    throw new IllegalArgumentException("'" + text + "' is not " + ALLOWED);
  }

  /** The rate with the largest suffix that leaves at most three decimals, e.g. {@code 1.5M}. */
  public static String format(long bps) {
    for (int thousands = SUFFIXES.length(); thousands > 0; thousands--) {
      BigDecimal scaled = BigDecimal.valueOf(bps).scaleByPowerOfTen(-3 * thousands);
      BigDecimal rounded = scaled.setScale(3, RoundingMode.DOWN);
      if (scaled.compareTo(BigDecimal.ONE) >= 0 && rounded.compareTo(scaled) == 0) {
        return rounded.stripTrailingZeros().toPlainString() + SUFFIXES.charAt(thousands - 1);
      }
    }
    return Long.toString(bps);
  }
}
