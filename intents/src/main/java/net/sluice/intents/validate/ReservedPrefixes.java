package net.sluice.intents.validate;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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

  private static final int OCTETS = 256;

  /** By family and first octet: those that have an address that begins with it. */
  private static final Reserved[][][] BY_OCTET =
      Stream.of(Family.values()).map(ReservedPrefixes::byOctet).toArray(Reserved[][][]::new);

  private ReservedPrefixes() {}

  private static Reserved[][] byOctet(Family family) {
    return IntStream.range(0, OCTETS)
        .mapToObj(octet -> beginningWith(family, octet))
        .toArray(Reserved[][]::new);
  }

  private static Reserved[] beginningWith(Family family, int octet) {
    IpPrefix all =
        family == Family.V4
            ? IpPrefix.v4(octet << 24, Byte.SIZE)
            : IpPrefix.v6((long) octet << 56, 0, Byte.SIZE);
    return RESERVED.stream()
        .filter(reserved -> reserved.prefix.overlaps(all))
        .toArray(Reserved[]::new);
  }

  private static int firstOctet(IpPrefix prefix) {
    return (int) (prefix.family() == Family.V4 ? prefix.lo() >>> 24 : prefix.hi() >>> 56);
  }

  /** Why {@code prefix} cannot be a subscriber's, e.g. {@code 127.0.0.0/8 is loopback}. */
  public static Optional<String> reason(IpPrefix prefix) {
    // A prefix of less than an octet begins with several.
    int first = firstOctet(prefix);
    int last = prefix.length() < Byte.SIZE ? first | (OCTETS - 1) >> prefix.length() : first;
    for (int octet = first; octet <= last; octet++) {
      for (Reserved reserved : BY_OCTET[prefix.family().ordinal()][octet]) {
        if (reserved.prefix.overlaps(prefix)) {
          return Optional.of(reserved.prefix + " is " + reserved.what);
        }
      }
    }
    return Optional.empty();
  }

  private static Reserved reserved(String prefix, String what) {
    return new Reserved(IpPrefix.parse(prefix), what);
  }
}
