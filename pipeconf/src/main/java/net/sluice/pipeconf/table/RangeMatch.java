package net.sluice.pipeconf.table;

import net.sluice.intents.value.InvalidValueException;
import net.sluice.pipeconf.p4info.MatchField;
import p4.v1.P4RuntimeOuterClass.FieldMatch;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** A range with match kind range, at most 63 bits wide. */
final class RangeMatch implements BoundsMatch {
  private final int id;
  private final int bits;
  private final long max;
  private final String name;

  /**
   * @param name the value's name in error messages
   */
  RangeMatch(MatchField.Range field, String name) {
    this.id = field.id();
    this.bits = field.bits();
    this.max = (1L << bits) - 1;
    this.name = name;
  }

  @Override
  public void match(long low, long high, TableEntry.Builder into) {
    if (low < 0 || high > max || low > high) {
      throw new InvalidValueException(name, low + ".." + high, "a range within 0 to " + max);
    }
    if (low != 0 || high != max) {
      into.addMatch(
          FieldMatch.newBuilder()
              .setFieldId(id)
              .setRange(
                  FieldMatch.Range.newBuilder()
                      .setLow(CanonicalBytes.of(low))
                      .setHigh(CanonicalBytes.of(high))));
    }
  }

  @Override
  public Bounds read(TableEntry entry) {
    if (entry.getMatchCount() == 0) {
      return new Bounds(0, max);
    }
    FieldMatch match = entry.getMatch(0);
    if (match.getFieldId() != id
        || match.getFieldMatchTypeCase() != FieldMatch.FieldMatchTypeCase.RANGE) {
      throw new MalformedEntryException("no range match on " + name);
    }
    long low = CanonicalBytes.read(match.getRange().getLow(), bits, name);
    long high = CanonicalBytes.read(match.getRange().getHigh(), bits, name);
    if (low > high) {
      throw new MalformedEntryException(name + " " + low + ".." + high + " is empty");
    }
    return new Bounds(low, high);
  }
}
