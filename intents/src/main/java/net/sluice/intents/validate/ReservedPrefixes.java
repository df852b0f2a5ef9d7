package net.sluice.intents.validate;

import java.util.List;
import java.util.Optional;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.IpPrefix.Family;

/**
 * Prefixes that can be no subscriber's, because their addresses are never source or destination of
 * routed unicast traffic. A prefix is refused if it so much as overlaps one of them.
 */
public final class ReservedPrefixes {
  private record Reserved(IpPrefix prefix, String what) {}

  private static final List<Reserved> RESERVED =
      List.of(
          reserved("0.0.0.0/8", "\"this network\" (RFC 1122)"),
          reserved("127.0.0.0/8", "loopback (RFC 1122)"),
          reserved("169.254.0.0/16", "link-local (RFC 3927)"),
          reserved("224.0.0.0/4", "multicast (RFC 5771)"),
          reserved("240.0.0.0/4", "reserved and broadcast (RFC 1112)"),
          reserved("::/127", "unspecified and loopback (RFC 4291)"),
          reserved("::ffff:0:0/96", "IPv4-mapped (RFC 4291): declare the IPv4 prefix"),
          reserved("fe80::/10", "link-local (RFC 4291)"),
          reserved("ff00::/8", "multicast (RFC 4291)"));

  private static final Reserved[] RESERVED_V4 = of(Family.V4);
  private static final Reserved[] RESERVED_V6 = of(Family.V6);

  private ReservedPrefixes() {}

  private static Reserved[] of(Family family) {
    return RESERVED.stream()
        .filter(reserved -> reserved.prefix.family() == family)
        .toArray(Reserved[]::new);
  }

  /** Why {@code prefix} cannot be a subscriber's, e.g. {@code 127.0.0.0/8 is loopback}. */
  public static Optional<String> reason(IpPrefix prefix) {
    for (Reserved reserved : prefix.family() == Family.V4 ? RESERVED_V4 : RESERVED_V6) {
      if (reserved.prefix.overlaps(prefix)) {
        return Optional.of(reserved.prefix + " is " + reserved.what);
      }
    }
    return Optional.empty();
  }

  private static Reserved reserved(String prefix, String what) {
    return new Reserved(IpPrefix.parse(prefix), what);
  }
}
