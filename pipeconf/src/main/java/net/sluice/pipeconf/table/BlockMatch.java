package net.sluice.pipeconf.table;

import net.sluice.intents.value.InvalidValueException;
import net.sluice.pipeconf.p4info.MatchField;
import p4.v1.P4RuntimeOuterClass.FieldMatch;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/**
 * A number with match kind ternary, at most 63 bits wide, of which leading bits are matched: blocks
 * of {@code 2^k} numbers that begin at a multiple of {@code 2^k}.
 */
final class BlockMatch implements BoundsMatch {
  private final int id;
  private final int bits;
  private final long max;
  private final String name;

  /**
   * @param name the value's name in error messages
   */
  BlockMatch(MatchField.Ternary field, String name) {
    this.id = field.id();
    this.bits = field.bits();
    this.max = (1L << bits) - 1;
    this.name = name;
  }

  @Override
  public void match(long low, long high, TableEntry.Builder into) {
    long others = high - low;
    if (low < 0 || high > max || low > high || (others & others + 1) != 0 || (low & others) != 0) {
      throw new InvalidValueException(
          name, low + ".." + high, "2^k numbers from a multiple of 2^k on, within 0 to " + max);
    }
    if (others != max) {
      into.addMatch(
          FieldMatch.newBuilder()
              .setFieldId(id)
              .setTernary(
                  FieldMatch.Ternary.newBuilder()
                      .setValue(CanonicalBytes.of(low))
                      .setMask(CanonicalBytes.of(max - others))));
    }
  }

  @Override
  public Bounds read(TableEntry entry) {
    if (entry.getMatchCount() == 0) {
      return new Bounds(0, max);
    }
    FieldMatch match = entry.getMatch(0);
    if (match.getFieldId() != id
        || match.getFieldMatchTypeCase() != FieldMatch.FieldMatchTypeCase.TERNARY) {
      throw new MalformedEntryException("no ternary match on " + name);
    }
    long value = CanonicalBytes.read(match.getTernary().getValue(), bits, name);
    long others = max - CanonicalBytes.read(match.getTernary().getMask(), bits, name);
    if ((others & others + 1) != 0) {
      throw new MalformedEntryException(
          name + " has a mask of other than leading bits, 0x" + Long.toHexString(max - others));
    }
    if ((value & others) != 0) {
      throw new MalformedEntryException(name + " " + value + " has bits beyond its mask");
    }
    return new Bounds(value, value + others);
  }
}
