package net.sluice.intents.profile;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.IpPrefix.Family;
import net.sluice.intents.value.InvalidValueException;

/**
 * The IP addresses on the line of a port.
 *
 * @param own the port's own, each once
 * @param nextHop where frames that leave there go, of full length; empty if that is said by its MAC
 *     address
 */
public record LineAddresses(List<Own> own, Optional<IpPrefix> nextHop) {
  /** Of a port that has none. */
  public static final LineAddresses NONE = new LineAddresses(List.of(), Optional.empty());

  /** Addresses that hosts can have, in words. */
  public static final String ADDRESS_FORM =
      "an IPv4 or IPv6 address of one host, such as \"192.0.2.1\" or \"2001:db8::1\"";

  /** The same with the length of the line's prefix. */
  public static final String OWN_FORM =
      "an IPv4 or IPv6 address of one host and the length of its line's prefix, such as"
          + " \"192.0.2.1/30\" or \"2001:db8::1/64\"";

  /** Addresses of no single host: this network, loopback, multicast and what is reserved above. */
  private static final List<IpPrefix> NO_HOSTS =
      List.of(
          IpPrefix.v4(0, 8),
          IpPrefix.v4(0x7f00_0000, 8),
          IpPrefix.v4(0xe000_0000, 3),
          IpPrefix.v6(0, 0, 127),
          IpPrefix.v6(0xff00L << 48, 0, 8));

  /**
   * An address of a port.
   *
   * @param address of full length
   * @param length bits of the prefix of the line
   */
  public record Own(IpPrefix address, int length) {
    /**
     * Reads {@code address/length}.
     *
     * @throws InvalidValueException if it is no address of a host, or no length
     */
    public static Own parse(String text) {
      int slash = text.indexOf('/');
      if (slash < 0) {
        throw new InvalidValueException("ports.addresses", text, OWN_FORM);
      }
      IpPrefix address = host("ports.addresses", text.substring(0, slash), OWN_FORM);
      try {
        Own own =
            new Own(
                address,
                IpPrefix.parse(
                        (address.family() == Family.V4 ? "0.0.0.0" : "::") + text.substring(slash))
                    .length());
        if (own.isOfAHost(address)) {
          return own;
        }
      } catch (InvalidValueException e) {
        throw new InvalidValueException("ports.addresses", text, OWN_FORM);
      }
      throw new InvalidValueException("ports.addresses", text, OWN_FORM);
    }

    /**
     * Whether an address on the line is a host's: of IPv4 the first one is the network's, and the
     * last one that of all (RFC 1122, 3.2.1.3), unless the line has two at most (RFC 3021).
     */
    boolean isOfAHost(IpPrefix other) {
      if (other.family() != Family.V4 || length > Family.V4.bits() - 2) {
        return true;
      }
      int hosts = -1 >>> length;
      int host = 0;
      for (byte each : other.addressBytes()) {
        host = host << 8 | each & 0xff;
      }
      host &= hosts;
      return host != 0 && host != hosts;
    }

    /** The prefix of the line. */
    public IpPrefix network() {
      return address.network(length);
    }

    @Override
    public String toString() {
      return address.addressText() + "/" + length;
    }
  }

  public LineAddresses {
    own = List.copyOf(own);
    Set<IpPrefix> addresses = new HashSet<>();
    for (Own each : own) {
      if (!addresses.add(each.address())) {
        throw new InvalidValueException("ports.addresses", each, "each address once");
      }
    }
    if (nextHop.isPresent() && source(own, nextHop.get()).isEmpty()) {
      throw new InvalidValueException(
          "ports.nextHop",
          nextHop.get().addressText(),
          own.isEmpty()
              ? "absent: the port has no addresses to ask for it from"
              : "another address on the port's line: "
                  + own.stream()
                      .map(Own::network)
                      .map(IpPrefix::toString)
                      .collect(Collectors.joining(", ")));
    }
  }

  /**
   * Reads an address.
   *
   * @param field its name in messages
   * @throws InvalidValueException if it is none of a host
   */
  public static IpPrefix host(String field, String text, String form) {
    if (text.indexOf('/') < 0) {
      try {
        Family family = text.indexOf(':') < 0 ? Family.V4 : Family.V6;
        IpPrefix address = IpPrefix.parse(text + "/" + family.bits());
        if (!isNoHost(address)) {
          return address;
        }
      } catch (InvalidValueException e) {
        throw new InvalidValueException(field, text, form);
      }
    }
    throw new InvalidValueException(field, text, form);
  }

  /** True if an address of full length is none that a single host can have. */
  public static boolean isNoHost(IpPrefix address) {
    return NO_HOSTS.stream().anyMatch(address::overlaps);
  }

  /** The port's address on the line of another one; empty if it has none there, or is that one. */
  private static Optional<IpPrefix> source(List<Own> own, IpPrefix other) {
    return own.stream().anyMatch(each -> each.address().equals(other))
        ? Optional.empty()
        : own.stream()
            .filter(each -> each.network().contains(other) && each.isOfAHost(other))
            .map(Own::address)
            .findFirst();
  }

  /** The port's address from which the next hop is asked for. */
  public Optional<IpPrefix> source() {
    return nextHop.flatMap(hop -> source(own, hop));
  }

  /** True if the port has addresses. */
  public boolean any() {
    return !own.isEmpty();
  }
}
