package net.sluice.rest.switches;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An address to connect to: {@code 192.0.2.7:9559}, {@code leaf1:9559}, {@code [2001:db8::7]:9559}.
 * Names are looked up with each attempt to connect, so one that is not known yet is no error.
 *
 * @param host name or address, without brackets
 * @param port TCP port, 1..65535
 */
public record HostPort(String host, int port) {
  /** The allowed form of an address, for error texts. */
  public static final String ALLOWED =
      "HOST:PORT with a port of 1 to 65535, such as 192.0.2.7:9559 or [2001:db8::7]:9559";

  private static final Pattern FORM =
      Pattern.compile("(?:\\[([0-9A-Fa-f:.]{2,45})]|([A-Za-z0-9._-]{1,253})):(\\d{1,5})");
  private static final int MAX_PORT = 65_535;

  /** The address in {@code text}; empty if it is none. */
  public static Optional<HostPort> of(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    int port = Integer.parseInt(matcher.group(3));
    if (port < 1 || port > MAX_PORT) {
      return Optional.empty();
    }
    String bracketed = matcher.group(1);
    return Optional.of(new HostPort(bracketed == null ? matcher.group(2) : bracketed, port));
  }

  /** {@code host:port}, with IPv6 addresses in brackets. */
  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
