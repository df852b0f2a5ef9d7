package net.sluice.pipeconf.table;

import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.IpPrefix.Family;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.pipeconf.p4info.MatchField;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** The leading bits of an address with match kind exact: prefixes of one length, at most 63. */
final class LeadingBitsMatch implements PrefixMatch {
  private final ExactMatch leading;
  private final Family family;
  private final int length;

  LeadingBitsMatch(MatchField.Exact field, Family family) {
    this.leading = new ExactMatch(field, "prefix");
    this.family = family;
    this.length = field.bits();
  }

  @Override
  public void match(IpPrefix prefix, TableEntry.Builder into) {
    if (prefix.family() != family || prefix.length() != length) {
      throw new InvalidValueException(
          "prefix", prefix, (family == Family.V4 ? "IPv4" : "IPv6") + " with length " + length);
    }
    into.addMatch(
        leading.of(
            family == Family.V4 ? prefix.lo() >>> 32 - length : prefix.hi() >>> 64 - length));
  }

  @Override
  public IpPrefix read(TableEntry entry) {
    long bits = leading.read(entry);
    return family == Family.V4
        ? new IpPrefix(family, 0, bits << 32 - length, length)
        : new IpPrefix(family, bits << 64 - length, 0, length);
  }
}
