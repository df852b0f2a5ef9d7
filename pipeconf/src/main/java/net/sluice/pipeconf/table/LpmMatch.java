package net.sluice.pipeconf.table;

import com.google.protobuf.ByteString;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.IpPrefix.Family;
import net.sluice.pipeconf.p4info.MatchField;
import p4.v1.P4RuntimeOuterClass.FieldMatch;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** A prefix with match kind lpm; one of length 0 is left out. */
final class LpmMatch implements PrefixMatch {
  private final int id;
  private final Family family;

  LpmMatch(MatchField.Lpm field) {
    this.id = field.id();
    this.family = field.bits() == Family.V4.bits() ? Family.V4 : Family.V6;
    if (field.bits() != family.bits()) {
      throw new IllegalStateException(field + " is no address");
    }
  }

  @Override
  public void match(IpPrefix prefix, TableEntry.Builder into) {
    if (prefix.length() > 0) {
      into.addMatch(
          FieldMatch.newBuilder()
              .setFieldId(id)
              .setLpm(
                  FieldMatch.LPM
                      .newBuilder()
                      .setValue(CanonicalBytes.of(prefix.hi(), prefix.lo()))
                      .setPrefixLen(prefix.length())));
    }
  }

  @Override
  public IpPrefix read(TableEntry entry) {
    if (entry.getMatchCount() == 0) {
      return new IpPrefix(family, 0, 0, 0);
    }
    FieldMatch match = ExactMatch.find(entry, id);
    if (match == null || match.getFieldMatchTypeCase() != FieldMatch.FieldMatchTypeCase.LPM) {
      throw new MalformedEntryException("no longest-prefix match on prefix");
    }
    ByteString value = match.getLpm().getValue();
    if (!CanonicalBytes.fits(value, family.bits())) {
      throw new MalformedEntryException("prefix is no address of " + family.bits() + " bits");
    }
    return new IpPrefix(
        family,
        CanonicalBytes.high(value),
        CanonicalBytes.low(value),
        match.getLpm().getPrefixLen());
  }
}
