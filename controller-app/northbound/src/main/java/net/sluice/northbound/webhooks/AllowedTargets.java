package net.sluice.northbound.webhooks;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.value.InvalidValueException;

/**
 * Where things may be that clients of the API declare, as switches, register agents and webhooks:
 * whatever the start names, by address, by network or by name, each perhaps with ports.
 *
 * <p>A name allows itself, wherever it leads. What is declared with another name, or with an
 * address, has to lead to an allowed address whenever it is connected to.
 */
public final class AllowedTargets implements Destinations {
  private static final String FORM =
      "HOST, ADDRESS or ADDRESS/LENGTH, perhaps with :PORT or :PORT-PORT, such as leaf1:9559,"
          + " 192.0.2.0/24, 192.0.2.7:9559-9600 or [2001:db8::]/32:9559";
  private static final Pattern RULE =
      Pattern.compile(
          "(?:\\[([0-9A-Fa-f:.]+)](?:/(\\d{1,3}))?" // an IPv6 address that a port may follow
              + "|([0-9.]+)(?:/(\\d{1,2}))?"
              + "|([A-Za-z0-9._-]{1,253}))"
              + "(?::(\\d{1,5})(?:-(\\d{1,5}))?)?");
  private static final Pattern BARE_IPV6 =
      Pattern.compile("([0-9A-Fa-f]*:[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)(?:/(\\d{1,3}))?");
  private static final String FIELD = "target";
  private static final int MAX_PORT = 65_535;

  private final List<Rule> rules;
  private final String option;

  /**
   * The addresses that one value of the option allows.
   *
   * @param text as it was given
   * @param name the name that it allows; empty if it allows addresses
   * @param addresses the addresses that it allows; empty if it allows a name
   */
  public record Rule(
      String text,
      Optional<String> name,
      Optional<IpPrefix> addresses,
      int firstPort,
      int lastPort) {
    /** The rule that allows a host, and nothing but it, at a port. */
    public static Rule exactly(String host, int port) {
      Optional<IpPrefix> address = literal(host).map(AllowedTargets::prefix);
      return new Rule(
          (host.contains(":") ? "[" + host + "]" : host) + ":" + port,
          address.isPresent() ? Optional.empty() : Optional.of(sameName(host)),
          address,
          port,
          port);
    }

    private boolean allows(String host, InetSocketAddress connected) {
      int port = connected.getPort();
      return port >= firstPort
          && port <= lastPort
          && (name.filter(sameName(host)::equals).isPresent()
              || addresses.filter(a -> a.contains(prefix(connected.getAddress()))).isPresent());
    }
  }

  private AllowedTargets(List<Rule> rules, String option) {
    this.rules = List.copyOf(rules);
    this.option = option;
  }

  /**
   * The addresses that an option or a setting allows.
   *
   * @param option its name
   * @param given what is allowed; if nothing is, the loopback interface
   * @param named what the start names itself, which is allowed in any case
   */
  public static AllowedTargets of(String option, List<Rule> given, List<Rule> named) {
    List<Rule> rules = new ArrayList<>(given);
    if (given.isEmpty()) {
      rules.add(parse("127.0.0.0/8"));
      rules.add(parse("::1"));
    }
    named.stream().distinct().forEach(rules::add);
    return new AllowedTargets(rules, option);
  }

  /**
   * The rule in {@code text}.
   *
   * @throws InvalidValueException if it is none
   */
  public static Rule parse(String text) {
    Matcher bare = BARE_IPV6.matcher(text);
    if (bare.matches()) {
      return addresses(text, bare.group(1), bare.group(2), 1, MAX_PORT);
    }
    Matcher matcher = RULE.matcher(text);
    if (!matcher.matches()) {
      throw new InvalidValueException(FIELD, text, FORM);
    }
    int first = matcher.group(6) == null ? 1 : Integer.parseInt(matcher.group(6));
    int last =
        matcher.group(7) != null
            ? Integer.parseInt(matcher.group(7))
            : matcher.group(6) != null ? first : MAX_PORT;
    if (first < 1 || last > MAX_PORT || first > last) {
      throw new InvalidValueException(
          FIELD, text, "ports of 1 to " + MAX_PORT + ", the lower one first");
    }
    if (matcher.group(1) != null) {
      return addresses(text, matcher.group(1), matcher.group(2), first, last);
    }
    if (matcher.group(3) != null) {
      return addresses(text, matcher.group(3), matcher.group(4), first, last);
    }
    String name = sameName(matcher.group(5));
    return new Rule(text, Optional.of(name), Optional.empty(), first, last);
  }

  private static Rule addresses(String text, String address, String length, int first, int last) {
    try {
      boolean v6 = address.contains(":");
      IpPrefix prefix =
          IpPrefix.parse(address + "/" + (length != null ? length : v6 ? "128" : "32"));
      return new Rule(text, Optional.empty(), Optional.of(unmapped(prefix)), first, last);
    } catch (InvalidValueException e) {
      throw new InvalidValueException(FIELD, text, FORM + "; of an address: " + e.allowed());
    }
  }

  /** IPv4 addresses within IPv6 (RFC 4291 section 2.5.5.2) are IPv4 addresses. */
  private static IpPrefix unmapped(IpPrefix prefix) {
    boolean mapped =
        prefix.family() == IpPrefix.Family.V6
            && prefix.length() >= 96
            && prefix.hi() == 0
            && prefix.lo() >>> 32 == 0xFFFF;
    return mapped ? IpPrefix.v4((int) prefix.lo(), prefix.length() - 96) : prefix;
  }

  private static IpPrefix prefix(InetAddress address) {
    long[] words = new long[2];
    byte[] bytes = address.getAddress();
    for (int i = 0; i < bytes.length; i++) {
      words[i / 8] = words[i / 8] << 8 | bytes[i] & 0xFF;
    }
    return bytes.length == 4
        ? IpPrefix.v4((int) words[0], 32)
        : unmapped(IpPrefix.v6(words[0], words[1], 128));
  }

  /** Names are the same in capitals, and with the dot of the root. */
  private static String sameName(String host) {
    String lower = host.toLowerCase(Locale.ROOT);
    return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }

  @Override
  public boolean allowsDeclared(String host, int port) {
    Optional<InetAddress> address = literal(host);
    return address.isPresent()
        ? allows(host, new InetSocketAddress(address.get(), port))
        : rules.stream()
            .anyMatch(
                rule ->
                    port >= rule.firstPort
                        && port <= rule.lastPort
                        && rule.name.map(sameName(host)::equals).orElse(true));
  }

  /** The address that a host is in the usual form; empty for names and for unusual forms. */
  private static Optional<InetAddress> literal(String host) {
    try {
      return host.contains(":") || host.matches("\\d{1,3}(\\.\\d{1,3}){3}")
          ? Optional.of(InetAddress.getByName(host))
          : Optional.empty();
    } catch (UnknownHostException e) {
      return Optional.empty();
    }
  }

  @Override
  public boolean allows(String host, InetSocketAddress connected) {
    return connected.getAddress() != null
        && rules.stream().anyMatch(rule -> rule.allows(host, connected));
  }

  @Override
  public String allowed() {
    return rules.stream().map(Rule::text).collect(Collectors.joining(", "))
        + "; others with "
        + option;
  }
}
