package net.sluice.pipeconf.table;

import net.sluice.intents.value.InvalidValueException;
import net.sluice.pipeconf.p4info.MatchField;
import p4.v1.P4RuntimeOuterClass.FieldMatch;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** A field of a table's match with match kind exact, at most 63 bits wide. */
final class ExactMatch {
  private static final int CACHED_BITS = 10;

  private final int id;
  private final int bits;
  private final String name;
  private final FieldMatch[] cached;

  /**
   * @param name the value's name in error messages
   */
  ExactMatch(MatchField.Exact field, String name) {
    this.id = field.id();
    this.bits = field.bits();
    this.name = name;
    this.cached = new FieldMatch[bits <= CACHED_BITS ? 1 << bits : 0];
    for (int i = 0; i < cached.length; i++) {
      cached[i] = create(i);
    }
  }

  FieldMatch of(long value) {
    if (value >>> bits != 0) {
      throw new InvalidValueException(name, value, "0 to " + ((1L << bits) - 1));
    }
    return value < cached.length ? cached[(int) value] : create(value);
  }

  long read(TableEntry entry) {
    FieldMatch match = find(entry, id);
    if (match == null || !match.hasExact()) {
      throw new MalformedEntryException("no exact match on " + name);
    }
    return CanonicalBytes.read(match.getExact().getValue(), bits, name);
  }

  private FieldMatch create(long value) {
    return FieldMatch.newBuilder()
        .setFieldId(id)
        .setExact(FieldMatch.Exact.newBuilder().setValue(CanonicalBytes.of(value)))
        .build();
  }

  /** The match on a field, or null if there is none. */
  static FieldMatch find(TableEntry entry, int fieldId) {
    for (int i = 0; i < entry.getMatchCount(); i++) {
      FieldMatch match = entry.getMatch(i);
      if (match.getFieldId() == fieldId) {
        return match;
      }
    }
    return null;
  }
}
