package net.sluice.pipeconf.profile;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.sluice.intents.value.InvalidValueException;

/**
 * How a front panel port is divided, written like {@code 4x25G}.
 *
 * @param parts number of parts
 * @param speedBps speed of each, bit/s
 */
public record PortSplit(int parts, long speedBps) {
  private static final Pattern TEXT = Pattern.compile("([1-8])x([0-9]{1,3}G)");

  /**
   * Reads one.
   *
   * @param field what the text stands for, for the error
   * @throws InvalidValueException if it is none
   */
  public static PortSplit parse(String field, String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new InvalidValueException(
          field, text, "parts and the speed of each, written like 4x25G");
    }
    return new PortSplit(
        Integer.parseInt(matcher.group(1)), ProfileRates.parse(field, matcher.group(2)));
  }

  @Override
  public String toString() {
    return parts + "x" + ProfileRates.text(speedBps);
  }
}
