package net.sluice.emulator.cli.live;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.sluice.cli.InvalidOption;
import picocli.CommandLine.ITypeConverter;

/**
 * A value of {@code -i}: a port of the switch and what it is cabled to.
 *
 * @param number 0..{@value #MAX_NUMBER}
 * @param tap whether it is a TAP device
 * @param name of the interface, TAP device or capture
 */
record PortOption(int number, boolean tap, String name) {
  /** Highest number: the program drops what it sends to the one above. */
  static final int MAX_NUMBER = 510;

  private static final String ALLOWED =
      "PORT@INTERFACE or PORT@tap:NAME with a port of 0 to " + MAX_NUMBER + ", such as 1@veth1";
  private static final Pattern FORM = Pattern.compile("(\\d{1,9})@(tap:)?([^\\s/@:]+)");

  /**
   * The port in {@code text}.
   *
   * @throws InvalidOption if it is none
   */
  static PortOption parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches() || Integer.parseInt(matcher.group(1)) > MAX_NUMBER) {
      throw new InvalidOption(ALLOWED);
    }
    return new PortOption(
        Integer.parseInt(matcher.group(1)), matcher.group(2) != null, matcher.group(3));
  }

  /** Reads values of the option. */
  static final class Converter implements ITypeConverter<PortOption> {
    @Override
    public PortOption convert(String text) {
      return parse(text);
    }
  }

  /** The interface, TAP device or capture that it is cabled to. */
  String device() {
    return (tap ? "tap:" : "") + name;
  }

  /** As it is written on the command line. */
  String text() {
    return number + "@" + device();
  }
}
