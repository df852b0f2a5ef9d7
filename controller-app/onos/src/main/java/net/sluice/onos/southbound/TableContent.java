package net.sluice.onos.southbound;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.onos.southbound.PiNames.TableNames;
import net.sluice.pipeconf.table.DecodedEntry;
import org.onosproject.net.pi.runtime.PiTableEntry;
import p4.v1.P4RuntimeOuterClass.FieldMatch;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/**
 * The content of one table as it was read. Halves of an entry that matches everything are held back
 * until the table is read whole: two that agree are one entry, one alone is none of ours.
 */
final class TableContent {
  /**
   * Something in our tables that we would never write.
   *
   * @param entry as ONOS gave it, which is how it can be deleted
   * @param reason for people
   */
  record Malformed(PiTableEntry entry, String reason) {}

  private final PiEntries entries;
  private final List<Malformed> malformed = new ArrayList<>();
  private PiTableEntry lower;
  private PiTableEntry upper;
  private SwitchEntry whole;

  TableContent(PiEntries entries) {
    this.entries = entries;
  }

  /** The entries of ours among {@code read}, save those held back. */
  List<SwitchEntry> add(Iterable<PiTableEntry> read) {
    List<SwitchEntry> known = new ArrayList<>();
    for (PiTableEntry entry : read) {
      TableEntry decoded;
      try {
        decoded = entries.decode(entry);
      } catch (InvalidValueException e) {
        malformed.add(new Malformed(entry, e.getMessage()));
        continue;
      }
      if (!hold(entry, decoded)) {
        SwitchEntry of = known(entry, decoded);
        if (of != null && decoded.getMatchCount() == 0) {
          whole = of;
        } else if (of != null) {
          known.add(of);
        }
      }
    }
    return known;
  }

  private boolean hold(PiTableEntry entry, TableEntry decoded) {
    TableNames table = entries.names().table(decoded.getTableId());
    if (table.onlyPrefix() == null || decoded.getMatchCount() != 1) {
      return false;
    }
    FieldMatch.LPM prefix = decoded.getMatch(0).getLpm();
    if (prefix.getPrefixLen() != 1) {
      return false;
    }
    boolean isLower = prefix.getValue().equals(zeros(prefix));
    if (isLower) {
      lower = entry;
    } else {
      upper = entry;
    }
    return true;
  }

  private static ByteString zeros(FieldMatch.LPM prefix) {
    return ByteString.copyFrom(new byte[prefix.getValue().size()]);
  }

  private SwitchEntry known(PiTableEntry entry, TableEntry decoded) {
    DecodedEntry found = entries.codec().decode(decoded);
    if (found instanceof DecodedEntry.Malformed of) {
      malformed.add(new Malformed(entry, of.reason()));
    }
    return found instanceof DecodedEntry.Known of ? of.entry() : null;
  }

  /** The table is read whole: what was held back, if it is one of ours. */
  List<SwitchEntry> end() {
    if (lower != null && upper != null && lower.action().equals(upper.action())) {
      TableEntry joined = entries.decode(lower).toBuilder().clearMatch().build();
      SwitchEntry of = known(lower, joined);
      if (of != null) {
        return List.of(of);
      }
      malformed.add(new Malformed(upper, "the other half of what is none of ours"));
      return List.of();
    }
    addHalf(lower);
    addHalf(upper);
    return whole == null ? List.of() : List.of(whole);
  }

  private void addHalf(PiTableEntry half) {
    if (half != null) {
      malformed.add(new Malformed(half, "half of an entry that matches everything, by itself"));
    }
  }

  /** Entries that are not ours; complete after {@link #end}. */
  List<Malformed> malformed() {
    return malformed;
  }
}
