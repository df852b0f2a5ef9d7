package net.sluice.standalone.network;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.sluice.cli.InvalidOption;
import net.sluice.cli.OptionException;
import net.sluice.core.Servers.GnmiEndpoint;
import net.sluice.core.Servers.SwitchEndpoint;

/**
 * An address to connect to, as on the command line: {@code 192.0.2.7:9559}, {@code leaf1:9559},
 * {@code [2001:db8::7]:9559}. Names are looked up with each attempt to connect, so one that is not
 * known yet is no error.
 *
 * @param host name or address, without brackets
 * @param port TCP port, 1..65535
 */
public record ConnectAddress(String host, int port) {
  private static final String ALLOWED =
      "HOST:PORT with a port of 1 to 65535, such as 192.0.2.7:9559 or [2001:db8::7]:9559";
  private static final Pattern FORM =
      Pattern.compile("(?:\\[([0-9A-Fa-f:.]{2,45})]|([A-Za-z0-9._-]{1,253})):(\\d{1,5})");
  private static final int MAX_PORT = 65_535;

  /**
   * The address in {@code text}.
   *
   * @throws InvalidOption if it is none
   */
  public static ConnectAddress parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new InvalidOption(ALLOWED);
    }
    int port = Integer.parseInt(matcher.group(3));
    if (port < 1 || port > MAX_PORT) {
      throw new InvalidOption(ALLOWED);
    }
    String bracketed = matcher.group(1);
    return new ConnectAddress(bracketed == null ? matcher.group(2) : bracketed, port);
  }

  /**
   * The address in an option whose type depends on others.
   *
   * @param option the option it was given with
   * @throws OptionException if it is none
   */
  public static ConnectAddress parse(String option, String text) {
    try {
      return parse(text);
    } catch (InvalidOption e) {
      throw new OptionException(option, text, e.getMessage());
    }
  }

  /** The address of a switch's P4Runtime server. */
  public static ConnectAddress of(SwitchEndpoint at) {
    return new ConnectAddress(at.host(), at.port());
  }

  /** The address of a gNMI server. */
  public static ConnectAddress of(GnmiEndpoint at) {
    return new ConnectAddress(at.host(), at.port());
  }

  /** {@code host:port}, with IPv6 addresses in brackets. */
  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
