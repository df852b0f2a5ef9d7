package net.sluice.intents.profile;

import java.util.OptionalInt;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.IpPrefix.Family;
import net.sluice.intents.value.InvalidValueException;

/**
 * Prefix lengths that a program classifies subscribers by. A table of exact matches knows one.
 *
 * @param v4 the one length of IPv4 prefixes; empty if every length will do
 * @param v6 the one length of IPv6 prefixes; empty if every length will do
 */
public record PrefixLengths(OptionalInt v4, OptionalInt v6) {
  /** Every length. */
  public static final PrefixLengths ANY =
      new PrefixLengths(OptionalInt.empty(), OptionalInt.empty());

  public PrefixLengths {
    require("v4", v4, Family.V4);
    require("v6", v6, Family.V6);
  }

  private static void require(String field, OptionalInt length, Family family) {
    if (length.isPresent() && (length.getAsInt() < 1 || length.getAsInt() > family.bits())) {
      throw new InvalidValueException(field, length.getAsInt(), "1 to " + family.bits());
    }
  }

  /** The one length of a family; empty if every length will do. */
  public OptionalInt of(Family family) {
    return family == Family.V4 ? v4 : v6;
  }

  /** True if a subscriber can be classified by {@code prefix}. */
  public boolean allow(IpPrefix prefix) {
    OptionalInt length = of(prefix.family());
    return length.isEmpty() || length.getAsInt() == prefix.length();
  }
}
