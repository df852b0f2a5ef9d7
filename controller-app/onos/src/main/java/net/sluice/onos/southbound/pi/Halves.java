package net.sluice.onos.southbound.pi;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.pipeconf.p4info.MatchField;
import net.sluice.pipeconf.p4info.TableDescriptor;
import p4.v1.P4RuntimeOuterClass.FieldMatch;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/**
 * Entries of one read, of which two with prefixes of one bit and the same action are one that
 * matches everything.
 */
public final class Halves {
  private final List<TableEntry> entries = new ArrayList<>();

  /** Halves, and entries that match everything, by such an entry of their table and action. */
  private final Map<TableEntry, List<TableEntry>> parts = new HashMap<>();

  /** Whether an entry matches by a prefix of one bit alone. */
  public static boolean isHalf(TableEntry entry) {
    return entry.getMatchCount() == 1
        && entry.getMatch(0).hasLpm()
        && entry.getMatch(0).getLpm().getPrefixLen() == 1;
  }

  /**
   * The entry, or the halves of one that matches everything.
   *
   * @throws InvalidValueException if it matches everything and cannot be halved
   */
  static List<TableEntry> split(TableDescriptor table, TableEntry entry) {
    if (entry.getMatchCount() > 0) {
      return List.of(entry);
    }
    if (table.matchFields().size() == 1
        && table.matchFields().get(0) instanceof MatchField.Lpm field) {
      return List.of(half(field, entry, false), half(field, entry, true));
    }
    throw new InvalidValueException(
        table.name(), "an entry without a match", "one with: ONOS takes it for the default action");
  }

  private static TableEntry half(MatchField.Lpm field, TableEntry entry, boolean upper) {
    byte[] value = new byte[(field.bits() + 7) / 8];
    if (upper) {
      value[0] = (byte) (1 << (field.bits() - 1) % 8);
    }
    FieldMatch.Builder match = FieldMatch.newBuilder().setFieldId(field.id());
    match.getLpmBuilder().setValue(ByteString.copyFrom(value)).setPrefixLen(1);
    return entry.toBuilder().addMatch(match).build();
  }

  void add(TableEntry entry) {
    if (entry.getMatchCount() == 0 || isHalf(entry)) {
      TableEntry whole = entry.toBuilder().clearMatch().build();
      parts.computeIfAbsent(whole, unused -> new ArrayList<>()).add(entry);
    } else {
      entries.add(entry);
    }
  }

  /** The entries; halves by themselves only if {@code isWhole}, that is, if nothing is missing. */
  List<TableEntry> joined(boolean isWhole) {
    parts.forEach(
        (whole, read) -> {
          if (read.size() > 1 || !isHalf(read.get(0))) {
            entries.add(whole);
          } else if (isWhole) {
            entries.add(read.get(0));
          }
        });
    return entries;
  }
}
