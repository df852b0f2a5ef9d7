package net.sluice.cli;

import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Addresses to listen on, as on the command line: {@code 127.0.0.1:8181}, {@code [::1]:0}. */
public final class ListenAddress {
  private static final String ALLOWED =
      "HOST:PORT with a port of 0 to 65535, such as 127.0.0.1:8181 or [::1]:8181";
  private static final Pattern FORM =
      Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9._-]+):(\\d{1,5})");
  private static final int MAX_PORT = 65_535;

  private ListenAddress() {}

  /**
   * The address in {@code text}.
   *
   * @throws InvalidOption if it is none, or its host is unknown
   */
  public static InetSocketAddress parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new InvalidOption(ALLOWED);
    }
    int port = Integer.parseInt(matcher.group(2));
    if (port > MAX_PORT) {
      throw new InvalidOption(ALLOWED);
    }
    String host = matcher.group(1);
    String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    InetSocketAddress address = new InetSocketAddress(bare, port);
    if (address.isUnresolved()) {
      throw new InvalidOption("a host that is known here, e.g. 127.0.0.1");
    }
    return address;
  }

  /**
   * The address in a part of an option's value.
   *
   * @param option the option it was given with
   * @throws OptionException if it is none, or its host is unknown
   */
  public static InetSocketAddress parse(String option, String text) {
    try {
      return parse(text);
    } catch (InvalidOption e) {
      throw new OptionException(option, text, e.getMessage());
    }
  }

  /** {@code host:port}, with IPv6 addresses in brackets. */
  public static String text(InetSocketAddress address) {
    return text(address, address.getPort());
  }

  /** The host of {@code address} with another port. */
  public static String text(InetSocketAddress address, int port) {
    String host = address.getAddress().getHostAddress();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }

  /** A URI of what listens on the host of {@code address} and a port. */
  public static URI uri(String scheme, InetSocketAddress address, int port, String path) {
    return URI.create(scheme + "://" + text(address, port) + path);
  }

  /** Why listening failed, as the operating system says it. */
  public static String reason(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof NoSuchFileException) {
      return "there is no such file";
    }
    if (cause instanceof AccessDeniedException) {
      return "no permission";
    }
    String message = cause.getMessage();
    return message == null ? cause.getClass().getSimpleName() : message;
  }
}
