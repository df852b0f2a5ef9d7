package net.sluice.pipeconf.table;

import net.sluice.intents.profile.MarkerLayout;
import net.sluice.pipeconf.p4info.MatchField;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** How a table's match names a subscriber's index. */
interface IndexFields {
  /** Adds the fields. */
  void add(int index, TableEntry.Builder into);

  /** The index that an entry matches. */
  int read(TableEntry entry);

  /** As it is. */
  static IndexFields whole(MatchField.Exact field) {
    ExactField index = new ExactField(field, "subscriber index");
    return new IndexFields() {
      @Override
      public void add(int value, TableEntry.Builder into) {
        into.addMatch(index.of(value));
      }

      @Override
      public int read(TableEntry entry) {
        return index.readInt(entry);
      }
    };
  }

  /** As the instance's number, from 1, and the cell. */
  static IndexFields divided(
      MatchField.Exact instanceField, MatchField.Exact cellField, MarkerLayout markers) {
    ExactField instance = new ExactField(instanceField, "instance");
    ExactField cell = new ExactField(cellField, "subscriber index");
    return new IndexFields() {
      @Override
      public void add(int value, TableEntry.Builder into) {
        into.addMatch(instance.of(InstanceCells.instance(markers, value) + 1));
        into.addMatch(cell.of(markers.cellOf(value)));
      }

      @Override
      public int read(TableEntry entry) {
        return InstanceCells.index(markers, instance.read(entry) - 1, cell.read(entry));
      }
    };
  }
}
